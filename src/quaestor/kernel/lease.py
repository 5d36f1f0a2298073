"""One writer a session: a lease with an epoch, held by one process and prolonged while it lives.

The epoch is what fences: every append compares it, so that a stale writer fails instead of corrupting. The time by
which a lease expires only tells others when they may take it. An append needs no more than the epoch, but an effect
reaches what no epoch protects: so effects are stopped before a lease ends that cannot be renewed.
"""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Literal

from quaestor.contracts.errors import LeaseLost, LeaseUnavailable, QuaestorError
from quaestor.contracts.ports import Clock, LeaseRenewer, Store
from quaestor.contracts.session import Lease, LeaseOwner

LivenessCheck = Callable[[LeaseOwner], bool | None]
"""Whether the process of an owner is alive: True, False, or None when it cannot be known from here."""

_BEATS = 3
"""How often a lease is prolonged in the time that it is given for."""
_CHECKS = 12
"""How often in that time it is checked; what cannot be renewed is stopped two checks before the lease ends."""


async def acquire_lease(
    store: Store, clock: Clock, session_id: str, *, owner: LeaseOwner, ttl: timedelta, alive: LivenessCheck
) -> Lease:
    """Take the lease of a session.

    A lease whose owner is known to be dead may be taken at once. One that has expired is watched for half of `ttl`
    first, as its owner's clock may differ from this one: whoever lives prolongs it meanwhile. Raises LeaseUnavailable
    when a living owner holds it, or when another process was faster.
    """
    held = await store.lease(session_id)
    # A process that is known to be dead writes no more. Of any other, the clock of this machine alone says that its
    # lease has expired, and that clock may be wrong: what counts is whether the lease is prolonged in plain sight.
    if held and not held.is_released and alive(held.owner) is not False:
        if held.expires_at > clock.now():
            raise _unavailable(held)
        await asyncio.sleep(ttl.total_seconds() / 2)
        seen = await store.lease(session_id)
        if seen is not None and seen != held and not seen.is_released:
            raise _unavailable(seen)
    epoch = held.epoch if held else 0
    lease = await store.take_lease(session_id, owner, epoch, clock.now() + ttl)
    if lease is None:
        raise LeaseUnavailable(f"session {session_id}: another process took the lease first; try again in a moment")
    return lease


class LeaseRenewal:
    """The renewals of one lease, and whether effects may rely on it; made in the thread that renews.

    A lease is in doubt when the last renewal failed, or has had no answer for a while from a store that others may
    reach meanwhile. A process that was suspended is late without a doubt: it renews first, and mostly nobody took it.
    """

    def __init__(self, store: Store, clock: Clock, lease: Lease, ttl: timedelta) -> None:
        self.stopped = False
        """Whether the effects that relied on the lease were stopped; `regain` ends that."""
        self._store = store
        self._clock = clock
        self._lease = lease
        self._ttl = ttl
        self._patience = ttl.total_seconds() / _CHECKS
        self._expires_at: datetime = lease.expires_at
        self._asked_at: float | None = None
        self._failed = False
        self._defect: Exception | None = None
        self._taken = False
        self._exclusive = False
        self._stop: Callable[[], None] | None = None

    def stop_effects_by(self, stop: Callable[[], None]) -> None:
        """Call `stop`, on the event loop, whenever the lease cannot be relied on any longer."""
        self._stop = stop

    @property
    def in_doubt(self) -> bool:
        """Whether the lease was taken, or it is not known that it can be renewed."""
        asked_at = self._asked_at
        hangs = asked_at is not None and time.monotonic() - asked_at > self._patience and not self._exclusive
        return self._taken or self._failed or hangs

    async def watch(self) -> None:
        """Stop the effects as soon as the lease is taken, or is in doubt and about to end; until cancelled."""
        margin = 2 * self._ttl / _CHECKS
        while True:
            await asyncio.sleep(self._patience)
            late = self._clock.now() >= self._expires_at - margin
            # Too late is harmless for the log, whose appends compare the epoch, and not for what an effect reaches
            # outside.
            if self._stop and not self.stopped and (self._taken or (late and self.in_doubt)):
                self.stopped = True
                self._stop()

    async def regain(self, halt: asyncio.Future[Literal[True]]) -> None:
        """Wait until the lease is renewed, or until `halt` is done.

        Raises LeaseLost when another process took it, and what no store is known to raise where that is in the way.
        """
        while self.in_doubt and not self._taken and not halt.done():
            if self._defect:
                raise self._defect
            await asyncio.wait([halt], timeout=self._patience)
        if self._taken:
            raise LeaseLost(
                f"session {self._lease.session_id}: another process took it while this one could not renew its lease "
                f"of epoch {self._lease.epoch}, so this one must stop"
            )
        self.stopped = False

    def renew_until(self, end: threading.Event) -> None:
        """Renew the lease until `end` is set or it is taken; a store that fails is asked again. Runs in a thread."""
        beat = self._ttl.total_seconds() / _BEATS
        renewer: LeaseRenewer | None = None
        while not self._taken and not end.wait(beat):  # a run that is over by the first beat opens no connection
            self._asked_at = time.monotonic()
            # Counted from before the answer: the store may have stored it long before it was heard.
            expires_at = self._clock.now() + self._ttl
            try:
                renewer = renewer or self._store.open_renewer()
                self._exclusive = renewer.exclusive
                self._taken = not renewer.renew(self._lease, expires_at)
            except QuaestorError:  # a full disk, a store that is locked, a network: the next beat may succeed
                self._failed = True
            except Exception as defect:  # noqa: BLE001 -- a thread that ended would stop no effect; `regain` raises it
                self._failed, self._defect = True, defect
            else:
                self._expires_at, self._failed, self._defect = expires_at, False, None
            self._asked_at = None
        if renewer:
            renewer.close()


@asynccontextmanager
async def hold_lease(store: Store, clock: Clock, lease: Lease, ttl: timedelta) -> AsyncIterator[LeaseRenewal]:
    """Prolong a lease while the body runs and give it back at the end.

    A thread prolongs it, so that a fold or a search that keeps the event loop busy costs no lease. The event loop
    watches that thread, because one that waits for a network cannot stop anything.
    """
    renewal, end = LeaseRenewal(store, clock, lease, ttl), threading.Event()
    beat = threading.Thread(target=renewal.renew_until, args=(end,), name="lease", daemon=True)
    watch = asyncio.create_task(renewal.watch())
    beat.start()
    try:
        yield renewal
    finally:
        # The thread ends before the lease is released: a renewal behind the release would be of a lease that others may
        # take, and `renew_lease` refuses it, but only after another wait for a store that may be away.
        watch.cancel()
        end.set()
        await asyncio.to_thread(beat.join)
        await store.release_lease(lease)


def _unavailable(held: Lease) -> LeaseUnavailable:
    return LeaseUnavailable(
        f"session {held.session_id} is held by {held.owner} "
        f"until {held.expires_at:%H:%M:%S} UTC; follow its events, or end that process first"
    )
