"""What makes a process a worker of a shared store: it looks for sessions to run, and takes over those of dead workers.

The store is asked once a second. Nothing depends on how often or how late that is: the lease of a session and its epoch
decide who appends, so that a session which two workers choose at once is run by one of them.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass

from quaestor.app.shorthands import Quaestor
from quaestor.app.worker import SessionWorker
from quaestor.contracts.errors import StoreUnavailable, UnknownSession
from quaestor.contracts.session import Lease
from quaestor.runtime.system import is_alive

POLL_SECONDS = 1.0
_PATIENCE_SECONDS = 60.0
_LONGEST_PAUSE = 300.0


@dataclass(frozen=True, slots=True)
class _Attempts:
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

    def __init__(self, quaestor: Quaestor, worker: SessionWorker, places: int) -> None:
        self._quaestor = quaestor
        self._worker = worker
        self._places = places
        self._watch = LeaseWatch(quaestor.settings.lease_seconds)
        self._attempts: dict[str, _Attempts] = {}

    async def run(self, stop: asyncio.Event) -> None:
        """Look for sessions until `stop` is set; a store that cannot be reached is asked again."""
        while not stop.is_set():
            with suppress(StoreUnavailable):
                await self.dispatch(asyncio.get_running_loop().time())
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), POLL_SECONDS)

    async def dispatch(self, now: float) -> None:
        """Begin what can be begun at a time in seconds."""
        held = {lease.session_id: lease for lease in await self._quaestor.store.held_leases()}
        for lease in self._watch.observe(held, now):
            if self._may_carry(lease.session_id, now) and await self._exists(lease.session_id):
                self._worker.carry(lease.session_id, lease.owner)
        if self._free() > 0:
            for session in await self._quaestor.store.runnable_sessions(self._places):
                if self._may_carry(session.id, now):
                    self._worker.carry(session.id)

    def _free(self) -> int:
        load = self._worker.load()
        return self._places - load.running - load.queued

    async def _exists(self, session_id: str) -> bool:
        """Return whether there is a session yet: the lease may be that of a copy which was cut off."""
        try:
            return (await self._quaestor.store.session(session_id)).outcome is None
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
