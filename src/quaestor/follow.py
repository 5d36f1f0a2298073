"""Keeping copies of the log complete, while sessions go on and whatever becomes of the targets.

What a copy has already it is asked itself, so nothing else has to be remembered: a copy, the log and this process can
each be lost and come back.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.contracts.follower import Follower, TargetDown, copied
from quaestor.contracts.ports import Store
from quaestor.patience import backoff

POLL_SECONDS = 0.25
PAGE = 100
"""Events read and copied at a time."""

_FIRST_WAIT = 0.5
"""Seconds; then as `backoff` says, a minute at most."""

ADVICE = "`quaestor follow` completes it"

Tell = Callable[[str], None]
Which = Callable[[], Awaitable[Sequence[str]]]
"""Gives the ids of the sessions that are to be copied."""


class Copying:
    """Brings one copy up to where the log is."""

    def __init__(self, store: Store, follower: Follower) -> None:
        self.name = follower.name
        self.count = 0
        """Events copied so far."""
        self._store = store
        self._follower = follower
        self._upto: dict[str, int] = {}

    async def catch_up(self, session_id: str) -> None:
        """Copy what the log of a session has and the copy has not.

        Raises TargetDown, and SetupError where the target refuses or holds the copy of another log.
        """
        try:
            upto = self._upto.pop(session_id, None)  # asked anew, should anything fail on the way
            at = await self._position(session_id) if upto is None else upto
            while events := await self._store.events(session_id, at, PAGE):
                await self._follower.copy([copied(event) for event in events])
                self.count += len(events)
                at = events[-1].seq
        except TargetDown:
            self._upto.clear()
            raise
        self._upto[session_id] = at

    async def behind(self) -> Sequence[str]:
        """Give the sessions of the log that may have events which the copy has not, the oldest first."""
        sessions = await self._store.sessions()
        return [each.id for each in reversed(sessions) if self._upto.get(each.id, -1) < each.events]

    async def _position(self, session_id: str) -> int:
        """Ask the copy how far it is, and see that its last event is the one in the log."""
        upto = await self._follower.position(session_id)
        if upto:
            there = await self._follower.rows(session_id, upto - 1, 1)
            here = await self._store.events(session_id, upto - 1, 1)
            if [row.head for row in there] != [copied(event).head for event in here]:
                raise SetupError(
                    f"what {self.name} has of session {session_id} is not a copy of this log: its event {upto} is "
                    "another one. It is left as it is; copy to another place"
                )
        return upto


async def keep_up(copying: Copying, which: Which, stop: asyncio.Event, tell: Tell, *, patient: bool) -> bool:
    """Copy what comes until `stop` is set, and then once more what there is; say whether the copy is complete.

    A target that is down is told of once and tried again, ever more rarely; once `stop` is set only when `patient`.
    Raises SetupError where the target refuses.
    """
    failed = 0
    while True:
        last = stop.is_set()
        try:
            for session_id in await which():
                await copying.catch_up(session_id)
        except TargetDown as error:
            if not failed:
                tell(f"{error}; the copy catches up when it is back")
            failed += 1
            if stop.is_set() and not patient:
                return False
            await _pause(None if last else stop, backoff(copying.name, failed, _FIRST_WAIT))
        else:
            if failed:
                tell(f"{copying.name} is back, and the copy is complete")
            failed = 0
            if last:
                return True
            await _pause(stop, POLL_SECONDS)


async def complete(copying: Copying, which: Which) -> None:
    """Copy what there is. Raises SetupError where the target is down or refuses."""
    try:
        for session_id in await which():
            await copying.catch_up(session_id)
    except TargetDown as error:
        raise SetupError(f"{error}; nothing is lost, try again when it is back") from error


@asynccontextmanager
async def beside(
    store: Store, session_id: str, followers: Sequence[Follower], tell: Tell, grace_seconds: float
) -> AsyncIterator[None]:
    """Copy a session to every target while it is carried on; close the followers then.

    Whatever becomes of a copy is told and touches nothing else. At the end a copy has `grace_seconds` to catch up, and
    none where its target is down or the session was broken off.
    """
    stop = asyncio.Event()
    tasks = [asyncio.create_task(_copied(store, each, session_id, stop, tell)) for each in followers]
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
                tell(f"{_why(ended)}{follower.name} lacks the end of session {session_id}; {ADVICE}")


def alone(session_id: str) -> Which:
    """Give what names this one session."""

    async def which() -> Sequence[str]:
        return (session_id,)

    return which


async def _copied(store: Store, follower: Follower, session_id: str, stop: asyncio.Event, tell: Tell) -> bool:
    try:
        return await keep_up(Copying(store, follower), alone(session_id), stop, tell, patient=False)
    finally:
        await follower.close()


def _why(ended: bool | BaseException) -> str:
    """Give what a copy ended with, where that is not known yet: a defect of a follower is told like a refusal."""
    match ended:
        case QuaestorError():
            return f"{ended}. "
        case Exception():
            return f"{type(ended).__name__}: {ended}. "
        case _:
            return ""


async def _pause(stop: asyncio.Event | None, seconds: float) -> None:
    """Wait so long; no longer than until `stop` is set, where there is one."""
    if stop is None:
        await asyncio.sleep(seconds)
        return
    with suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
