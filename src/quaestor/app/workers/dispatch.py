"""Which sessions of a shared store a process runs: those that wait, and those of workers that died.

The store is asked once a second, at once where a place became free while more waited, and soon where it tells that a
session or a command came. Nothing depends on how often or how late that is: the lease of a session and its epoch decide
who appends, so that a session which two workers choose at once is run by one of them.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from hashlib import sha256
from typing import Protocol

from quaestor.app.shorthands import Quaestor
from quaestor.app.workers.worker import SessionWorker, WorkerLoad
from quaestor.contracts.errors import StoreUnavailable, UnknownSession
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.ports import Clock, Store
from quaestor.contracts.session import Lease, LeaseOwner
from quaestor.runtime.system import current_process, is_alive

POLL_SECONDS = 1.0
_SPREAD_SECONDS = 0.2
"""Workers that are told of the same session at once ask one after the other within this time."""
_PATIENCE_SECONDS = 60.0
_LONGEST_PAUSE = 300.0
_MOST_DUE = 1_000
"""Sessions among which those are looked for whose time has come."""


class SessionRunner(Protocol):
    """What runs sessions in the background of its process."""

    rested: asyncio.Event
    """Set when a session rests."""

    def carry(self, session_id: str, abandoned: LeaseOwner | None = None) -> None:
        """Run a session as soon as there is a place; `abandoned` is an owner that no longer prolongs its lease."""
        ...

    def carries(self, session_id: str) -> bool:
        """Return whether a session runs here, or waits for a place."""
        ...

    def load(self) -> WorkerLoad:
        """Return what there is to do now."""
        ...


class DispatchLimits(Immutable):
    """How many sessions run at once in a process, how many of one tenant anywhere, and how long leases are held.

    With `due_only` nothing is begun but what was paused until a time that has come, as by a server whose sessions a
    person may have stopped on purpose. The store is asked every `poll_seconds`, if it tells of nothing before.
    """

    places: int
    lease_seconds: float
    tenant_sessions: int | None = None
    due_only: bool = False
    poll_seconds: float = POLL_SECONDS


class _Attempts(Immutable):
    """How often a session was begun here in short succession, and when it may be begun again."""

    count: int
    due: float


class LeaseWatch:
    """The leases of all sessions, as they were seen: one that does not change for its lifetime is abandoned.

    Only the time that passes here counts, so that clocks of other machines may be wrong.
    """

    def __init__(self, lease_seconds: float) -> None:
        self._lease_seconds = lease_seconds
        self._seen: dict[str, tuple[Lease, float]] = {}

    def observe(self, held: Mapping[str, Lease], now: float) -> list[Lease]:
        """Note the leases that are held at a time in seconds; return those whose owners are dead or silent."""
        self._seen = {
            name: self._seen[name] if name in self._seen and self._seen[name][0] == lease else (lease, now)
            for name, lease in held.items()
        }
        return [
            lease
            for lease, since in self._seen.values()
            if now - since >= self._lease_seconds or is_alive(lease.owner) is False
        ]


class Dispatcher:
    """Gives a worker sessions to run, as many as it has places for."""

    def __init__(self, store: Store, clock: Clock, worker: SessionRunner, limits: DispatchLimits) -> None:
        self._store = store
        self._clock = clock
        self._worker = worker
        self._limits = limits
        self._watch = LeaseWatch(limits.lease_seconds)
        self._attempts: dict[str, _Attempts] = {}
        self._owner = current_process()
        self._more = False
        """More sessions were found than there were places for."""
        self._announcements = 0

    async def run(self, stop: asyncio.Event) -> None:
        """Look for sessions until `stop` is set; a store that cannot be reached is asked again."""
        announced = asyncio.Event()
        hearing = nullcontext() if self._limits.due_only else self._store.hearing_of_work(announced)
        async with hearing:
            while not stop.is_set():
                self._worker.rested.clear()
                announced.clear()
                with suppress(StoreUnavailable):
                    await self.dispatch(asyncio.get_running_loop().time())
                urgent = (stop, self._worker.rested) if self._more else (stop,)
                await wait_for_any(self._limits.poll_seconds, announced, *urgent)
                if announced.is_set():
                    self._announcements += 1
                    delay = _SPREAD_SECONDS * _share(f"{self._owner} {self._announcements}")
                    await wait_for_any(delay, *urgent)

    async def dispatch(self, now: float) -> None:
        """Begin what can be begun at a time in seconds."""
        held = {lease.session_id: lease for lease in await self._store.held_leases()}
        for lease in () if self._limits.due_only else self._watch.observe(held, now):
            if self._may_carry(lease.session_id, now) and await self._is_unfinished(lease.session_id):
                self._worker.carry(lease.session_id, lease.owner)
        self._more = self._free() <= 0
        if self._more:
            return
        workers = len({lease.owner for lease in held.values()} | {self._owner})
        resting = sum(now < each.due for each in self._attempts.values())  # which keep the others from no place
        limit = _MOST_DUE if self._limits.due_only else self._free() * workers + resting
        found = await self._store.runnable_sessions(limit, self._clock.now(), self._limits.tenant_sessions)
        if self._limits.due_only:
            found = [each for each in found if each.status and each.status.due_at]
        for session_id in choose_apart([each.id for each in found], str(self._owner)):
            if self._may_carry(session_id, now):
                self._worker.carry(session_id)
        self._more = len(found) == limit

    def _free(self) -> int:
        load = self._worker.load()
        return self._limits.places - load.running - load.queued

    async def _is_unfinished(self, session_id: str) -> bool:
        """Return whether there is something to carry on: the lease may be that of a copy which was cut off."""
        try:
            return (await self._store.session(session_id)).outcome is None
        except UnknownSession:
            return False

    def _may_carry(self, session_id: str, now: float) -> bool:
        return self._free() > 0 and not self._worker.carries(session_id) and self._may_begin(session_id, now)

    def _may_begin(self, session_id: str, now: float) -> bool:
        """Note an attempt, unless the last ones were just now: what ends at once is not begun again and again."""
        self._attempts = {name: each for name, each in self._attempts.items() if now < each.due + _PATIENCE_SECONDS}
        last = self._attempts.get(session_id)
        if last and now < last.due:
            return False
        count = last.count + 1 if last else 0
        pause = min(2.0**count, _LONGEST_PAUSE) if count else 0.0
        self._attempts[session_id] = _Attempts(count, now + pause)
        return True


def choose_apart(queue: Sequence[str], worker: str) -> list[str]:
    """Return the sessions that wait in the order in which one of several workers takes them.

    Each worker has an order of its own, by a hash, so that those who look at once do not all choose the same. The first
    of the queue is the first of everybody, so that none is left for ever.
    """
    return [*queue[:1], *sorted(queue[1:], key=lambda name: _share(f"{worker} {name}"))]


def _share(name: str) -> float:
    """Return a number from 0 to 1 that belongs to a name, evenly spread over names."""
    return int.from_bytes(sha256(name.encode()).digest()[:8]) / 2**64


@asynccontextmanager
async def waking_due(quaestor: Quaestor, worker: SessionWorker, places: int) -> AsyncIterator[None]:
    """Let a worker run sessions that were paused until a time, once it has come, while the body runs."""
    settings = quaestor.settings
    limits = DispatchLimits(places, settings.lease_seconds, settings.tenant_sessions, due_only=True)
    waking = asyncio.create_task(Dispatcher(quaestor.store, quaestor.clock, worker, limits).run(asyncio.Event()))
    try:
        yield
    finally:
        waking.cancel()
        await asyncio.gather(waking, return_exceptions=True)


async def wait_for_any(seconds: float, *events: asyncio.Event) -> None:
    """Wait until one of the events is set, or for so many seconds."""
    waits = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
