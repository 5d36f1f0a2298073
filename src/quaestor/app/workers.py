"""Who runs which sessions of a store, and what waits to be run."""

from collections.abc import Sequence
from datetime import datetime

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract

_MOST = 10_000


class Carrier(Contract):
    """A process that runs sessions."""

    process: str
    sessions: tuple[str, ...]
    until: datetime
    """When the first of its leases expires, unless it is prolonged."""


class Workload(Contract):
    """The processes that run sessions, and the sessions that wait for one."""

    carriers: tuple[Carrier, ...]
    waiting: int
    oldest: datetime | None
    """When the last event of a session was that has waited longest."""


async def show_workload(quaestor: Quaestor) -> Workload:
    """Return who runs sessions of any tenant now, and what waits; at most 10,000 that wait are counted."""
    owners: dict[str, list[tuple[str, datetime]]] = {}
    for lease in await quaestor.store.held_leases():
        owners.setdefault(str(lease.owner), []).append((lease.session_id, lease.expires_at))
    waiting = await quaestor.store.runnable_sessions(_MOST)
    return Workload(
        carriers=tuple(_carrier(name, held) for name, held in sorted(owners.items())),
        waiting=len(waiting),
        oldest=min((each.last_at or each.created_at for each in waiting), default=None),
    )


def _carrier(name: str, held: Sequence[tuple[str, datetime]]) -> Carrier:
    sessions, ends = zip(*sorted(held), strict=True)
    return Carrier(process=name, sessions=sessions, until=min(ends))
