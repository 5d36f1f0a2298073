"""The erasure of sessions from a home: what the database holds of them, their workspaces and their output."""

import asyncio
import os
import shutil
import stat
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import timedelta
from pathlib import Path

from quaestor.contracts.errors import SetupError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.ports import Clock, Store
from quaestor.kernel.lease import acquire_lease
from quaestor.runtime.private_home import FOLLOWERS_FOLDER, LOG_FOLDER
from quaestor.runtime.session_setup import WORKSPACES_FOLDER
from quaestor.runtime.system import current_process, is_alive
from quaestor.storage.originals import ORIGINALS_FOLDER

_CHUNK = 2**20
_progress_file_name: Callable[[str], str] = deferred("quaestor.storage.followers.trace_progress:progress_file_name")


async def erase_sessions(
    store: Store, clock: Clock, folders: tuple[Path, Path], session_ids: Sequence[str], ttl: timedelta
) -> None:
    """Erase sessions; each is gone for every reader at once, and then what it left in the folders is shredded.

    Raises LeaseUnavailable when a living process holds one of them, and UnknownSession: then none is erased. Raises
    SetupError when another process is in the way of the shredding, which then goes on when the home is opened next.
    """
    async with AsyncExitStack() as undo:
        leases = []
        for session_id in dict.fromkeys(session_ids):
            lease = await acquire_lease(store, clock, session_id, owner=current_process(), ttl=ttl, alive=is_alive)
            undo.push_async_callback(store.release_lease, lease)
            leases.append(lease)
        for lease in leases:
            await store.erase(lease, clock.now())
    await finish_erasures(store, clock, *folders)


async def finish_erasures(store: Store, clock: Clock, home: Path, data: Path) -> None:
    """Shred what erased sessions have left, also those whose erasure was killed, and copies whose process has died.

    `data` is the folder of workspaces and fetched files: the home, or one that machines share. Raises SetupError as
    above.
    """
    for lease in await store.incomplete_copies():
        if is_alive(lease.owner) is False:
            await store.erase_copy(lease, clock.now())
    due = await store.remains()
    for each in due:
        await asyncio.to_thread(_remove, home / LOG_FOLDER / f"{each.session_id}.log")
        await asyncio.to_thread(_remove, data / ORIGINALS_FOLDER / each.session_id)
        for state in (home / FOLLOWERS_FOLDER).glob(f"*/{_progress_file_name(each.session_id)}"):
            await asyncio.to_thread(_remove, state)
        for name in each.workspaces:
            await asyncio.to_thread(_remove, data / WORKSPACES_FOLDER / name)
    if not due:
        return
    try:
        await store.shred(clock.now())
    except SetupError:
        if await store.remains():  # else another process, which was in the way, has done it
            raise


def _remove(path: Path) -> None:
    """Overwrite and remove a file, or a folder with what is in it; links are not followed.

    Raises SetupError when that fails.
    """
    try:
        if path.is_dir() and not path.is_symlink():
            _unlock(path)
            for parent, _, files in os.walk(path):
                for name in files:
                    _overwrite(Path(parent, name))
            shutil.rmtree(path)
        else:
            _overwrite(path)
            path.unlink(missing_ok=True)
    except OSError as error:
        raise SetupError(f"{path} cannot be removed: {error.strerror}; remove it, then open the home again") from error


def _overwrite(path: Path) -> None:
    """Write zeros over the content of a file, so that its blocks do not keep it; not where it has another name too."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return
    if not stat.S_ISREG(found.st_mode) or found.st_nlink > 1:
        return
    path.chmod(0o600)
    with open(path, "r+b", buffering=0, opener=_open_unlinked) as file:
        file.writelines(bytes(min(_CHUNK, found.st_size - start)) for start in range(0, found.st_size, _CHUNK))
        os.fsync(file.fileno())


def _open_unlinked(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0))


def _unlock(folder: Path) -> None:
    """Give the rights back that a program may have taken away from its own folders."""
    folder.chmod(0o700)
    for parent, folders, _ in os.walk(folder):
        for inner in (Path(parent, name) for name in folders):
            if not inner.is_symlink():
                inner.chmod(0o700)
