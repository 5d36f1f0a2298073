"""Backups that come from somebody else: whatever they hold, nothing is written, executed or believed of them."""

import io
import os
import tarfile
from pathlib import Path

import pytest

from fakes.backups import backup_with
from quaestor.app import DATABASE_FILE
from quaestor.app.copies.backup import restore
from quaestor.contracts.errors import UsageError

PERSON = "workspaces/20260101-000000-abcdef/"


def entry(name: str, size: int = 4, **changed: object) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.size = size
    for field, value in changed.items():
        setattr(made, field, value)
    return made


HOSTILE = {
    "a link": entry(f"{PERSON}a", 0, type=tarfile.SYMTYPE, linkname="/etc/passwd"),
    "a hard link": entry(f"{PERSON}a", 0, type=tarfile.LNKTYPE, linkname=DATABASE_FILE),
    "a pipe": entry(f"{PERSON}a", 0, type=tarfile.FIFOTYPE),
    "a device": entry(f"{PERSON}a", 0, type=tarfile.CHRTYPE, devmajor=1, devminor=5),
    "a folder": entry(f"{PERSON}a", 0, type=tarfile.DIRTYPE),
    "a NUL in a name": entry("x", 4, pax_headers={"path": f"{PERSON}a\0b"}),
    "a name of Windows": entry(f"{PERSON}..\\..\\a"),
    "a name without end": entry(f"{PERSON}{'a' * 5_000}"),
    "a log beside the database": entry(f"{DATABASE_FILE}-wal"),
    "zeros without end": entry(
        f"{PERSON}a", 4, pax_headers={"GNU.sparse.map": "0,4", "GNU.sparse.size": str(1 << 50)}
    ),
    "more than there is": entry(f"{PERSON}a", 4, pax_headers={"size": str(1 << 50)}),
}  # fmt: skip


@pytest.mark.parametrize("attack", HOSTILE)
async def test_what_no_backup_holds_is_refused_and_nothing_is_left(tmp_path: Path, attack: str) -> None:
    file = tmp_path / "backup.tar"
    with tarfile.open(file, "w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(HOSTILE[attack], io.BytesIO(b"evil"))
    with pytest.raises(UsageError):
        await restore(tmp_path / "home", file)
    assert [path for path in (tmp_path / "home").rglob("*") if path.name != DATABASE_FILE] == []


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM leases; END",
        "CREATE VIEW v AS SELECT * FROM events",
        "ALTER TABLE sessions RENAME TO s; CREATE VIEW sessions AS SELECT * FROM s",
    ],
)
async def test_a_database_that_does_something_by_itself_is_refused(tmp_path: Path, sql: str) -> None:
    file = await backup_with(tmp_path, lambda database: database.execute(sql))
    with pytest.raises(UsageError, match="no store of this program"):
        await restore(tmp_path / "other", file)


async def test_a_database_of_anything_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / DATABASE_FILE).write_bytes(b"SQLite format 3\0" + b"\xff" * 5_000)
    with tarfile.open(tmp_path / "backup.tar", "w") as archive:
        archive.add(tmp_path / DATABASE_FILE, DATABASE_FILE)
    with pytest.raises(Exception, match=r"damaged|not a database|malformed|cannot be"):
        await restore(tmp_path / "other", tmp_path / "backup.tar")


async def test_a_pipe_is_no_backup_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.tar")
    with pytest.raises(UsageError, match="cannot be read as a backup"):
        await restore(tmp_path / "home", tmp_path / "pipe.tar")
