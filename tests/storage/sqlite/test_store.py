import asyncio
import resource
import signal
import sys
from pathlib import Path

import apsw
import pytest

from quaestor.contracts.errors import HomeNotWritable, LogCorrupt, StoreFull
from quaestor.contracts.source import Quote
from quaestor.storage.sqlite import SqliteStore, open_store
from storage.samples import NOON, begun, document, reply, started, todo

LARGE = 300_000


async def test_a_store_that_became_read_only_is_named(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    store._database.rows("PRAGMA query_only = ON")
    with pytest.raises(HomeNotWritable):
        await store.append(lease, [todo(2)])
    store._database.rows("PRAGMA query_only = OFF")
    await store.append(lease, [todo(2)])
    await store.close()


async def overfill(store: SqliteStore) -> None:
    """Fail to append a large batch, without a trace."""
    lease = await store.lease("s1")
    assert lease is not None
    with pytest.raises(StoreFull, match="resume"):
        await store.append(lease, [todo(2), *(reply(seq, "x" * 900) for seq in range(3, 2000))])
    assert await store.events("s1") == [started()]


async def test_a_full_database_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    [[pages]] = store._database.rows("PRAGMA page_count")
    store._database.rows(f"PRAGMA max_page_count = {pages + 2}")
    await overfill(store)
    await store.append(lease, [todo(2)])
    store._database.rows("PRAGMA max_page_count = 100000")
    await store.append(lease, [reply(seq, "x" * 900) for seq in range(3, 2000)])
    assert await store.verify_chain("s1") == []
    await store.close()


async def test_a_full_disk_loses_nothing_and_goes_on(tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the write itself fails."""
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGE, hard))
    try:
        await overfill(store)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    await store.append(lease, [reply(seq, "x" * 900) for seq in range(2, 2000)])
    assert await store.verify_chain("s1") == []
    await store.close()


async def test_one_store_sees_what_another_appended(tmp_path: Path) -> None:
    one, two = open_store(tmp_path / "q.db"), open_store(tmp_path / "q.db")
    lease = await begun(one)
    await one.append(lease, [todo(2)])
    await two.append(lease, [todo(3)])
    assert await one.events("s1") == await two.events("s1") == [started(), todo(2), todo(3)]
    corpus = await one.library.open_corpus(["/d"])
    await one.library.put(corpus, [document("/d/a", "fox one")], NOON)
    await two.library.put(corpus, [document("/d/b", "fox two")], NOON)
    assert len(await one.library.search(corpus, ["fox"], 5)) == 2
    await one.close()
    await two.close()


async def test_a_changed_source_is_named_and_not_given_out(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    corpus = await store.library.open_corpus(["/d"])
    await store.library.put(corpus, [document("/d/a", "a quick fox")], NOON)
    [hit] = await store.library.search(corpus, ["fox"], 1)
    assert await store.library.damaged([hit.passage]) == []
    await store.close()
    raw = apsw.Connection(str(tmp_path / "q.db"))
    raw.execute("UPDATE blobs SET data = CAST('a quick hen' AS BLOB)")
    raw.close()
    store = open_store(tmp_path / "q.db")
    name = hit.passage.source
    quick = Quote(source=name, start=2, end=7, text="quick")
    assert await store.library.damaged([quick]) == [f"source {name} no longer has the text of its hash"]
    for asked in (store.library.text(name), store.library.search(corpus, ["fox"], 1)):
        with pytest.raises(LogCorrupt, match=name):
            await asked
    await store.close()


KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from quaestor.storage.sqlite import open_store
from storage.samples import begun, reply, todo

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def main():
    store = open_store(Path(sys.argv[1]))
    lease = await begun(store)
    await store.append(lease, [todo(2)])
    connection = store._database._connection
    (connection.set_commit_hook if sys.argv[2] == "before" else connection.set_wal_hook)(die)
    await store.append(lease, [todo(3), reply(4, "x" * 90_000), todo(5)])

asyncio.run(main())
"""


@pytest.mark.parametrize(("moment", "events"), [("before", 2), ("after", 5)])
async def test_killed_in_the_commit_an_append_is_whole_or_absent(tmp_path: Path, moment: str, events: int) -> None:
    path = tmp_path / "q.db"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED, str(path), moment, env={"PYTHONPATH": ":".join(sys.path)}
    )
    assert await process.wait() == -signal.SIGKILL
    store = open_store(path)
    assert len(await store.events("s1")) == (await store.session("s1")).events == events
    assert await store.verify_chain("s1") == []
    [[blobs]] = store._database.rows("SELECT count(*) FROM blobs")
    assert blobs == (1 if moment == "after" else 0)
    await store.close()


async def test_a_large_body_is_stored_once(tmp_path: Path) -> None:
    store = open_store(tmp_path / "q.db")
    lease = await begun(store)
    large = reply(2, "x" * 9000)
    await store.append(lease, [large, large.model_copy(update={"seq": 3}), reply(4, "x")])
    rows = store._database.rows("SELECT seq, body IS NULL, blob IS NULL FROM events ORDER BY seq")
    assert rows == [(1, 0, 1), (2, 1, 0), (3, 1, 0), (4, 0, 1)]
    [[count, stored]] = store._database.rows("SELECT count(*), sum(length(data)) FROM blobs")
    assert count == 1
    assert stored < 1000
    await store.close()
