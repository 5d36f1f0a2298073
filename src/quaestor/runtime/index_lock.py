"""One process at a time indexes a corpus; the others wait for it and then find everything indexed."""

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from io import FileIO
from pathlib import Path

from quaestor.storage.followers.file_lock import try_lock, unlock

_FIRST_PAUSE, _LONGEST_PAUSE = 0.02, 0.5
"""Seconds between two looks at a lock that another process holds."""


@asynccontextmanager
async def hold_index(home: Path, docs: Sequence[Path]) -> AsyncIterator[None]:
    """Hold the lock of the corpus of these files and folders; a lock ends with the process that holds it."""
    roots = "\0".join(sorted({os.fspath(path.resolve()) for path in docs}))
    name = f"index-{sha256(roots.encode(errors='surrogateescape')).hexdigest()[:16]}.lock"
    with FileIO(home / name, "a+", opener=_open_private) as file:
        pause = _FIRST_PAUSE
        while not try_lock(file):
            await asyncio.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE)
        try:
            yield
        finally:
            unlock(file)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
