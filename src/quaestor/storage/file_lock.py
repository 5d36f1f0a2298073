"""One writer of a file at a time, over all processes; a lock ends with the process that holds it."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import FileIO

_LOCK_ATTEMPTS = 100
_RETRY_SECONDS = 0.02

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**62
    """A lock of Windows keeps others from reading, so it is put behind every content."""

    def _lock(file: FileIO) -> None:
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

    def unlock(file: FileIO) -> None:
        """Release the lock of an open file."""
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: FileIO) -> None:
        # Of the open file, not of the process as `lockf`: that would be lost when any other descriptor of it is closed.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def unlock(file: FileIO) -> None:
        """Release the lock of an open file."""
        fcntl.flock(file, fcntl.LOCK_UN)


class FileInUseError(Exception):
    """Another process has held the lock of a file for too long."""


@contextmanager
def file_lock(file: FileIO) -> Iterator[None]:
    """Hold the lock of an open file. Raises FileInUseError when another process holds it for two seconds."""
    for attempt in range(_LOCK_ATTEMPTS):
        if try_lock(file):
            break
        if attempt == _LOCK_ATTEMPTS - 1:
            raise FileInUseError
        time.sleep(_RETRY_SECONDS)
    try:
        yield
    finally:
        unlock(file)


def try_lock(file: FileIO) -> bool:
    """Take the lock of an open file; return whether nobody else holds it."""
    try:
        _lock(file)
    except OSError:  # that it is held is BlockingIOError here, PermissionError there
        return False
    return True
