from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from string import Template

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.errors import StoreCorrupt
from quaestor.contracts.event import Event
from quaestor.storage.chain import GENESIS, event_hash
from quaestor.storage.sqlite import open_store
from storage.samples import begun, finished, reply, started, todo

# By the words of docs/schema.md, with a text of {"a":1}; such hashes are in logs of people, and must stay.
PINNED = [
    (None, "d82a7d5c473c1a1e08cbc445411e6a4b85e3939e4ff35e88cb728b5fb51c2249"),
    ("t3", "684861793896f5d8bd78c54446e382dd97be25161d9bf2e033fcf420b8abd208"),
]
LOG = [todo(2), todo(3), reply(4, "long " * 900), todo(5), todo(6), finished(7)]
BLOB = "sha256 = (SELECT blob FROM events WHERE seq = 4)"


@pytest.mark.parametrize(("todo_id", "pinned"), PINNED)
def test_the_hash_of_an_event_never_changes(todo_id: str | None, pinned: str) -> None:
    content = ("s1", 2, 1, "2026-03-01T12:00:00.002000Z", "EXECUTING", "todo_é", 2)
    assert event_hash(GENESIS, content, todo_id, sha256(b'{"a":1}').hexdigest()) == pinned


async def tampered(path: Path, sql: str, **parts: str) -> list[str]:
    """Write seven events, change the file behind the store's back, and return what the chain says."""
    store = open_store(path)
    await store.append(await begun(store), LOG)
    assert await store.verify_chain("s1") == []
    raw = apsw.Connection(str(path))
    raw.execute(Template(sql).substitute(parts, blob=BLOB))
    raw.close()
    found = list(await store.verify_chain("s1"))
    await store.close()
    return found


@pytest.mark.parametrize("place", [1, 2, 5, 7])
@pytest.mark.parametrize(
    "change",
    [
        "body = '[]'",
        "at = '2026-03-01T12:00:00.000000Z'",
        "state = 'DONE'",
        "type = 'error'",
        "cycle = cycle + 1",
        "version = 9",
        "todo_id = 't9'",
        "hash = previous",
        "previous = hash",
        "blob = body, body = NULL",
    ],
)
async def test_a_changed_event_is_named(tmp_path: Path, place: int, change: str) -> None:
    found = await tampered(
        tmp_path / "q.db", "UPDATE events SET $change WHERE seq = $place", change=change, place=str(place)
    )
    assert found[0] == f"event {place} was changed"
    assert {line.split(" ")[0] for line in found[1:]} <= {"the"}  # the head of the session, or the blob


async def test_every_changed_event_is_named(tmp_path: Path) -> None:
    found = await tampered(tmp_path / "q.db", "UPDATE events SET state = 'X' WHERE seq IN (2, 3, 6)")
    assert found == ["event 2 was changed", "event 3 was changed", "event 6 was changed"]


@pytest.mark.parametrize("change", ["data = x'00'", "size = 3", "data = CAST('other' AS BLOB), size = 5"])
async def test_a_changed_blob_is_named(tmp_path: Path, change: str) -> None:
    found = await tampered(tmp_path / "q.db", "UPDATE blobs SET $change WHERE $blob", change=change)
    assert [line.split(" ", 3)[3] for line in found] == ["of event 4 was changed"]


async def test_a_missing_blob_is_named(tmp_path: Path) -> None:
    found = await tampered(tmp_path / "q.db", "DELETE FROM blobs WHERE $blob")
    assert [line.split(" ", 3)[3] for line in found] == ["of event 4 is missing"]


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("DELETE FROM events WHERE seq = 1", ["event 1 is missing"]),
        ("DELETE FROM events WHERE seq = 3", ["event 3 is missing"]),
        ("DELETE FROM events WHERE seq IN (3, 4)", ["events 3 to 4 are missing"]),
        ("DELETE FROM events WHERE seq = 7", ["event 7 is missing"]),
        ("DELETE FROM events WHERE seq > 5", ["events 6 to 7 are missing"]),
        ("DELETE FROM events", ["events 1 to 7 are missing"]),
    ],
)
async def test_a_missing_event_is_named(tmp_path: Path, sql: str, named: list[str]) -> None:
    assert await tampered(tmp_path / "q.db", sql) == named


async def test_swapped_events_are_named(tmp_path: Path) -> None:
    swap = "UPDATE events SET seq = -seq WHERE seq IN (3, 5); UPDATE events SET seq = 8 + seq WHERE seq < 0"
    assert await tampered(tmp_path / "q.db", swap) == [
        "event 5 was moved: it is at number 3",
        "event 3 was moved: it is at number 5",
    ]


async def test_a_cut_tail_whose_count_was_lowered_is_named(tmp_path: Path) -> None:
    cut = "DELETE FROM events WHERE seq = 7; UPDATE sessions SET events = 6"
    assert await tampered(tmp_path / "q.db", cut) == ["the session's head is not the hash of its last event, 6"]


async def test_an_event_that_the_session_does_not_count_is_named(tmp_path: Path) -> None:
    assert await tampered(tmp_path / "q.db", "UPDATE sessions SET events = 6") == [
        "the session counts 6 events, but event 7 is there"
    ]


async def test_an_event_of_another_history_is_named(tmp_path: Path) -> None:
    """Every hash of the other history is right; only its place in this one is not."""
    other = open_store(tmp_path / "other.db")
    await other.append(await begun(other), [todo(2).model_copy(update={"state": "OTHER"}), *LOG[1:]])
    await other.close()
    attach = f"ATTACH '{tmp_path / 'other.db'}' AS other;"
    swap = "DELETE FROM events WHERE seq = 3; INSERT INTO events SELECT * FROM other.events WHERE seq = 3"
    found = await tampered(tmp_path / "q.db", attach + swap)
    assert [line.split(":")[0] for line in found] == [
        "the chain is broken before event 3",
        "the chain is broken before event 4",
    ]


async def test_a_text_that_is_no_unicode_any_more_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreCorrupt, match="not UTF-8"):
        await tampered(tmp_path / "q.db", "UPDATE events SET state = CAST(x'b6' AS TEXT) WHERE seq = 3")


async def test_a_changed_body_is_not_given_out(tmp_path: Path) -> None:
    path = tmp_path / "q.db"
    await tampered(path, "UPDATE blobs SET data = x'00' WHERE $blob")
    store = open_store(path)
    with pytest.raises(StoreCorrupt, match="event 4"):
        await store.events("s1")
    await store.close()


@given(cuts=st.sets(st.integers(1, len(LOG) - 1)))
async def test_the_chain_does_not_know_the_batches(cuts: set[int]) -> None:
    whole, split = open_store(":memory:"), open_store(":memory:")
    await whole.append(await begun(whole), LOG)
    lease = await begun(split)
    edges = [0, *sorted(cuts), len(LOG)]
    for first, last in pairwise(edges):
        await split.append(lease, LOG[first:last])
    query = "SELECT * FROM events ORDER BY seq"
    assert split._database.rows(query) == whole._database.rows(query)
    assert await split.verify_chain("s1") == []
    log: list[Event] = [started(), *LOG]
    assert await split.events("s1") == log
    await whole.close()
    await split.close()
