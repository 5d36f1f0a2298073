"""Replication: keeping copies of the log complete while sessions run, whatever happens to the targets.

What a copy has already it is asked itself, so nothing else has to be remembered: a copy, the log and this process can
each be lost and come back.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.contracts.event import Event
from quaestor.contracts.follower import (
    Follower,
    FollowerUnavailable,
    Replica,
    ReplicaPosition,
    ReplicaRow,
    event_to_row,
    row_to_event,
)
from quaestor.contracts.ports import Store
from quaestor.http.retry import backoff

POLL_SECONDS = 0.25
PAGE_SIZE = 100
"""Events read and copied at a time."""

_BASE_BACKOFF_SECONDS = 0.5
"""Seconds; then as `backoff` says, a minute at most."""

CATCH_UP_HINT = "copy the session there again to complete it"

Notify = Callable[[str], None]
SessionSelector = Callable[[], Awaitable[Sequence[str]]]
"""Gives the ids of the sessions that are to be copied."""


class Replicator:
    """The replication of the log to one copy."""

    def __init__(self, store: Store, follower: Follower) -> None:
        self.name = follower.name
        self.count = 0
        """Events copied so far."""
        self._store = store
        self._follower = follower
        self._copied: dict[str, ReplicaPosition] = {}

    async def catch_up(self, session_id: str) -> None:
        """Copy what the log of a session has and the copy has not.

        Raises FollowerUnavailable, and SetupError where the target refuses, or holds the copy of another log or of
        another history of this one.
        """
        try:
            known = self._copied.pop(session_id, None)  # requested again, should anything fail on the way
            at = await self._verified_position(session_id) if known is None else known
            while events := await self._store.events(session_id, at.seq, PAGE_SIZE):
                links = await self._store.links(session_id, at.seq, len(events))
                # The history may have been rewritten since the last page: nothing is appended to the copy of another
                # one.
                if at.hash not in {None, links[0].previous}:
                    raise self._other_history(session_id, at.seq)
                await self._follower.copy(
                    [event_to_row(event, link.hash) for event, link in zip(events, links, strict=True)]
                )
                self.count += len(events)
                at = ReplicaPosition(links[-1].seq, links[-1].hash)
        except FollowerUnavailable:
            self._copied.clear()
            raise
        self._copied[session_id] = at

    async def lagging_sessions(self) -> Sequence[str]:
        """Return the sessions of the log that may have events which the copy has not, the oldest first."""
        sessions = await self._store.sessions()
        return [each.id for each in reversed(sessions) if self._copied.get(each.id, _NOTHING).seq < each.events]

    async def _verified_position(self, session_id: str) -> ReplicaPosition:
        """Return how far a copy is, once it is known to be one of this log.

        The hash of an event covers all before it, so that of the last one is enough. Rows without a hash, of an older
        release, are compared one by one.
        """
        there = await self._follower.position(session_id)
        if not there.seq:
            return there
        here = await self._store.links(session_id, there.seq - 1, 1)
        if not here or there.hash not in {None, here[0].hash}:
            raise self._other_history(session_id, there.seq)
        if there.hash is None and isinstance(self._follower, Replica):
            await self._compare_rows(self._follower, session_id, there.seq)
        return ReplicaPosition(there.seq, here[0].hash)

    async def _compare_rows(self, replica: Replica, session_id: str, upto: int) -> None:
        for start in range(0, upto, PAGE_SIZE):
            size = min(PAGE_SIZE, upto - start)
            there = await replica.rows(session_id, start, size)
            here = await self._store.events(session_id, start, size)
            if len(there) != len(here) or not all(map(_is_copy, there, here)):
                raise self._other_history(session_id, start + size)

    def _other_history(self, session_id: str, seq: int) -> SetupError:
        return SetupError(
            f"what {self.name} has of session {session_id} is not a copy of this log: its event {seq} is another one, "
            "or one before it. It is left as it is; verify the session, then copy to another place"
        )


_NOTHING = ReplicaPosition(-1, None)


def _is_copy(row: ReplicaRow, event: Event) -> bool:
    """Return whether a row is that of an event, in the form of whichever release copied it."""
    try:
        return row.identity == event_to_row(event).identity and row_to_event(row).payload == event.payload
    except ValueError:
        return False


async def replicate_until(
    copying: Replicator, which: SessionSelector, stop: asyncio.Event, tell: Notify, *, patient: bool
) -> bool:
    """Copy new events until `stop` is set, and then the rest once more; return whether the copy is complete.

    A target that is down is reported once and tried again, ever more rarely; once `stop` is set only when `patient`.
    Raises SetupError where the target refuses.
    """
    failed = 0
    while True:
        last = stop.is_set()
        try:
            for session_id in await which():
                await copying.catch_up(session_id)
        except FollowerUnavailable as error:
            if not failed:
                tell(f"{error}; the copy catches up when it is back")
            failed += 1
            if stop.is_set() and not patient:
                return False
            await _wait(None if last else stop, backoff(copying.name, failed, _BASE_BACKOFF_SECONDS))
        else:
            if failed:
                tell(f"{copying.name} is back, and the copy is complete")
            failed = 0
            if last:
                return True
            await _wait(stop, POLL_SECONDS)


async def replicate_once(copying: Replicator, which: SessionSelector) -> None:
    """Copy what there is. Raises SetupError where the target is down or refuses."""
    try:
        for session_id in await which():
            await copying.catch_up(session_id)
    except FollowerUnavailable as error:
        raise SetupError(f"{error}; nothing is lost, try again when it is back") from error


@asynccontextmanager
async def replicate_during(
    store: Store, session_id: str, followers: Sequence[Follower], tell: Notify, grace_seconds: float
) -> AsyncIterator[None]:
    """Copy a session to every target while it runs; close the followers then.

    A failure of a copy is reported and affects nothing else. At the end a copy has `grace_seconds` to catch up, and
    none where its target is down or the session was broken off.
    """
    stop = asyncio.Event()
    tasks = [asyncio.create_task(_replicate_session(store, each, session_id, stop, tell)) for each in followers]
    grace = 0.0
    try:
        yield
        grace = grace_seconds
    finally:
        stop.set()
        if tasks:
            await asyncio.wait(tasks, timeout=grace)
        for follower, task in zip(followers, tasks, strict=True):
            task.cancel()
            [ended] = await asyncio.gather(task, return_exceptions=True)
            if ended is not True:
                tell(f"{_failure_reason(ended)}{follower.name} lacks the end of session {session_id}; {CATCH_UP_HINT}")


def only_session(session_id: str) -> SessionSelector:
    """Return what names this one session."""

    async def which() -> Sequence[str]:
        return (session_id,)

    return which


async def _replicate_session(
    store: Store, follower: Follower, session_id: str, stop: asyncio.Event, tell: Notify
) -> bool:
    try:
        return await replicate_until(Replicator(store, follower), only_session(session_id), stop, tell, patient=False)
    finally:
        await follower.close()


def _failure_reason(ended: bool | BaseException) -> str:
    """Return how a copy ended, where that is not known yet; a defect of a follower is reported like a refusal."""
    match ended:
        case QuaestorError():
            return f"{ended}. "
        case Exception():
            return f"{type(ended).__name__}: {ended}. "
        case _:
            return ""


async def _wait(stop: asyncio.Event | None, seconds: float) -> None:
    """Wait so long; no longer than until `stop` is set, where there is one."""
    if stop is None:
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
