"""The files of a task, written from its log."""

import asyncio
from hashlib import sha256
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.workspace import (
    FINDINGS_FILE,
    PLAN_FILE,
    PROGRESS_FILE,
    STATE_FILE,
    Appended,
    Dumped,
    DumpGiven,
)
from quaestor.tools.workspace.folder import LARGEST_OWN, Folder

LARGEST_PLAN = 1_000_000
"""Bytes of task_plan.md that are read; a longer one is no plan."""


class Dump:
    """Writes the plan, both logs and the state of a task; a `Tool`. A person's edit of the plan is told, not lost."""

    name: ClassVar[str] = "dump"
    description: ClassVar[str] = "Writes the files of the workspace."
    takes: ClassVar[type[Noun]] = DumpGiven
    gives: ClassVar[type[Noun]] = Dumped
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend()

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    async def run(self, given: Noun) -> Dumped:
        """Write what is to be written. Raises ToolFailed when the folder cannot be written to."""
        if not isinstance(given, DumpGiven):
            raise ToolFailed(f"dump takes a DumpGiven, not a {type(given).__name__}; give it the files")
        return await asyncio.to_thread(_written, self._folder.below(given.folder), given)


def _written(folder: Folder, given: DumpGiven) -> Dumped:
    folder.made()
    if given.plan_before is None and _foreign(folder, given):
        folder.archive()
    damaged = tuple(
        name
        for name, grown in ((FINDINGS_FILE, given.findings), (PROGRESS_FILE, given.progress))
        if not _grown(folder, name, grown)
    )
    _rewritten(folder, STATE_FILE, given.state.encode())
    return _planned(folder, given).model_copy(update={"damaged": damaged, "seen": folder.look()})


def _foreign(folder: Folder, given: DumpGiven) -> bool:
    """Say whether the files are those of an earlier task, and not of a dump of this one that was killed."""
    own = {PLAN_FILE: given.plan, FINDINGS_FILE: given.findings.text, PROGRESS_FILE: given.progress.text}
    return any(folder.read(name, LARGEST_OWN) not in {None, text.encode()} for name, text in own.items())


def _planned(folder: Folder, given: DumpGiven) -> Dumped:
    plan = given.plan.encode()
    found = folder.read(PLAN_FILE, LARGEST_PLAN)
    if found is not None and given.plan_before not in {None, _hash(found)} and found != plan:
        edited = found.decode(errors="replace").replace("\0", "\N{REPLACEMENT CHARACTER}")
        return Dumped(plan_sha256=_hash(found), edited=edited)
    _rewritten(folder, PLAN_FILE, plan)
    return Dumped(plan_sha256=_hash(plan))


def _grown(folder: Folder, name: str, grown: Appended) -> bool:
    """Write a log that has grown, and say whether its earlier bytes were there."""
    found = folder.read(name, LARGEST_OWN) or b""
    known = found[: grown.start]
    if len(known) < grown.start or _hash(known) != grown.before:
        return False
    _rewritten(folder, name, known + grown.text.encode(), found)
    return True


def _rewritten(folder: Folder, name: str, content: bytes, found: bytes | None = None) -> None:
    if content != (folder.read(name, LARGEST_OWN) if found is None else found):
        folder.write(name, content)


def _hash(content: bytes) -> str:
    return sha256(content).hexdigest()
