"""Backups of a home: written while its sessions run, put back into an empty home, and verified both times."""

import asyncio
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.app.home import default_home
from quaestor.app.shorthands import Quaestor
from quaestor.app.stores import DATABASE_FILE
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.runtime.archive import unpacked_archive, write_archive
from quaestor.runtime.audit import verify_session
from quaestor.runtime.head_files import record_file
from quaestor.runtime.private_home import secure_home
from quaestor.runtime.session_setup import WORKSPACES_FOLDER
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.backup import copy_store, fill_store, require_empty, require_own_schema


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
            await copy_store(quaestor.home / DATABASE_FILE, copy)
            sessions, faults = await _verify(copy)
            files, left_out = await asyncio.to_thread(write_archive, file, copy, quaestor.home)
    except OSError as error:
        raise SetupError(f"{file} cannot be written: {error.strerror}; choose another place") from error
    return BackupSummary(sessions=sessions, files=files, left_out=left_out, faults=faults)


async def restore(home: Path | None, file: Path) -> BackupSummary:
    """Put a backup back into a home without sessions, once every session of it was verified.

    Raises UsageError for a home that has sessions, for a file that is no backup, and for a database that does
    something by itself. With faults nothing is restored.
    """
    home = home or default_home(os.environ)
    secure_home(home, DATABASE_FILE)
    with unpacked_archive(file, home) as (database, workspaces):
        sessions, faults = await _verify(database)
        if faults:
            return BackupSummary(sessions=sessions, faults=faults)
        require_own_schema(database)
        require_empty(home / DATABASE_FILE)
        await asyncio.to_thread(_move_folders, workspaces, home / WORKSPACES_FOLDER)
        fill_store(home / DATABASE_FILE, database)
        record_file(os.environ, home).unlink(missing_ok=True)  # it is of the home that was here before
    return BackupSummary(sessions=sessions)


def _move_folders(source: Path, target: Path) -> None:
    target.mkdir(mode=0o700, exist_ok=True)
    for folder in sorted(source.iterdir()):
        try:
            folder.rename(target / folder.name)
        except OSError as error:
            raise UsageError(f"{target / folder.name} is there already; restore into an empty home") from error


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
