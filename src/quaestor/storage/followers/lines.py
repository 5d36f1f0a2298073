"""One file of JSON lines. Whoever writes holds its lock, and first makes good what a writer that was killed left."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader, FileIO
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.contracts.follower import Row
from quaestor.storage.followers.locking import locked

_BEGINNING = b'{"session_id":"'
"""Of every line."""


@dataclass
class _Held:
    """Which events of one session a file has: all up to one, and some beyond a gap."""

    upto: int = 0
    beyond: set[int] = field(default_factory=set)

    def has(self, seq: int) -> bool:
        return seq <= self.upto or seq in self.beyond

    def add(self, seq: int) -> None:
        self.beyond.add(seq)
        while self.upto + 1 in self.beyond:
            self.upto += 1
            self.beyond.remove(self.upto)


class Lines:
    """Rows in one file, of one session or of several. What was read of it is not read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file_id = 0
        self._read = 0
        """Bytes from the beginning that are known."""
        self._held: dict[str, _Held] = {}

    def position(self, session_id: str) -> int:
        """Give the highest number up to which the file has every event of a session; a torn last line is cut off.

        Raises SetupError for a file that is no copy, which is left as it is.
        """
        if not self._path.exists():
            return 0
        with self._opened():
            return self._of(session_id).upto

    def add(self, rows: Sequence[Row]) -> None:
        """Append the rows that the file does not have. Raises SetupError for a file that is no copy."""
        with self._opened() as file:
            fresh = [row for row in rows if not self._of(row.session_id).has(row.seq)]
            _append(file, b"".join(row.model_dump_json().encode() + b"\n" for row in fresh))
            self._catch_up(file)

    def rows(self, session_id: str, after: int) -> list[Row]:
        """Give the rows of a session with a number above `after`, in order; a torn last line is none."""
        if not self._path.exists():
            return []
        with FileIO(self._path) as file:
            found = (row for row, _ in self._rows(file, 0))
            return sorted((row for row in found if row.session_id == session_id and row.seq > after), key=_seq)

    def _of(self, session_id: str) -> _Held:
        return self._held.setdefault(session_id, _Held())

    @contextmanager
    def _opened(self) -> Iterator[FileIO]:
        """Hold the file open and locked, with everything known that stands in it and nothing torn at its end."""
        is_new = not self._path.exists()
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with FileIO(self._path, "a+") as file:
            if is_new:
                _keep_name(self._path)
            with locked(file, str(self._path)):
                self._catch_up(file)
                yield file

    def _catch_up(self, file: FileIO) -> None:
        status = os.fstat(file.fileno())
        if status.st_ino != self._file_id or status.st_size < self._read:  # another file has its name now
            self._file_id, self._read, self._held = status.st_ino, 0, {}
        for row, end in self._rows(file, self._read):
            self._of(row.session_id).add(row.seq)
            self._read = end
        if self._read < os.fstat(file.fileno()).st_size:
            file.truncate(self._read)

    def _rows(self, file: FileIO, start: int) -> Iterator[tuple[Row, int]]:
        """Give every whole row from a place on, each with the place behind it."""
        file.seek(start)
        reader = BufferedReader(file)
        try:
            for line in reader:
                start += len(line)
                if line.endswith(b"\n"):
                    yield self._row(line), start
                elif not _is_torn(line):
                    raise self._foreign(line)
        finally:
            reader.detach()

    def _row(self, line: bytes) -> Row:
        try:
            return Row.model_validate_json(line)
        except ValueError as error:
            raise self._foreign(line) from error

    def _foreign(self, line: bytes) -> SetupError:
        return SetupError(
            f"{self._path} has a line that is no copied event: {line[:60]!r}; it is left as it is, name another place"
        )


def _is_torn(line: bytes) -> bool:
    """Say whether a line without an end is the beginning of one; a power cut may leave zeros for what follows."""
    begun = line.rstrip(b"\0")
    return begun.startswith(_BEGINNING) or _BEGINNING.startswith(begun)


def _append(file: FileIO, content: bytes) -> None:
    """Make bytes durable at the end of a file; nothing is buffered, so nothing is written once the lock is gone."""
    rest = memoryview(content)
    while rest:
        rest = rest[file.write(rest) or 0 :]
    os.fsync(file.fileno())


def _seq(row: Row) -> int:
    return row.seq


def _keep_name(path: Path) -> None:
    """Make the name of a new file durable."""
    if os.name != "nt":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
