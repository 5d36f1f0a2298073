"""Reading and writing the files of a workspace."""

import asyncio
from hashlib import sha256

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.tools import Tool
from quaestor.contracts.workspace import (
    MANAGED_FILES,
    MAX_SHOWN_CHARACTERS,
    OUTPUT_FOLDER,
    FilePart,
    ReadFileInput,
    WorkspaceFingerprints,
    WriteFileInput,
    WriteFileResult,
)
from quaestor.tools.workspace.folder import WorkspaceFolder, is_obeyed_by_programs, normalize_path

MAX_READ_BYTES = 16_000_000
"""Bytes; a larger file is for a program to read."""


class ReadFile(Tool[ReadFileInput, FilePart]):
    """A `Tool` that returns a part of a text file of the workspace."""

    name = "read_file"
    description = "Reads a part of a file; give it a path, and the character to begin at."
    repeatable = True

    def __init__(self, folder: WorkspaceFolder) -> None:
        self._folder = folder

    @override
    async def run(self, given: ReadFileInput) -> FilePart:
        """Return 1,200 characters from an offset on. Raises ToolFailed when there is no such text file."""
        return await asyncio.to_thread(self._read_part, given)

    def _read_part(self, given: ReadFileInput) -> FilePart:
        content = self._folder.below(given.folder).read(given.path, MAX_READ_BYTES + 1)
        if content is None:
            raise ToolFailed(f"there is no file {given.path} in the workspace; look what there is first")
        if len(content) > MAX_READ_BYTES:
            raise ToolFailed(f"{given.path} has more than {MAX_READ_BYTES:,} bytes; read it with a program")
        if b"\0" in content:
            raise ToolFailed(f"{given.path} is no text; look at it with a program")
        text = content.decode(errors="replace")
        return FilePart(
            path=normalize_path(given.path),
            text=text[given.offset : given.offset + MAX_SHOWN_CHARACTERS],
            offset=min(given.offset, len(text)),
            characters=len(text),
            sha256=sha256(content).hexdigest(),
        )


class WriteFile(Tool[WriteFileInput, WriteFileResult]):
    """A `Tool` that writes a file of the workspace."""

    name = "write_file"
    description = "Writes a whole file; give it a path and the content."
    repeatable = False

    def __init__(self, folder: WorkspaceFolder) -> None:
        self._folder = folder

    @override
    async def run(self, given: WriteFileInput) -> WriteFileResult:
        """Write a file, all of it or nothing. Raises ToolFailed for a path that cannot be written to."""
        return await asyncio.to_thread(self._written, given)

    def _written(self, given: WriteFileInput) -> WriteFileResult:
        folder = self._folder.below(given.folder)
        _refuse_generated_files(folder, given.path)
        _refuse_obeyed_files(folder, given.path)
        folder.ensure_exists()
        before = folder.fingerprint()
        folder.write(given.path, given.content.encode())
        state = folder.state(given.path)
        return WriteFileResult(
            changed=(state,) if state else (), seen=WorkspaceFingerprints(before=before, after=folder.fingerprint())
        )


def _refuse_generated_files(folder: WorkspaceFolder, path: str) -> None:
    """Raise ToolFailed for a place of what is written from the log, however a path or a link leads there."""
    first, *_ = folder.reached(path).parts
    if first.casefold() in {name.casefold() for name in (*MANAGED_FILES, OUTPUT_FOLDER)}:
        raise ToolFailed(f"{path} is written from the log of the task; say it in the writeback instead")


def _refuse_obeyed_files(folder: WorkspaceFolder, path: str) -> None:
    """Raise ToolFailed for a file by which other programs would do something for the person who works there."""
    if is_obeyed_by_programs(folder.reached(path).as_posix()):
        raise ToolFailed(f"{path} is a file that other programs run or obey; name the lines it should have instead")
