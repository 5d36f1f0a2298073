from pathlib import Path

import apsw
import pytest

from quaestor.contracts.errors import HomeNotWritable, SetupError, StoreCorrupt, StoreFull
from quaestor.storage.sqlite import open_store
from quaestor.storage.sqlite.connection import open_database
from quaestor.storage.sqlite.errors import ErrorTranslator
from storage.samples import begun, later, reply, session, todo

PAGE = 4096


async def filled(path: Path) -> None:
    store = open_store(path)
    lease = await begun(store)
    await store.append(lease, [reply(seq, "x" * 900) for seq in range(2, 200)])
    await store.close()


@pytest.mark.parametrize("content", [b"not a database " * 400, b"SQLite format 3\0" + b"\xff" * 9000, b"hello"])
def test_a_file_that_is_no_database_is_refused_and_kept(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "q.db"
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt, match=str(path)):
        open_store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize("mark", [0, 7])
def test_the_database_of_another_program_is_refused_and_kept(tmp_path: Path, mark: int) -> None:
    path = tmp_path / "q.db"
    other = apsw.Connection(str(path))
    other.execute(f"PRAGMA application_id = {mark}; CREATE TABLE theirs (x)")
    other.close()
    content = path.read_bytes()
    with pytest.raises(StoreCorrupt, match="another program"):
        open_store(path)
    assert path.read_bytes() == content


async def test_a_garbled_header_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    await filled(path)
    garbled = b"\x13" * 100 + path.read_bytes()[100:]
    path.write_bytes(garbled)
    with pytest.raises(StoreCorrupt, match="kept"):
        open_store(path)
    assert path.read_bytes() == garbled


async def test_a_truncated_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    await filled(path)
    rest = path.read_bytes()[: 5 * PAGE + 99]
    path.write_bytes(rest)
    with pytest.raises(StoreCorrupt, match="kept"):
        open_store(path)
    assert path.read_bytes() == rest


async def test_garbage_in_the_middle_is_found_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    await filled(path)
    content = path.read_bytes()
    middle = len(content) * 2 // 3 // PAGE * PAGE  # behind the tables that are empty
    garbled = content[:middle] + b"\x13" * 3 * PAGE + content[middle + 3 * PAGE :]
    path.write_bytes(garbled)
    store = open_store(path)
    for ask in (store.events, store.verify_chain):
        with pytest.raises(StoreCorrupt, match="kept"):
            await ask("s1")
    await store.close()
    assert path.read_bytes() == garbled


def test_a_home_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(HomeNotWritable, match="home"):
        open_store(tmp_path / "home" / "q.db")
    with pytest.raises(HomeNotWritable, match="deeper"):
        open_store(tmp_path / "home" / "deeper" / "q.db")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that nobody can write")
def test_a_folder_that_cannot_be_written_is_named() -> None:
    with pytest.raises(HomeNotWritable, match=r"/proc/q\.db"):
        open_store(Path("/proc/q.db"))


def test_a_folder_in_place_of_the_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HomeNotWritable):
        open_store(tmp_path)


async def test_a_lock_that_another_process_keeps_is_named(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    store._database._connection.set_busy_timeout(1)
    other = apsw.Connection(str(tmp_path / "q.db"))
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(SetupError, match="locked"):
        await store.append(lease, [todo(2)])
    assert len(await store.events("s1")) == 1
    other.execute("ROLLBACK")
    await store.append(lease, [todo(2)])
    other.close()
    await store.close()


async def test_a_commit_is_durable(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    await store.create_session(session(at=later(1)), [])
    assert store._database.rows("PRAGMA synchronous") == [(2,)]
    assert store._database.rows("PRAGMA journal_mode") == [("wal",)]
    assert store._database.rows("PRAGMA foreign_keys") == [(1,)]
    await store.close()
    await store.close()


def test_what_ends_a_reading_is_told_also_where_sqlite_has_ended_it_itself() -> None:
    database = open_database(":memory:")

    def read() -> None:
        with database.reading():
            database.run("ROLLBACK")  # as SQLite does after some errors
            raise StoreFull("the disk is full")

    with pytest.raises(StoreFull, match="the disk is full"):
        read()
    database.close()


def test_a_log_whose_locks_others_keep_is_a_store_that_is_locked() -> None:
    with pytest.raises(SetupError, match="another process kept the store"), ErrorTranslator("q.db"):
        raise apsw.ProtocolError("locking protocol")
