from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copyfile

import apsw
import pytest

from quaestor.contracts.errors import SetupError
from quaestor.storage.sql.blobs import put_blob
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.connection import open_database
from quaestor.storage.sqlite.migrations import LAST_IN_SCHEMA, MIGRATIONS, migrate
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


def test_a_new_store_has_the_schema_that_every_step_alone_leads_to() -> None:
    schemas = []
    for first in (MIGRATIONS[:1], MIGRATIONS):
        database = open_database(":memory:")
        migrate(database, first)
        migrate(database, [step for step in MIGRATIONS if step[0] <= LAST_IN_SCHEMA])
        schemas.append(
            [
                *database.rows("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"),
                *database.rows("PRAGMA application_id"),
                *database.rows("SELECT name, version FROM migrations ORDER BY name"),
            ]
        )
        database.close()
    assert schemas[0] == schemas[1]


def test_a_step_that_fails_leaves_nothing() -> None:
    database = open_database(":memory:")
    bad = ("0900_bad", "CREATE TABLE extra (x); CREATE TABLE extra (x);")
    with pytest.raises(apsw.SQLError):
        migrate(database, [*MIGRATIONS, bad])
    assert database.rows("SELECT name FROM sqlite_schema WHERE name = 'extra'") == []
    migrate(database, [*MIGRATIONS, ("0900_good", "CREATE TABLE extra (x);")])
    assert database.rows("SELECT * FROM extra") == []
    assert ("0900_good",) in database.rows("SELECT name FROM migrations")
    database.close()


async def test_an_older_store_is_brought_up_to_date(tmp_path: Path) -> None:
    database = open_database(tmp_path / "q.db")
    migrate(database, MIGRATIONS[:1])
    database.close()
    store = open_store(tmp_path / "q.db")
    await begun(store)
    assert await store.library.open_corpus(["/d"])
    await store.close()


async def test_an_older_store_names_a_source_for_each_session_that_cites_it(tmp_path: Path) -> None:
    """Of before provenance: one name for a text, that of the first session; two corpora with their own documents."""
    database = open_database(tmp_path / "q.db")
    migrate(database, MIGRATIONS[:7])
    name, large = "a" * 64, b'{"hits": ["%s"], "more": "%s"}' % (b"a" * 64, b"x" * 2000)
    blob = put_blob(database, large)
    database.run("INSERT INTO blobs VALUES (?, 5, x'0102030405')", (name,))
    database.run(
        "INSERT INTO sources VALUES (?, 'First', '/a/first.txt', 'text/plain', 5, '2026-03-01T12:00:00.000000Z', "
        "'2024-05-06', '[0]')",
        (name,),
    )
    for number, title in ((1, "First"), (2, "Second")):
        database.run("INSERT INTO corpora VALUES (?, ?, 1)", (number, f'["/{number}"]'))
        database.run("INSERT INTO documents VALUES (?, '/doc', ?, 1, 1, ?, NULL)", (number, title, name))
    bodies: dict[str, tuple[str, str | None, str | None]] = {
        "s1": ('"corpus_1"', f'{{"source": "{name}"}}', None),
        "s2": ('"corpus_2"', None, blob),
        "s3": ('"none"', f'{{"source": "{name}"}}', None),
        "s4": ('"corpus_2"', f'{{"source": "{"b" * 64}"}}', None),
    }
    for session_id, (options, body, large_body) in bodies.items():
        database.run("INSERT INTO sessions VALUES (?, 'k', 'w', 'q', 't', 2, 1, NULL, NULL, 'h')", (session_id,))
        for seq, (text, named) in enumerate(((f'{{"options": {options}}}', None), (body, large_body)), 1):
            database.run(
                "INSERT INTO events VALUES (?, ?, 1, 't', 'S', 'x', 1, ?, ?, 'p', 'h', NULL)",
                (session_id, seq, text, named),
            )
    migrate(database)
    rows = database.rows("SELECT session_id, title, uri, published FROM session_sources ORDER BY session_id")
    assert rows == [
        ("s1", "First", "/doc", "2024-05-06"),
        ("s2", "Second", "/doc", "2024-05-06"),
        ("s3", "First", "/a/first.txt", "2024-05-06"),
    ]
    assert database.rows("SELECT title, characters FROM sources") == [("First", 5)]
    assert database.rows("PRAGMA integrity_check") == [("ok",)]
    assert database.rows("PRAGMA foreign_key_check") == []
    database.close()


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
