"""Backups of a home: written while its sessions run, put back into an empty home, and verified both times."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.app.copies.store_copy import copy_store
from quaestor.app.home import default_home
from quaestor.app.settings.environment import current_settings
from quaestor.app.shorthands import Quaestor
from quaestor.app.stores import DATABASE_FILE, open_server
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.runtime.archive import KEPT_FOLDERS, unpacked_archive, write_archive
from quaestor.runtime.audit import verify_session
from quaestor.runtime.head_files import record_file
from quaestor.runtime.private_home import secure_home
from quaestor.runtime.shared_folder import secure_shared_folder
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.backup import copy_store as copy_file
from quaestor.storage.sqlite.backup import fill_store, require_empty, require_own_schema


class BackupSummary(Contract):
    """What a backup holds."""

    sessions: int
    files: int = 0
    left_out: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


async def back_up(quaestor: Quaestor, file: Path) -> BackupSummary:
    """Write a backup of a home into one file, for this user alone; sessions that run are not held up.

    Every session of the copy is verified; the file is kept where there are faults, which it has from the home. Raises
    SetupError when the file cannot be written.
    """
    try:
        with TemporaryDirectory(prefix=".backup-", dir=file.parent) as folder:
            copy = Path(folder) / DATABASE_FILE
            await _copy(quaestor, copy)
            sessions, faults = await _verify(copy)
            files, left_out = await asyncio.to_thread(write_archive, file, copy, quaestor.data_folder)
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}; choose another place") from error
    return BackupSummary(sessions=sessions, files=files, left_out=left_out, faults=faults)


async def restore(home: Path | None, file: Path) -> BackupSummary:
    """Put a backup back into a home without sessions, once every session of it was verified.

    Raises UsageError for a home that has sessions, for a file that is no backup, and for a database that does
    something by itself. With faults nothing is restored.
    """
    home = home or default_home(os.environ)
    settings = current_settings()
    store, data = settings.store, settings.data_folder(home)
    secure_home(home, DATABASE_FILE, create=store is None)
    secure_shared_folder(settings)
    with unpacked_archive(file, data) as (database, unpacked):
        sessions, faults = await _verify(database)
        if faults:
            return BackupSummary(sessions=sessions, faults=faults)
        require_own_schema(database)
        if store is None:
            require_empty(home / DATABASE_FILE)
        else:
            await _require_empty_server(store)
        for name in KEPT_FOLDERS:
            await asyncio.to_thread(_move_folders, unpacked / name, data / name)
        if store is None:
            fill_store(home / DATABASE_FILE, database)
        else:
            await copy_store(str(database.parent), store)
        record_file(os.environ, home).unlink(missing_ok=True)  # it is of the home that was here before
    return BackupSummary(sessions=sessions)


def _move_folders(source: Path, target: Path) -> None:
    for folder in sorted(source.iterdir()) if source.is_dir() else ():
        target.mkdir(mode=0o700, exist_ok=True)
        try:
            folder.rename(target / folder.name)
        except OSError as error:
            raise UsageError(f"{target / folder.name} is there already; restore into an empty home") from error


async def _copy(quaestor: Quaestor, copy: Path) -> None:
    """Copy the store of a home as it is at this moment into a file, from wherever it is."""
    if quaestor.settings.store is None:
        await copy_file(quaestor.home / DATABASE_FILE, copy)
    else:
        await copy_store(quaestor.settings.store, str(copy.parent))


async def _require_empty_server(url: str) -> None:
    """Raise UsageError for a store that has sessions."""
    store = open_server(url)
    try:
        if await store.sessions():
            raise UsageError("the database of the settings has sessions; restore into an empty one")
    finally:
        await store.close()


async def _verify(database: Path) -> tuple[int, tuple[str, ...]]:
    """Verify every session of a store; return their number, and each fault with its session."""
    store = open_store(database)
    try:
        sessions = await store.sessions()
        faults = [
            f"session {each.id}: {fault}"
            for each in sessions
            for fault in await verify_session(store, store.library, each.id)
        ]
    finally:
        await store.close()
    return len(sessions), tuple(faults)
