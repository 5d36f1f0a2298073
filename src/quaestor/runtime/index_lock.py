"""One process at a time indexes a corpus; the others wait for it and then find everything indexed."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from hashlib import sha256
from io import FileIO
from pathlib import Path

from quaestor.files import open_private
from quaestor.storage.file_lock import try_lock, unlock

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5
"""Seconds between two looks at a lock that another process holds."""


@asynccontextmanager
async def hold_index(home: Path, docs: Sequence[Path]) -> AsyncIterator[None]:
    """Hold the lock of the corpus of these files and folders; a lock ends with the process that holds it."""
    roots = "\0".join(sorted({os.fspath(path.resolve()) for path in docs}))
    place = home / f"index-{sha256(roots.encode(errors='surrogateescape')).hexdigest()[:16]}.lock"
    pause = _FIRST_PAUSE
    while (file := _take(place)) is None:
        await asyncio.sleep(pause)
        pause = min(2 * pause, _LONGEST_PAUSE)
    try:
        yield
    finally:
        # Removed while it is locked; behind the unlock it could be that of the next process.
        with suppress(OSError):  # Windows removes no open file
            place.unlink()
        unlock(file)
        file.close()


def _take(place: Path) -> FileIO | None:
    """Return the locked file of a place; None while another process has it, or when it was removed meanwhile."""
    file = FileIO(place, "a+", opener=open_private)
    if try_lock(file):
        # The file may have been removed between the opening and the lock: then this is the lock of a file that nobody
        # else will ever find, and the next process would hold another one.
        with suppress(OSError):
            if os.path.samestat(os.fstat(file.fileno()), place.stat()):
                return file
        unlock(file)
    file.close()
    return None
