"""Who runs which sessions of a store, what waits to be run, and how a machine is emptied."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal

from pydantic import Field

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import LeaseOwner
from quaestor.contracts.workers import REPORT_SECONDS, WorkerRecord
from quaestor.runtime.system import current_process, is_alive

_MOST = 10_000
_SILENT_AFTER = timedelta(seconds=6 * REPORT_SECONDS)
_SECONDS_AN_HOUR = 3_600


class Carrier(Contract):
    """A process that runs sessions."""

    process: str
    state: Literal["running", "draining", "silent"] = Field(
        description="`draining` begins nothing more and ends; `silent` has not reported itself for half a minute."
    )
    sessions: tuple[str, ...]
    until: datetime | None = Field(description="When the first of its leases expires, unless it is prolonged.")
    since: datetime | None = Field(description="When it began; None for one that is no worker, as a server.")
    places: int | None = Field(default=None, description="Sessions that it runs at once.")
    carried: int = Field(default=0, description="Sessions that it ran until they rested.")
    hourly: float = Field(default=0, description="Of these, in an hour since it began.")


class Workload(Contract):
    """The processes that run sessions, and the sessions that wait for one."""

    carriers: tuple[Carrier, ...]
    waiting: int
    oldest: datetime | None
    """When the last event of a session was that has waited longest."""


async def show_workload(quaestor: Quaestor) -> Workload:
    """Return who runs sessions of any tenant now, and what waits; at most 10,000 that wait are counted."""
    queue = await read_queue(quaestor)  # first: what a worker takes meanwhile is counted twice, and not left out
    held: dict[LeaseOwner, list[tuple[str, datetime]]] = {}
    for lease in await quaestor.store.held_leases():
        held.setdefault(lease.owner, []).append((lease.session_id, lease.expires_at))
    reported = {each.owner: each for each in await quaestor.workers.workers() if is_alive(each.owner) is not False}
    now = quaestor.clock.now()
    carriers = [
        _describe(owner, held.get(owner, ()), reported.get(owner), now) for owner in dict.fromkeys((*held, *reported))
    ]
    return Workload(
        carriers=tuple(sorted(carriers, key=lambda each: each.process)),
        waiting=queue.waiting,
        oldest=queue.oldest,
    )


class Queue(Contract):
    """The sessions that wait for a worker."""

    waiting: int
    oldest: datetime | None


async def read_queue(quaestor: Quaestor) -> Queue:
    """Return what waits for a worker, of any tenant; at most 10,000 sessions are counted."""
    waiting = await quaestor.store.runnable_sessions(_MOST, quaestor.clock.now())
    return Queue(waiting=len(waiting), oldest=min((each.last_at or each.created_at for each in waiting), default=None))


async def drain_workers(quaestor: Quaestor, process: str | None = None) -> Sequence[str]:
    """Note that workers are to drain: those of this machine, or the one of a name; return their names.

    Raises UsageError for a name that no worker has.
    """
    found = {str(each.owner): each.owner for each in await quaestor.workers.workers()}
    if process is not None and process not in found:
        known = ", ".join(found) or "none"
        raise UsageError(f"there is no worker {process!r}; there are: {known}")
    chosen = _of_this_machine(found) if process is None else {process: found[process]}
    for owner in chosen.values():
        await quaestor.workers.drain_worker(owner)
    return tuple(chosen)


async def wait_until_empty(quaestor: Quaestor, processes: Sequence[str]) -> None:
    """Wait until workers have ended, whether by themselves or not; those that died here are removed."""
    while True:
        left = [each.owner for each in await quaestor.workers.workers() if str(each.owner) in processes]
        for owner in left:
            if is_alive(owner) is False:
                await quaestor.workers.remove_worker(owner)
        if not left:
            return
        await asyncio.sleep(0.5)


def _of_this_machine(found: Mapping[str, LeaseOwner]) -> Mapping[str, LeaseOwner]:
    host = current_process().host
    return {name: owner for name, owner in found.items() if owner.host == host}


def _describe(
    owner: LeaseOwner, held: Sequence[tuple[str, datetime]], reported: WorkerRecord | None, now: datetime
) -> Carrier:
    hours = (now - reported.since).total_seconds() / _SECONDS_AN_HOUR if reported else 0.0
    return Carrier(
        process=str(owner),
        state=_state(reported, now),
        sessions=tuple(sorted(name for name, _ in held)),
        until=min((until for _, until in held), default=None),
        since=reported.since if reported else None,
        places=reported.places if reported else None,
        carried=reported.carried if reported else 0,
        hourly=round(reported.carried / hours, 1) if reported and hours > 0 else 0.0,
    )


def _state(reported: WorkerRecord | None, now: datetime) -> Literal["running", "draining", "silent"]:
    if reported and now - reported.seen_at > _SILENT_AFTER:
        return "silent"
    return "draining" if reported and reported.drains else "running"
