"""A session that begins with the events of another one, and goes on alone."""

import asyncio
from collections.abc import Sequence
from functools import reduce

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quaestor.contracts.command import Pause
from quaestor.contracts.errors import LeaseLost, UnknownSession, UsageError
from quaestor.contracts.event import Event, FinishRequested, UnknownPayload
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease, Session
from quaestor.kernel.run_state import RunState, fold
from quaestor.storage.sql.events import PAGE_SIZE
from storage.samples import NOON, OWNER, RIVAL, begun, event, finished, later, reply, session, started, todo

LOG = [
    started(),
    todo(2),
    reply(3, "Ærø 日本 \n\0 " * 400),
    event(4, UnknownPayload(type="dreamt", stored_version=3, body='{"of":  1}')),
    finished(5),
    event(6, FinishRequested(), cycle=2),
    reply(7, "Ærø 日本 \n\0 " * 400),
]
LONG = 3 * PAGE_SIZE + 1
COPY = session("s2", "another key", later(9))


async def told(store: Store) -> None:
    await store.append(await begun(store), LOG[1:])


def of(name: str, events: Sequence[Event]) -> list[Event]:
    return [each.model_copy(update={"session_id": name}) for each in events]


async def everything(store: Store, name: str) -> tuple[object, ...]:
    return (
        await store.session(name),
        await store.events(name),
        await store.lease(name),
        await store.commands(name),
        await store.verify_chain(name),
    )


@pytest.mark.parametrize("upto", range(1, len(LOG) + 1))
async def test_a_copy_has_the_first_events_and_no_others(store: Store, upto: int) -> None:
    await told(store)
    await store.copy_session(COPY, "s1", upto, OWNER)
    copied = await store.events("s2")
    assert copied == of("s2", LOG[:upto])
    assert reduce(fold, copied, RunState()) == reduce(fold, LOG[:upto], RunState())
    assert await store.verify_chain("s2") == []


@pytest.mark.parametrize("upto", range(1, len(LOG) + 1))
async def test_a_copy_sums_up_its_own_events(store: Store, upto: int) -> None:
    """As a session does that was begun with them."""
    await told(store)
    await store.copy_session(COPY, "s1", upto, OWNER)
    await store.create_session(session("s3", "another key", later(9)), of("s3", LOG[:upto]))
    alike = (await store.session("s3")).model_copy(update={"id": "s2"})
    assert await store.session("s2") == alike
    assert (alike.task_key, alike.created_at) == ("another key", later(9))


async def test_the_origin_stays_as_it_is(store: Store) -> None:
    await told(store)
    await store.send("s1", Pause(), NOON)
    before = await everything(store, "s1")
    await store.copy_session(COPY, "s1", 4, OWNER)
    assert await everything(store, "s1") == before
    assert [found.id for found in await store.sessions()] == ["s2", "s1"]


async def test_a_copy_has_neither_the_lease_nor_the_inbox_of_its_origin(store: Store) -> None:
    await told(store)
    await store.send("s1", Pause(), NOON)
    await store.copy_session(COPY, "s1", 4, OWNER)
    assert await store.lease("s2") is None
    assert await store.commands("s2") == []
    assert (await store.send("s2", Pause(), NOON)).number == 1


async def test_both_go_on_alone(store: Store) -> None:
    await told(store)
    await store.copy_session(COPY, "s1", 3, OWNER)
    lease = await store.take_lease("s2", RIVAL, 0, later(60))
    assert lease is not None
    await store.append(lease, [todo(4, "s2")])
    own = await store.lease("s1")
    assert own is not None
    await store.append(own, [todo(8).model_copy(update={"cycle": 2})])
    assert await store.events("s2") == [*of("s2", LOG[:3]), todo(4, "s2")]
    assert [found.seq for found in await store.events("s1", after=6)] == [7, 8]
    assert await store.verify_chain("s1") == await store.verify_chain("s2") == []


@pytest.mark.parametrize("upto", [-1, 0, len(LOG) + 1])
async def test_a_copy_ends_at_an_event_of_its_origin(store: Store, upto: int) -> None:
    await told(store)
    with pytest.raises(UsageError, match=rf"'s1' has the events 1 to {len(LOG)}\b.* {upto};"):
        await store.copy_session(COPY, "s1", upto, OWNER)
    assert [found.id for found in await store.sessions()] == ["s1"]


@pytest.mark.parametrize("origin", ["s2", "", "S1", "'; DROP TABLE events; --"])
async def test_an_unknown_origin_is_an_error(store: Store, origin: str) -> None:
    await told(store)
    with pytest.raises(UnknownSession):
        await store.copy_session(COPY, origin, 1, OWNER)
    assert [found.id for found in await store.sessions()] == ["s1"]


@pytest.mark.parametrize("taken", [session(), session("s2")], ids=["its origin's", "another's"])
async def test_a_copy_takes_no_id_that_was_given(store: Store, taken: Session) -> None:
    await told(store)
    await store.create_session(session("s2"), [])
    with pytest.raises(UsageError, match=taken.id):
        await store.copy_session(taken, "s1", 2, OWNER)
    assert await store.events("s1") == LOG
    assert await store.events("s2") == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(1, len(LOG)), min_size=1, max_size=4))
async def test_a_copy_of_a_copy_is_a_copy(store: Store, cuts: list[int]) -> None:
    count = len(await store.sessions())
    origin = f"s{count}"
    await store.create_session(session(origin), of(origin, LOG))
    for place, upto in enumerate(sorted(cuts, reverse=True), count + 1):
        name = f"s{place}"
        await store.copy_session(session(name), origin, upto, OWNER)
        assert await store.events(name) == of(name, LOG[:upto])
        assert await store.verify_chain(name) == []
        origin = name


async def long_log(store: Store) -> Lease:
    """Write a log of several pieces; return its lease."""
    lease = await begun(store)
    await store.append(lease, [todo(seq) for seq in range(2, LONG + 1)])
    return lease


async def incomplete(store: Store) -> Sequence[Lease]:
    """Wait until a copy is under way; return its lease."""
    while not (left := await store.incomplete_copies()):  # noqa: ASYNC110 -- a store tells nobody what it does
        await asyncio.sleep(0)
    return left


async def test_others_append_while_a_long_log_is_copied_and_nobody_sees_it_before_it_is_whole(store: Store) -> None:
    lease = await long_log(store)
    copying = asyncio.create_task(store.copy_session(COPY, "s1", LONG, OWNER))
    appended, unseen = LONG, 0
    while not copying.done():
        appended += 1
        await store.append(lease, [todo(appended)])
        unseen += [each.id for each in await store.sessions()] == ["s1"]
        await asyncio.sleep(0)
    await copying
    assert unseen >= LONG // PAGE_SIZE
    assert await store.events("s2") == of("s2", await store.events("s1", limit=LONG))
    assert await store.verify_chain("s2") == await store.verify_chain("s1") == []
    assert await store.incomplete_copies() == []


async def test_a_copy_that_was_broken_off_is_erased_like_a_session(store: Store) -> None:
    await long_log(store)
    copying = asyncio.create_task(store.copy_session(COPY, "s1", LONG, RIVAL))
    left = await incomplete(store)
    copying.cancel()
    await asyncio.gather(copying, return_exceptions=True)
    assert [(lease.session_id, lease.owner) for lease in left] == [("s2", RIVAL)]
    with pytest.raises(UnknownSession):
        await store.session("s2")
    await store.erase_copy(left[0], NOON)
    assert await store.incomplete_copies() == []
    assert [each.session_id for each in await store.remains()] == ["s2"]
    await store.shred(NOON)
    assert await store.remains() == []
    assert await store.events("s1") == [started(), *(todo(seq) for seq in range(2, LONG + 1))]


async def test_a_copy_that_was_erased_is_not_gone_on_with(store: Store) -> None:
    await long_log(store)
    copying = asyncio.create_task(store.copy_session(COPY, "s1", LONG, RIVAL))
    left = await incomplete(store)
    await store.erase_copy(left[0], NOON)
    with pytest.raises(LeaseLost):
        await copying
    await store.shred(NOON)
    assert [each.id for each in await store.sessions()] == ["s1"]
