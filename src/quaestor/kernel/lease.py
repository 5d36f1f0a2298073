"""One writer a session: a lease with an epoch, held by one process and prolonged while it lives.

The epoch is what fences: every append compares it, so that a stale writer fails instead of corrupting. The time by
which a lease expires only tells others when they may take it, and decides nothing for the one who holds it.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from datetime import timedelta

from quaestor.contracts.errors import LeaseUnavailable, QuaestorError
from quaestor.contracts.ports import Clock, LeaseRenewer, Store
from quaestor.contracts.session import Lease, LeaseOwner

LivenessCheck = Callable[[LeaseOwner], bool | None]
"""Whether the process of an owner is alive: True, False, or None when it cannot be known from here."""

_BEATS = 3
"""How often a lease is prolonged in the time that it is given for."""


async def acquire_lease(
    store: Store, clock: Clock, session_id: str, *, owner: LeaseOwner, ttl: timedelta, alive: LivenessCheck
) -> Lease:
    """Take the lease of a session.

    A lease whose owner is known to be dead may be taken at once. One that has expired is watched for half of `ttl`
    first, as its owner's clock may differ from this one: whoever lives prolongs it meanwhile. Raises LeaseUnavailable
    when a living owner holds it, or when another process was faster.
    """
    held = await store.lease(session_id)
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


@asynccontextmanager
async def hold_lease(store: Store, clock: Clock, lease: Lease, ttl: timedelta) -> AsyncIterator[None]:
    """Prolong a lease while the body runs and give it back at the end.

    A thread prolongs it, so that a fold or a search that keeps the event loop busy costs no lease. When another
    process has taken the session the body goes on, and its next append raises LeaseLost: the store decides.
    """
    stop = threading.Event()
    beat = threading.Thread(target=_renew, args=(store, clock, lease, ttl, stop), name="lease", daemon=True)
    beat.start()
    try:
        yield
    finally:
        stop.set()
        await asyncio.to_thread(beat.join)
        await store.release_lease(lease)


def _renew(store: Store, clock: Clock, lease: Lease, ttl: timedelta, stop: threading.Event) -> None:
    """Prolong a lease until `stop` is set or another process has taken it; a store that fails is asked again."""
    beat = ttl.total_seconds() / _BEATS
    renewer: LeaseRenewer | None = None
    held = True
    while held and not stop.wait(beat):  # a run that is over by the first beat opens no second connection
        with suppress(QuaestorError):  # a full disk, or a store that is locked: the next beat may succeed
            renewer = renewer or store.open_renewer()
            held = renewer.renew(lease, clock.now() + ttl)
    if renewer:
        renewer.close()


def _unavailable(held: Lease) -> LeaseUnavailable:
    return LeaseUnavailable(
        f"session {held.session_id} is held by {held.owner} "
        f"until {held.expires_at:%H:%M:%S} UTC; follow its events, or end that process first"
    )
