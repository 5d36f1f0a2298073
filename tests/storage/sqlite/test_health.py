from pathlib import Path

import apsw
import pytest

from quaestor.contracts.errors import StoreCorrupt
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.connection import check_integrity, sqlite_version


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    file = tmp_path / "quaestor.db"
    await open_store(file).close()
    return file


def test_the_engine_is_the_bundled_one() -> None:
    assert sqlite_version() == apsw.sqlite_lib_version()


def test_a_sound_store_has_no_faults(file: Path) -> None:
    assert check_integrity(file) == ()


def test_a_damaged_index_is_named(file: Path) -> None:
    database = apsw.Connection(str(file))
    database.execute("INSERT INTO migrations (name, version) VALUES ('x', '1')")
    database.execute("PRAGMA writable_schema = 1")
    database.execute("DELETE FROM sqlite_schema WHERE name = 'sessions_by_task'")
    database.close()
    assert check_integrity(file) != ()


def test_what_is_no_database_is_refused(file: Path) -> None:
    file.write_bytes(b"nothing of the kind" * 500)
    with pytest.raises(StoreCorrupt, match=file.name):
        check_integrity(file)
