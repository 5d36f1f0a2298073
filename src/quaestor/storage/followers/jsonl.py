"""The log as JSON lines: one row a line, all sessions in one file or a file for each in a folder."""

import asyncio
import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader, FileIO
from pathlib import Path
from urllib.parse import quote

from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import NOTHING_COPIED, FollowerUnavailable, ReplicaPosition, ReplicaRow
from quaestor.contracts.source import Sha256
from quaestor.files import open_private
from quaestor.storage.file_lock import FileInUseError, file_lock

_TRANSIENT_ERRNOS = frozenset(
    {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ENOLCK, errno.EINTR}
)
"""Errors that may not occur at the next try; any other error of a file stays until a person acts."""


@dataclass
class _StoredSeqs:
    """Which events of one session a file has: all up to one, and some beyond a gap."""

    upto: ReplicaPosition = NOTHING_COPIED
    after_gap: dict[int, Sha256 | None] = field(default_factory=dict)
    """Their hashes by their numbers."""

    def has(self, seq: int) -> bool:
        return seq <= self.upto.seq or seq in self.after_gap

    def add(self, row: ReplicaRow) -> None:
        self.after_gap[row.seq] = row.hash
        while (following := self.upto.seq + 1) in self.after_gap:
            self.upto = ReplicaPosition(following, self.after_gap.pop(following))


class JsonlFile:
    """Rows in one file, of one session or of several. What was read of it is not read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file_id = 0
        self._read = 0
        """Bytes from the beginning that are known."""
        self._held: dict[str, _StoredSeqs] = {}

    def position(self, session_id: str) -> ReplicaPosition:
        """Return how far the copy of a session in the file is; a torn last line is cut off.

        Raises SetupError for a file that is no copy, which is left as it is.
        """
        if not self._path.exists():
            return NOTHING_COPIED
        with self._open_locked():
            return self._stored_of(session_id).upto

    def add(self, rows: Sequence[ReplicaRow]) -> None:
        """Append the rows that the file does not have. Raises SetupError for a file that is no copy."""
        with self._open_locked() as file:
            # Looked up under the lock: another process may have copied the same rows a moment ago.
            fresh = [row for row in rows if not self._stored_of(row.session_id).has(row.seq)]
            _append_durably(file, b"".join(row.model_dump_json().encode() + b"\n" for row in fresh))
            self._catch_up(file)

    def rows(self, session_id: str, after: int) -> list[ReplicaRow]:
        """Return the rows of a session with a number above `after`, in order; a torn last line is none."""
        if not self._path.exists():
            return []
        with FileIO(self._path, opener=open_private) as file:
            found = (row for row, _ in self._rows(file, 0))
            return sorted((row for row in found if row.session_id == session_id and row.seq > after), key=_seq)

    def _stored_of(self, session_id: str) -> _StoredSeqs:
        return self._held.setdefault(session_id, _StoredSeqs())

    @contextmanager
    def _open_locked(self) -> Iterator[FileIO]:
        """Hold the file open and locked, with its contents known and nothing torn at its end."""
        is_new = not self._path.exists()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileIO(self._path, "a+", opener=open_private) as file:
            if is_new:
                _fsync_folder(self._path)
            with self._locked(file):
                self._catch_up(file)
                yield file

    @contextmanager
    def _locked(self, file: FileIO) -> Iterator[None]:
        try:
            with file_lock(file):
                yield
        except FileInUseError:
            reason = f"{self._path} is being written by another process for too long"
            raise FollowerUnavailable(reason) from None

    def _catch_up(self, file: FileIO) -> None:
        status = os.fstat(file.fileno())
        if status.st_ino != self._file_id or status.st_size < self._read:  # another file has its name now
            self._file_id, self._read, self._held = status.st_ino, 0, {}
        for row, end in self._rows(file, self._read):
            self._stored_of(row.session_id).add(row)
            self._read = end
        # The writer was cut off in the middle of a line. Under the lock nobody else can be writing it now.
        if self._read < os.fstat(file.fileno()).st_size:
            file.truncate(self._read)

    def _rows(self, file: FileIO, start: int) -> Iterator[tuple[ReplicaRow, int]]:
        """Return every whole row from a place on, each with the place behind it."""
        file.seek(start)
        reader = BufferedReader(file)
        try:
            for line in reader:
                start += len(line)
                if line.endswith(b"\n"):
                    yield self._row(line), start
                elif not _is_torn(line):
                    raise self._not_a_copy(line)
        finally:
            reader.detach()

    def _row(self, line: bytes) -> ReplicaRow:
        try:
            return ReplicaRow.model_validate_json(line)
        except ValueError as error:
            raise self._not_a_copy(line) from error

    def _not_a_copy(self, line: bytes) -> SetupError:
        return SetupError(
            f"{self._path} has a line that is no copied event: {line[:60]!r}; it is left as it is, name another place"
        )


class JsonlFollower:
    """A copy in files; a `Replica`. They are only appended to, in a thread of their own."""

    def __init__(self, path: Path, *, folder: bool) -> None:
        self.name = f"jsonl:{path}{os.sep if folder else ''}"
        self._path = path
        self._folder = folder
        self._files: dict[Path, JsonlFile] = {}

    async def position(self, session_id: str) -> ReplicaPosition:
        """Return how far the copy of a session is."""
        with self._naming():
            return await asyncio.to_thread(self._file_of(session_id).position, session_id)

    async def copy(self, rows: Sequence[ReplicaRow]) -> None:
        """Add rows, in order; they are on the disk when this returns."""
        by_file: dict[Path, list[ReplicaRow]] = {}
        for row in rows:
            by_file.setdefault(self._path_of(row.session_id), []).append(row)
        with self._naming():
            for own in by_file.values():
                await asyncio.to_thread(self._file_of(own[0].session_id).add, own)

    async def rows(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[ReplicaRow]:
        """Return the rows of a session with a number above `after`, in order."""
        with self._naming():
            found = await asyncio.to_thread(self._file_of(session_id).rows, session_id, after)
        return found[:limit]

    async def close(self) -> None:
        """Do nothing: no file stays open."""

    def _path_of(self, session_id: str) -> Path:
        return self._path / f"{quote(session_id, safe='')}.jsonl" if self._folder else self._path

    def _file_of(self, session_id: str) -> JsonlFile:
        place = self._path_of(session_id)
        return self._files.setdefault(place, JsonlFile(place))

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            if error.errno in _TRANSIENT_ERRNOS:
                raise FollowerUnavailable(f"{self.name} did not take it: {error.strerror}") from error
            raise SetupError(
                f"{self.name} cannot be written: {error.strerror or error}; let it be written, or name another place"
            ) from error


_LINE_PREFIX = b'{"session_id":"'
"""Of every line."""


def _is_torn(line: bytes) -> bool:
    """Return whether a line without an end is the beginning of one; a power cut may leave zeros for what follows."""
    begun = line.rstrip(b"\0")
    return begun.startswith(_LINE_PREFIX) or _LINE_PREFIX.startswith(begun)


def _append_durably(file: FileIO, content: bytes) -> None:
    """Make bytes durable at the end of a file; nothing is buffered, so nothing is written once the lock is gone."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) or 0 :]
    os.fsync(file.fileno())


def _seq(row: ReplicaRow) -> int:
    return row.seq


def _fsync_folder(path: Path) -> None:
    """Make the name of a new file durable."""
    if os.name != "nt":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
