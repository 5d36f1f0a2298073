import pytest

from quaestor.contracts.errors import LogCorrupt, StoreCorrupt
from quaestor.contracts.event import UnknownPayload
from quaestor.storage.sqlite import SqliteStore, open_store
from storage.samples import OWNER, begun, event, reply, session, todo

STORED = "SELECT seq, cycle, at, state, type, version, body, blob FROM events WHERE session_id = ? ORDER BY seq"
OLD = UnknownPayload(type="todo_started", stored_version=0, body='{"todo_id" :  "t3"}')
"""An event as an older release wrote it; today's would write its body otherwise."""


async def filled() -> SqliteStore:
    store = open_store(":memory:")
    await store.append(await begun(store), [reply(2, "long " * 900), event(3, OLD), todo(4)])
    return store


async def test_a_copy_is_stored_word_for_word_and_shares_its_blobs() -> None:
    store = await filled()
    await store.copy_session(session("s2"), "s1", 3, OWNER)
    rows = store._database.rows(STORED, ("s2",))
    assert rows == store._database.rows(STORED, ("s1",))[:3]
    assert rows[2][4:] == ("todo_started", 0, OLD.body, None)
    assert store._database.rows("SELECT count(*) FROM blobs") == [(1,)]
    await store.close()


async def test_a_copy_needs_nothing_of_its_origin() -> None:
    store = await filled()
    await store.copy_session(session("s2"), "s1", 4, OWNER)
    copied = await store.events("s2")
    for table, column in (("events", "session_id"), ("leases", "session_id"), ("sessions", "id")):
        store._database.run(f"DELETE FROM {table} WHERE {column} = 's1'")  # noqa: S608 -- both are named above
    assert await store.events("s2") == copied
    assert await store.verify_chain("s2") == []
    assert [found.id for found in await store.sessions()] == ["s2"]
    await store.close()


@pytest.mark.parametrize(
    ("damage", "named"),
    [
        ("UPDATE events SET state = 'DONE' WHERE seq = 1", "event 1 was changed"),
        ("UPDATE blobs SET data = x'00'", "the blob .* of event 2 was changed"),
        ("DELETE FROM events WHERE seq = 2", "event 2 is missing"),
    ],
)
async def test_what_was_changed_is_not_vouched_for_by_a_new_chain(damage: str, named: str) -> None:
    store = await filled()
    store._database.run(damage)
    with pytest.raises(LogCorrupt, match=f"'s1' cannot be copied: {named}"):
        await store.copy_session(session("s2"), "s1", 3, OWNER)
    assert [found.id for found in await store.sessions()] == ["s1"]
    await store.close()


async def test_an_event_beyond_reading_is_not_copied() -> None:
    store = open_store(":memory:")
    garbled = UnknownPayload(type="action_cancelled", stored_version=2, body='{"todo_id"')
    await store.append(await begun(store), [event(2, garbled)])
    with pytest.raises(StoreCorrupt, match="event 2"):
        await store.copy_session(session("s2"), "s1", 2, OWNER)
    assert [found.id for found in await store.sessions()] == ["s1"]
    await store.copy_session(session("s2"), "s1", 1, OWNER)
    await store.close()
