"""A run whose lease cannot be renewed: it stops what is in flight in time, and goes on when nobody took it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from fakes.chores import OWNER, SESSION, Broom, Chores, Once, begin, facts, limits, of, performer
from fakes.time import ManualClock
from fakes.unreachable import UnreachableStore
from quaestor.contracts.codec import CORE_CODEC
from quaestor.contracts.errors import LeaseLost
from quaestor.contracts.event import Paused, Resumed, SessionFinished, ToolInterrupted
from quaestor.contracts.session import LeaseOwner
from quaestor.kernel.drive import drive
from quaestor.kernel.journal import Journal
from quaestor.kernel.lease import acquire_lease, hold_lease
from quaestor.kernel.run_state import RunState

TTL = timedelta(seconds=0.24)
OTHER = LeaseOwner(host="there", pid=2, started="2")
CHAIN = {"a": (), "b": ("a",)}


@pytest.fixture
async def store(clock: ManualClock) -> AsyncIterator[UnreachableStore]:
    store = UnreachableStore()
    await begin(store, clock)
    yield store
    await store.close()


@asynccontextmanager
async def running(
    store: UnreachableStore, clock: ManualClock, chores: Chores, broom: Broom, ttl: timedelta = TTL
) -> AsyncIterator[asyncio.Task[RunState]]:
    """Drive the session with a lease that is renewed, from the moment that its first effect has begun."""
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl) as renewal:
        journal = Journal(SESSION, chores, store, clock, lease, codec=CORE_CODEC, renewal=renewal)
        await journal.load()
        run = asyncio.create_task(drive(journal, performer(broom, clock, seconds=3600), limits(), asyncio.Event()))
        await broom.begun.wait()
        yield run


async def until(holds: Callable[[], object]) -> None:
    while not holds():  # noqa: ASYNC110 -- what a thread or a fake does sets no event
        await asyncio.sleep(0.005)


async def test_effects_are_stopped_before_the_lease_ends_and_done_again_when_the_store_is_back(
    store: UnreachableStore, clock: ManualClock
) -> None:
    seconds = {"a": 30.0}
    broom = Broom(seconds)
    async with running(store, clock, Chores(CHAIN), broom) as run:
        store.away = True
        held = await store.lease(SESSION)
        assert held is not None
        await until(store.refused.is_set)  # else the clock, which every look moves, might reach the end before
        clock.advance((held.expires_at - clock.now()).total_seconds() - 0.03)
        await until(lambda: broom.cancelled)
        assert clock.now() < held.expires_at
        assert broom.cancelled == ["a"]
        del seconds["a"]
        store.away = False
        assert (await run).status == "finished"
        held_again = await store.lease(SESSION)
        assert held_again is not None
        assert held_again.epoch == held.epoch
    log = await facts(store)
    assert broom.used == ["a", "a", "b"]
    assert [pause.kind for pause in of(Paused, log)] == ["interrupt"]
    assert of(Resumed, log) == [Resumed(after="pause", reopened=("a",))]


async def test_what_must_not_run_twice_is_interrupted(store: UnreachableStore, clock: ManualClock) -> None:
    broom = Once({"a": 30})
    async with running(store, clock, Chores(CHAIN), broom) as run:
        store.away = True
        clock.advance(1)
        await until(lambda: broom.cancelled)
        store.away = False
        await run
    assert of(ToolInterrupted, await facts(store)) == [ToolInterrupted(key="a", tool="broom")]
    assert broom.used == ["a", "b"]


async def test_what_ended_while_the_store_was_away_is_neither_lost_nor_done_again(
    store: UnreachableStore, clock: ManualClock
) -> None:
    store.appends_fail = True
    broom = Broom({"a": 0.15})
    async with running(store, clock, Chores(CHAIN), broom) as run:
        store.away = True
        store.appends.clear()
        await store.delayed.wait()  # with the end of a
        for _ in range(2):  # of the first renewal that fails the run may not know yet
            store.refused.clear()
            await until(store.refused.is_set)
        store.appends.set()
        await asyncio.sleep(0.05)
        assert not run.done()
        store.away = False
        await run
    assert broom.used == ["a", "b"]
    assert len(of(SessionFinished, await facts(store))) == 1


async def test_effects_are_stopped_also_while_an_append_waits_for_the_store(
    store: UnreachableStore, clock: ManualClock
) -> None:
    seconds = {"a": 30.0, "b": 0.02}
    broom = Broom(seconds)
    async with running(store, clock, Chores({"a": (), "b": ()}), broom) as run:
        store.away = True
        store.appends.clear()
        await store.delayed.wait()  # with the end of b
        clock.advance(1)
        await until(lambda: broom.cancelled)
        assert broom.cancelled == ["a"]
        store.away = False
        del seconds["a"]
        store.appends.set()
        await run
    assert broom.used == ["a", "b", "a"]


async def test_a_run_whose_session_was_taken_stops_at_once(store: UnreachableStore, clock: ManualClock) -> None:
    broom = Broom({"a": 30})
    async with running(store, clock, Chores(CHAIN), broom) as run:
        await store.take_lease(SESSION, OTHER, 1, clock.now() + TTL)
        with pytest.raises(LeaseLost):
            await run
        assert broom.cancelled == ["a"]


async def test_a_process_that_was_suspended_and_can_renew_stops_nothing(
    store: UnreachableStore, clock: ManualClock
) -> None:
    # A renewal has half a second before it counts as one without an answer, and one falls into the time of the effect.
    broom = Broom({"a": 2.6})
    async with running(store, clock, Chores(CHAIN), broom, timedelta(seconds=6)) as run:
        clock.advance(3600)
        assert (await run).status == "finished"
    assert broom.used == ["a", "b"]


@pytest.mark.parametrize("is_file", [False, True])
async def test_a_renewal_without_an_answer_stops_effects_unless_it_keeps_others_out_too(
    store: UnreachableStore, clock: ManualClock, *, is_file: bool
) -> None:
    store.is_file = is_file
    seconds = {"a": 0.5 if is_file else 30}
    broom = Broom(seconds)
    async with running(store, clock, Chores(CHAIN), broom) as run:
        await until(store.renewed.is_set)
        store.answers.clear()
        clock.advance(1)
        if is_file:
            await asyncio.wait([run], timeout=0.35)
        else:
            await until(lambda: broom.cancelled or run.done())
            del seconds["a"]
        store.answers.set()
        await run
    assert bool(broom.cancelled) is not is_file
