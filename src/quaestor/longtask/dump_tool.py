"""The files of a task, written from its log."""

import asyncio
from hashlib import sha256

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.tools import Tool
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    OUTPUT_FOLDER,
    PLAN_FILE,
    PROGRESS_FILE,
    STATE_FILE,
    DumpInput,
    DumpResult,
    LogAppend,
)
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
