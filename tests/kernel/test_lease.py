import asyncio
import time
from datetime import timedelta

import pytest

from fakes.chores import OWNER, SESSION
from fakes.time import ManualClock
from quaestor.contracts.errors import LeaseUnavailable, StoreFull
from quaestor.contracts.session import LeaseOwner
from quaestor.kernel.lease import acquire_lease, hold_lease
from quaestor.storage.sqlite import SqliteStore

OTHER = LeaseOwner(host="there", pid=2, started="2")
TTL = timedelta(seconds=10)


@pytest.mark.parametrize("living", [True, None])
async def test_a_lease_of_a_living_or_unknown_owner_is_refused(
    store: SqliteStore, clock: ManualClock, living: bool | None
) -> None:
    await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=TTL, alive=lambda _: True)
    with pytest.raises(LeaseUnavailable, match=f"session {SESSION} is held by process 1 on here"):
        await acquire_lease(store, clock, SESSION, owner=OTHER, ttl=TTL, alive=lambda _: living)


async def test_a_process_is_refused_a_second_lease_of_its_own(store: SqliteStore, clock: ManualClock) -> None:
    await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=TTL, alive=lambda _: True)
    with pytest.raises(LeaseUnavailable):
        await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=TTL, alive=lambda _: True)


async def test_a_dead_owners_lease_may_be_taken_at_once(store: SqliteStore, clock: ManualClock) -> None:
    first = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=TTL, alive=lambda _: True)
    second = await acquire_lease(store, clock, SESSION, owner=OTHER, ttl=TTL, alive=lambda _: False)
    assert second.epoch == first.epoch + 1


async def test_an_expired_lease_may_be_taken(store: SqliteStore, clock: ManualClock) -> None:
    ttl = timedelta(seconds=0.2)
    await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    clock.advance(11)
    await acquire_lease(store, clock, SESSION, owner=OTHER, ttl=ttl, alive=lambda _: True)


async def test_a_lease_is_prolonged_while_it_is_held_and_then_given_back(
    store: SqliteStore, clock: ManualClock
) -> None:
    ttl = timedelta(seconds=0.03)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl):
        await asyncio.sleep(0.1)
        held = await store.lease(SESSION)
        assert held is not None
        assert held.expires_at > lease.expires_at
    await acquire_lease(store, clock, SESSION, owner=OTHER, ttl=TTL, alive=lambda _: True)


async def test_an_expired_lease_that_its_owner_prolongs_is_refused(store: SqliteStore, clock: ManualClock) -> None:
    """The clock that finds it expired is a day ahead; its owner is on another machine."""
    ttl = timedelta(seconds=0.3)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    ahead = ManualClock()
    ahead.advance(86_400)
    async with hold_lease(store, clock, lease, ttl):
        clock.advance(1)
        with pytest.raises(LeaseUnavailable, match="held by process 1 on here"):
            await acquire_lease(store, ahead, SESSION, owner=OTHER, ttl=ttl, alive=lambda _: None)


async def test_a_lease_is_prolonged_while_the_event_loop_is_busy(store: SqliteStore, clock: ManualClock) -> None:
    ttl = timedelta(seconds=0.03)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl):
        time.sleep(0.2)  # noqa: ASYNC251 -- a fold or a search that keeps the loop busy
        held = await store.lease(SESSION)
        assert held is not None
        assert held.expires_at > lease.expires_at


async def test_of_two_that_take_at_once_one_is_refused(store: SqliteStore, clock: ManualClock) -> None:
    taken = await asyncio.gather(
        *(acquire_lease(store, clock, SESSION, owner=owner, ttl=TTL, alive=lambda _: True) for owner in (OWNER, OTHER)),
        return_exceptions=True,
    )
    assert sorted(isinstance(one, LeaseUnavailable) for one in taken) == [False, True]


async def test_a_store_that_fails_once_does_not_end_the_prolonging(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    openers = iter([None, store.open_renewer])

    def open_renewer() -> object:
        opener = next(openers)
        if opener is None:
            raise StoreFull("the disk is full")
        return opener()

    monkeypatch.setattr(store, "open_renewer", open_renewer)
    ttl = timedelta(seconds=0.03)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl):
        await asyncio.sleep(0.2)
        held = await store.lease(SESSION)
    assert held is not None
    assert held.expires_at > lease.expires_at
