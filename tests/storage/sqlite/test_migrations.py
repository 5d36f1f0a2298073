from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile

import apsw
import pytest

from quaestor.contracts.errors import SetupError
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.connection import open_database
from quaestor.storage.sqlite.migrations import MIGRATIONS, migrate
from quaestor.version import __version__
from storage.samples import begun


def test_each_step_is_on_record() -> None:
    database = open_database(":memory:")
    migrate(database)
    migrate(database)
    assert database.rows("SELECT name, version FROM migrations ORDER BY name") == [
        (name, __version__) for name, _ in MIGRATIONS
    ]
    assert [name for name, _ in MIGRATIONS] == sorted(name for name, _ in MIGRATIONS)
    database.close()


def test_a_step_that_fails_leaves_nothing() -> None:
    database = open_database(":memory:")
    bad = ("0009_bad", "CREATE TABLE extra (x); CREATE TABLE extra (x);")
    with pytest.raises(apsw.SQLError):
        migrate(database, [*MIGRATIONS, bad])
    assert database.rows("SELECT name FROM sqlite_schema WHERE name = 'extra'") == []
    migrate(database, [*MIGRATIONS, ("0009_good", "CREATE TABLE extra (x);")])
    assert database.rows("SELECT * FROM extra") == []
    assert ("0009_good",) in database.rows("SELECT name FROM migrations")
    database.close()


async def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    database = open_database(tmp_path / "q.db")
    migrate(database, MIGRATIONS[:1])
    database.close()
    store = open_store(tmp_path / "q.db")
    await begun(store)
    assert await store.library.open_corpus(["/d"])
    await store.close()


async def test_a_newer_store_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    store = open_store(path)
    await begun(store)
    store._database.run("INSERT INTO migrations VALUES ('0999_dreams', '9.8.7'), ('0998_sleep', '9.8.6')")
    copy = tmp_path / "copy.db"
    for end in ("", "-wal"):  # as a crash leaves them: the last commits are in the write-ahead log alone
        copyfile(f"{path}{end}", f"{copy}{end}")
    before = copy.read_bytes()
    with pytest.raises(SetupError, match=r"9\.8\.7 .*0999_dreams.*0\.1"):
        open_store(copy)
    assert copy.read_bytes() == before
    await store.close()


def test_a_store_may_be_made_by_several_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(open_store, [tmp_path / "q.db"] * 8))
    counts = [store._database.rows("SELECT count(*) FROM migrations") for store in stores]
    assert counts == [[(len(MIGRATIONS),)]] * 8
    for store in stores:
        store._database.close()
