"""One writer a session: a lease with an epoch, held by one process and prolonged while it lives."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta

from quaestor.contracts.errors import LeaseUnavailable
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.session import Lease, LeaseOwner

LivenessCheck = Callable[[LeaseOwner], bool | None]
"""Whether the process of an owner lives: True, False, or None when it cannot be known from here."""


async def acquire_lease(
    store: Store, clock: Clock, session_id: str, *, owner: LeaseOwner, ttl: timedelta, alive: LivenessCheck
) -> Lease:
    """Take the lease of a session.

    A lease that has expired may be taken, and so may one whose owner is known to be dead. Raises LeaseRefused
    when a living owner holds it, or when somebody else was faster.
    """
    held = await store.lease(session_id)
    now = clock.now()
    if held and held.expires_at > now and alive(held.owner) is not False:
        raise _unavailable(held)
    epoch = held.epoch if held else 0
    lease = await store.take_lease(session_id, owner, epoch, now + ttl)
    if lease is None:
        raise LeaseUnavailable(f"session {session_id}: another process took the lease first; try again in a moment")
    return lease


@asynccontextmanager
async def hold_lease(store: Store, clock: Clock, lease: Lease, ttl: timedelta) -> AsyncIterator[None]:
    """Prolong a lease while the body runs and give it back at the end.

    When renewing fails the body continues, and its next append raises LeaseLost: the store decides.
    """
    renewal = asyncio.create_task(_renew(store, clock, lease, ttl))
    try:
        yield
    finally:
        renewal.cancel()
        await asyncio.gather(renewal, return_exceptions=True)
        await store.release_lease(lease)


async def _renew(store: Store, clock: Clock, lease: Lease, ttl: timedelta) -> None:
    held: Lease | None = lease
    while held:
        await asyncio.sleep(ttl.total_seconds() / 3)
        now = clock.now()
        held = await store.renew_lease(held, now, now + ttl)


def _unavailable(held: Lease) -> LeaseUnavailable:
    return LeaseUnavailable(
        f"session {held.session_id} is held by process {held.owner.pid} on {held.owner.host} "
        f"until {held.expires_at:%H:%M:%S} UTC; follow its events, or end that process first"
    )
