"""Sessions without work: whoever is woken takes the lease, notes the begin in a file, waits, and ends the session."""

import asyncio
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from quaestor.contracts.command import Answer
from quaestor.contracts.errors import LeaseLost, LeaseUnavailable
from quaestor.contracts.event import Event, SessionFinished, SessionStarted
from quaestor.contracts.ports import Store
from quaestor.contracts.session import LeaseOwner, LogStatus, Session
from quaestor.kernel.lease import acquire_lease, hold_lease
from quaestor.runtime.system import SystemClock, current_process, is_alive

LEASE_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Begin:
    """A session that a process began, and the epoch of its lease."""

    at: float
    process: int
    session_id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class Carrying:
    """What a worker does with a session; `machine` is the name of the machine that it plays."""

    store: Store
    begins: Path
    seconds: float
    machine: str

    async def carry(self, session_id: str, abandoned: LeaseOwner | None = None) -> bool:
        """Run a session to its end; return whether it rests, and False where another machine holds it."""
        clock, ttl = SystemClock(), timedelta(seconds=LEASE_SECONDS)
        owner = current_process().revised(host=self.machine)

        def is_living(held: LeaseOwner) -> bool | None:
            return False if held == abandoned else is_alive(held)

        if (await self.store.session(session_id)).outcome:
            return True
        try:
            lease = await acquire_lease(self.store, clock, session_id, owner=owner, ttl=ttl, alive=is_living)
        except LeaseUnavailable:
            return False
        async with hold_lease(self.store, clock, lease, ttl):
            session = await self.store.session(session_id)
            if session.outcome:
                return True
            with self.begins.open("a") as file:
                file.write(f"{time.time()} {owner.pid} {session_id} {lease.epoch}\n")
            await asyncio.sleep(self.seconds)
            end = _event(session_id, session.events + 1, SessionFinished(outcome="done", statement="Done."))
            try:
                await self.store.append(lease, [end], (), LogStatus(state="finished", progress=""))
            except LeaseLost:
                return False
        return True


def read_begins(file: Path) -> list[Begin]:
    """Return what was begun until now, in order."""
    lines = [line.split() for line in file.read_text().splitlines()] if file.exists() else []
    return [Begin(float(at), int(process), name, int(epoch)) for at, process, name, epoch in lines]


async def create(store: Store, names: Iterable[str], state: str, tenant: str = "local") -> None:
    """Create sessions that wait for a person, or that are to be run."""
    status = LogStatus.model_validate({"state": state, "progress": ""})
    for name in names:
        at = datetime.now(UTC)
        started = SessionStarted(question="Who?", workflow="research", task_key=name, options={})
        session = Session(id=name, task_key=name, workflow="research", question="Who?", tenant=tenant, created_at=at)
        await store.create_session(session.revised(status=status), [_event(name, 1, started)])


async def answer(store: Store, session_id: str) -> None:
    """Put a command into the inbox of a session."""
    await store.send(session_id, Answer(text="yes"), datetime.now(UTC))


def count_begins(begins: Iterable[Begin]) -> Mapping[str, int]:
    """Return how often each session was begun."""
    counts: dict[str, int] = {}
    for each in begins:
        counts[each.session_id] = counts.get(each.session_id, 0) + 1
    return counts


def _event(name: str, seq: int, payload: SessionStarted | SessionFinished) -> Event:
    at = datetime.now(UTC)
    return Event(session_id=name, seq=seq, cycle=1, at=at, state="DONE", payload=payload)
