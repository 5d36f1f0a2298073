"""A backup whose database was changed by somebody."""

import tarfile
from collections.abc import Callable
from pathlib import Path

import apsw

import quaestor
from fakes.papers import QUESTION, write_papers
from quaestor.app import DATABASE_FILE
from quaestor.app.copies.backup import back_up


async def backup_with(tmp_path: Path, change: Callable[[apsw.Connection], object]) -> Path:
    """Return the backup of a home with one session, changed."""
    file = tmp_path / "backup.tar"
    async with quaestor.open(tmp_path / "home", effort="low") as q:
        await q.start(QUESTION, await q.index([write_papers(tmp_path)]))
        await back_up(q, file)
    with tarfile.open(file) as archive:
        kept = archive.extractfile(DATABASE_FILE)
        assert kept
        (tmp_path / DATABASE_FILE).write_bytes(kept.read())
    database = apsw.Connection(str(tmp_path / DATABASE_FILE))
    change(database)
    database.close()
    with tarfile.open(file, "w") as archive:
        archive.add(tmp_path / DATABASE_FILE, DATABASE_FILE)
    return file
