"""The log as JSON lines: one row a line, all sessions in one file or a file for each in a folder."""

import asyncio
import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import Row, TargetDown
from quaestor.storage.followers.lines import Lines

_PASSING = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ENOLCK, errno.EINTR})
"""What may be otherwise at the next try; any other error of a file stays until somebody acts."""


class JsonLines:
    """Keeps a copy in files; a `Follower`. They are only appended to, in a thread of their own."""

    def __init__(self, path: Path, *, folder: bool) -> None:
        self.name = f"jsonl:{path}{os.sep if folder else ''}"
        self._path = path
        self._folder = folder
        self._files: dict[Path, Lines] = {}

    async def position(self, session_id: str) -> int:
        """Give the highest number up to which the copy has every event of a session; 0 when it has none."""
        with self._naming():
            return await asyncio.to_thread(self._file(session_id).position, session_id)

    async def copy(self, rows: Sequence[Row]) -> None:
        """Add rows, in order; they are on the disk when this returns."""
        by_file: dict[Path, list[Row]] = {}
        for row in rows:
            by_file.setdefault(self._place(row.session_id), []).append(row)
        with self._naming():
            for own in by_file.values():
                await asyncio.to_thread(self._file(own[0].session_id).add, own)

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Row]:
        """Give the rows of a session with a number above `after`, in order."""
        with self._naming():
            found = await asyncio.to_thread(self._file(session_id).rows, session_id, after)
        return found[:limit]

    async def close(self) -> None:
        """Do nothing: no file stays open."""

    def _place(self, session_id: str) -> Path:
        return self._path / f"{quote(session_id, safe='')}.jsonl" if self._folder else self._path

    def _file(self, session_id: str) -> Lines:
        place = self._place(session_id)
        return self._files.setdefault(place, Lines(place))

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in _PASSING:
                raise TargetDown(f"{self.name} did not take it: {error.strerror}") from error
            raise SetupError(
                f"{self.name} cannot be written: {error.strerror or error}; let it be written, or name another place"
            ) from error
