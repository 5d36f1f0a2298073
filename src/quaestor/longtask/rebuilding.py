"""The files of a task that rests, rebuilt: they are folds of its log, so nothing is lost with them."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.host import Host
from quaestor.contracts.immutable import replace
from quaestor.contracts.workspace import MANAGED_FILES, STATE_FILE, ProgramResult, StoredOutput
from quaestor.longtask.dump_tool import DumpWorkspace
from quaestor.longtask.state import PlannedTask, SyncStatus
from quaestor.longtask.workflow import LongTask
from quaestor.longtask.workspace_sync import build_dump_input
from quaestor.tools.workspace import WorkspaceFolder

_MAX_STATE_BYTES = 1_000_000


async def rebuild_files(host: Host, session_id: str) -> tuple[Path, ...]:
    """Write the files of a task as its log has them; return those that were not as they should be.

    Raises UsageError for a session that is no task or has no plan yet, for a folder in which another task works, and
    for one that cannot be written to.
    """
    task = (await host.folded(session_id, LongTask())).task
    if not isinstance(task, PlannedTask):
        raise UsageError(f"session {session_id} has no plan yet, so it has no files; carry it on")
    root = Path(task.setup.options.workspace)
    folder = WorkspaceFolder(root)
    outputs = [output async for event in host.read_events(session_id) for output in _stored_outputs(event)]
    try:
        _require_own(folder, task)
        before = await asyncio.to_thread(folder.own)
        await asyncio.to_thread(_remove_logs, folder)
        fresh = replace(task, sync=SyncStatus())
        await DumpWorkspace(folder).run(build_dump_input(fresh).revised(plan_before="0" * 64, cut_off=True))
        after = await asyncio.to_thread(folder.own)
        written = await asyncio.to_thread(lambda: [path for path, text in outputs if _restore(folder, path, text)])
    except ToolFailed as error:
        raise UsageError(f"the files of session {session_id} cannot be written: {error}") from error
    changed = (name for name in MANAGED_FILES if before[name] != after[name])
    return tuple(root / name for name in (*changed, *written))


def _require_own(folder: WorkspaceFolder, task: PlannedTask) -> None:
    """Raise UsageError when the files in a folder are those of another task."""
    found = folder.read(STATE_FILE, _MAX_STATE_BYTES)
    try:
        known = json.loads(found) if found else None
    except (ValueError, RecursionError):  # cut or written over: that is what is mended here
        return
    if isinstance(known, dict) and known.get("task_key") not in {None, task.setup.task_key}:
        raise UsageError(f"another task works in {folder.root}; put its files aside first")


def _remove_logs(folder: WorkspaceFolder) -> None:
    """Remove the own files, which are written whole from the log then."""
    folder.restore(dict.fromkeys(MANAGED_FILES))


def _stored_outputs(event: Event) -> Iterator[tuple[str, str]]:
    """Return the outputs of a run that were too long for a prompt, with their paths."""
    match event.payload:
        case ToolResponded(result=ProgramResult() as ran):
            streams = ((ran.kept_stdout, ran.stdout), (ran.kept_stderr, ran.stderr))
        case _:
            return
    yield from ((kept.path, text) for kept, text in streams if isinstance(kept, StoredOutput))


def _restore(folder: WorkspaceFolder, path: str, text: str) -> bool:
    """Write an output that is not there as it was; return whether it had to be."""
    content = text.encode()
    if folder.read(path, len(content) + 1) == content:
        return False
    folder.write(path, content)
    return True
