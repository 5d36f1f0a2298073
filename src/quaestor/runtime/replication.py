"""Replication: keeping copies of the log complete while sessions run, whatever happens to the targets."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress

from quaestor.contracts.errors import QuaestorError, SetupError
from quaestor.contracts.follower import Follower, FollowerUnavailable
from quaestor.contracts.ports import Store
from quaestor.http.retry import backoff
from quaestor.runtime.replicator import Replicator

POLL_SECONDS = 0.25

_BASE_BACKOFF_SECONDS = 0.5
"""Seconds; then as `backoff` says, a minute at most."""

CATCH_UP_HINT = "copy the session there again to complete it"

Notify = Callable[[str], None]
SessionSelector = Callable[[], Awaitable[Sequence[str]]]
"""Gives the ids of the sessions that are to be copied."""


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
