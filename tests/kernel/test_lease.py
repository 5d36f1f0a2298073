import asyncio
import time
from datetime import datetime, timedelta

import pytest
from typing_extensions import override

from fakes.chores import OWNER, SESSION
from fakes.time import ManualClock
from quaestor.contracts.errors import LeaseUnavailable, StoreFull
from quaestor.contracts.ports import LeaseRenewer
from quaestor.contracts.session import Lease, LeaseOwner
from quaestor.kernel.lease import acquire_lease, hold_lease
from quaestor.storage.sqlite import SqliteStore

OTHER = LeaseOwner(host="there", pid=2, started="2")
TTL = timedelta(seconds=10)


class CountedClock(ManualClock):
    """Counts how often it was looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    @override
    def now(self) -> datetime:
        self.looks += 1
        return super().now()


async def prolonged(store: SqliteStore, lease: Lease) -> None:
    """Wait until a lease ends later than it did."""
    async with asyncio.timeout(300):
        while (held := await store.lease(SESSION)) is None or held.expires_at <= lease.expires_at:  # noqa: ASYNC110 -- a thread sets no event
            await asyncio.sleep(0.005)


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
        await prolonged(store, lease)
    await acquire_lease(store, clock, SESSION, owner=OTHER, ttl=TTL, alive=lambda _: True)


async def test_an_expired_lease_that_its_owner_prolongs_is_refused(store: SqliteStore, clock: ManualClock) -> None:
    """The clock that finds it expired is a day ahead; its owner is on another machine, and prolongs it meanwhile."""
    ttl = timedelta(seconds=0.03)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    ahead = ManualClock()
    ahead.advance(86_400)

    def prolong_unseen(_: LeaseOwner) -> None:
        assert store.open_renewer().renew(lease, clock.now() + ttl)

    with pytest.raises(LeaseUnavailable, match="held by process 1 on here"):
        await acquire_lease(store, ahead, SESSION, owner=OTHER, ttl=ttl, alive=prolong_unseen)


async def test_a_lease_is_prolonged_while_the_event_loop_is_busy(store: SqliteStore) -> None:
    ttl = timedelta(seconds=0.03)
    counted = CountedClock()
    lease = await acquire_lease(store, counted, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, counted, lease, ttl):
        # The thread looks at the clock before each renewal, so that its second look follows the first one.
        patience, enough = time.monotonic() + 300, counted.looks + 2
        while counted.looks < enough and time.monotonic() < patience:
            time.sleep(0.01)  # noqa: ASYNC251 -- a fold or a search that keeps the loop busy
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
        await prolonged(store, lease)
    assert next(openers, None) is None


class DefectiveRenewer:
    """A renewer of an exclusive store that raises at first what no store is expected to raise."""

    exclusive = True

    def __init__(self, renewer: LeaseRenewer, failures: int = 1) -> None:
        self.closed = False
        self._renewer = renewer
        self._failures = iter([MemoryError("no memory")] * failures)

    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        if failure := next(self._failures, None):
            raise failure
        return self._renewer.renew(lease, expires_at)

    def close(self) -> None:
        self.closed = True
        self._renewer.close()


async def test_an_error_that_no_store_foresees_does_not_end_the_prolonging(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewer = DefectiveRenewer(store.open_renewer())
    monkeypatch.setattr(store, "open_renewer", lambda: renewer)
    ttl = timedelta(seconds=0.03)
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl):
        await prolonged(store, lease)
    assert renewer.closed


async def test_an_error_that_stays_is_raised_once_the_effects_were_stopped(
    store: SqliteStore, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewer = DefectiveRenewer(store.open_renewer(), failures=10_000)
    monkeypatch.setattr(store, "open_renewer", lambda: renewer)
    ttl, stopped, halt = timedelta(seconds=0.03), asyncio.Event(), asyncio.get_running_loop().create_future()
    lease = await acquire_lease(store, clock, SESSION, owner=OWNER, ttl=ttl, alive=lambda _: True)
    async with hold_lease(store, clock, lease, ttl) as renewal:
        renewal.stop_effects_by(stopped.set)
        clock.advance(ttl.total_seconds())
        await stopped.wait()
        with pytest.raises(MemoryError, match="no memory"):
            await renewal.regain(halt)
