"""Reading and writing the files of a workspace."""

import asyncio
from hashlib import sha256
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.workspace import (
    OUTPUTS,
    OWN_FILES,
    SHOWN_CHARACTERS,
    FilePart,
    FileWritten,
    ReadFileGiven,
    Seen,
    WriteFileGiven,
)
from quaestor.tools.workspace.folder import Folder, named

LARGEST_READ = 16_000_000
"""Bytes; a larger file is for a program to read."""


class ReadFile:
    """Gives a part of a text file of the workspace; a `Tool`."""

    name: ClassVar[str] = "read_file"
    description: ClassVar[str] = "Reads a part of a file; give it a path, and the character to begin at."
    takes: ClassVar[type[Noun]] = ReadFileGiven
    gives: ClassVar[type[Noun]] = FilePart
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    async def run(self, given: Noun) -> FilePart:
        """Give 1,200 characters from an offset on. Raises ToolFailed when there is no such text file."""
        if not isinstance(given, ReadFileGiven):
            raise ToolFailed(f"read_file takes a ReadFileGiven, not a {type(given).__name__}; give it a path")
        return await asyncio.to_thread(self._part, given)

    def _part(self, given: ReadFileGiven) -> FilePart:
        content = self._folder.below(given.folder).read(given.path, LARGEST_READ + 1)
        if content is None:
            raise ToolFailed(f"there is no file {given.path} in the workspace; look what there is first")
        if len(content) > LARGEST_READ:
            raise ToolFailed(f"{given.path} has more than {LARGEST_READ:,} bytes; read it with a program")
        if b"\0" in content:
            raise ToolFailed(f"{given.path} is no text; look at it with a program")
        text = content.decode(errors="replace")
        return FilePart(
            path=named(given.path),
            text=text[given.offset : given.offset + SHOWN_CHARACTERS],
            offset=min(given.offset, len(text)),
            characters=len(text),
            sha256=sha256(content).hexdigest(),
        )


class WriteFile:
    """Gives a file of the workspace a new content; a `Tool`."""

    name: ClassVar[str] = "write_file"
    description: ClassVar[str] = "Writes a whole file; give it a path and the content."
    takes: ClassVar[type[Noun]] = WriteFileGiven
    gives: ClassVar[type[Noun]] = FileWritten
    repeatable: ClassVar[bool] = False
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, folder: Folder) -> None:
        self._folder = folder

    async def run(self, given: Noun) -> FileWritten:
        """Write a file, all of it or nothing. Raises ToolFailed for a path that cannot be written to."""
        if not isinstance(given, WriteFileGiven):
            raise ToolFailed(f"write_file takes a WriteFileGiven, not a {type(given).__name__}; give it a content")
        return await asyncio.to_thread(self._written, given)

    def _written(self, given: WriteFileGiven) -> FileWritten:
        folder = self._folder.below(given.folder)
        _refuse_own(folder, given.path)
        folder.made()
        before = folder.look()
        folder.write(given.path, given.content.encode())
        state = folder.state(given.path)
        return FileWritten(changed=(state,) if state else (), seen=Seen(before=before, after=folder.look()))


def _refuse_own(folder: Folder, path: str) -> None:
    """Raise ToolFailed for a place of what is written from the log, however a path or a link leads there."""
    first, *_ = folder.reached(path).parts
    if first.casefold() in {name.casefold() for name in (*OWN_FILES, OUTPUTS)}:
        raise ToolFailed(f"{path} is written from the log of the task; say it in the writeback instead")
