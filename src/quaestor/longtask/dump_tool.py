"""The files of a task, written from its log after every round, and rebuilt from it once the task rests."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.host import Host
from quaestor.contracts.tools import Tool
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    MANAGED_FILES,
    OUTPUT_FOLDER,
    PLAN_FILE,
    PROGRESS_FILE,
    STATE_FILE,
    DumpInput,
    DumpResult,
    LogAppend,
    ProgramResult,
    StoredOutput,
)
from quaestor.longtask.state import PlannedTask, SyncStatus
from quaestor.longtask.workflow import LongTask
from quaestor.longtask.workspace_sync import build_dump_input
from quaestor.tools.workspace.folder import MAX_OWN_FILE_BYTES, WorkspaceFolder

MAX_PLAN_BYTES = 1_000_000
"""Bytes of task_plan.md that are read; a longer one is no plan."""


class DumpWorkspace(Tool[DumpInput, DumpResult]):
    """A `Tool` that writes the plan, both logs and the state of a task, and reports a person's edit of the plan."""

    name = "dump"
    description = "Writes the files of the workspace."
    repeatable = True
    spend = Spend()

    def __init__(self, folder: WorkspaceFolder, *, keeps_own_files: bool = False) -> None:
        self._folder = folder
        self._keeps_own_files = keeps_own_files

    @override
    async def run(self, given: DumpInput) -> DumpResult:
        """Write what is to be written. Raises ToolFailed when the folder cannot be written to."""
        effective = given.revised(cut_off=given.cut_off and not self._keeps_own_files)
        return await asyncio.to_thread(_write_files, self._folder.below(given.folder), effective)


def _write_files(folder: WorkspaceFolder, given: DumpInput) -> DumpResult:
    folder.ensure_exists()
    if given.plan_before is None and _is_of_earlier_task(folder, given):
        folder.archive()
    damaged = tuple(
        name
        for name, grown in ((FINDINGS_FILE, given.findings), (PROGRESS_FILE, given.progress))
        if not _append_log(folder, name, grown)
    )
    _write_if_changed(folder, STATE_FILE, given.state.encode())
    return _write_plan(folder, given).revised(damaged=damaged, seen=folder.fingerprint())


def _is_of_earlier_task(folder: WorkspaceFolder, given: DumpInput) -> bool:
    """Return whether the files are those of an earlier task, and not of a dump of this one that was killed."""
    own = {PLAN_FILE: given.plan, FINDINGS_FILE: given.findings.text, PROGRESS_FILE: given.progress.text}
    return any(folder.read(name, MAX_OWN_FILE_BYTES) not in {None, text.encode()} for name, text in own.items())


def _write_plan(folder: WorkspaceFolder, given: DumpInput) -> DumpResult:
    plan = given.plan.encode()
    found = folder.read(PLAN_FILE, MAX_PLAN_BYTES)
    changed = found is not None and given.plan_before not in {None, _hash(found)} and found != plan
    if found is not None and changed and not given.cut_off:
        edited = found.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
        return DumpResult(plan_sha256=_hash(found), edited=edited)
    aside = f"{OUTPUT_FOLDER}/{_hash(found)[:16]}.txt" if found is not None and changed else None
    if found is not None and aside:
        folder.write(aside, found)
    _write_if_changed(folder, PLAN_FILE, plan)
    return DumpResult(plan_sha256=_hash(plan), put_aside=aside)


def _append_log(folder: WorkspaceFolder, name: str, grown: LogAppend) -> bool:
    """Write a log that has grown, and return whether its earlier bytes were unchanged."""
    found = folder.read(name, MAX_OWN_FILE_BYTES) or b""
    known = found[: grown.start]
    if len(known) < grown.start or _hash(known) != grown.before:
        return False
    _write_if_changed(folder, name, known + grown.text.encode(), found)
    return True


def _write_if_changed(folder: WorkspaceFolder, name: str, content: bytes, found: bytes | None = None) -> None:
    if content != (folder.read(name, MAX_OWN_FILE_BYTES) if found is None else found):
        folder.write(name, content)


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()


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
