"""Copies of the log elsewhere: kept complete, and read."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.follower import FollowerUnavailable, row_to_event
from quaestor.runtime.private_home import FOLLOWERS_FOLDER
from quaestor.runtime.registry import get_codec
from quaestor.runtime.replication import SessionSelector, only_session, replicate_once, replicate_until
from quaestor.runtime.replicator import Replicator
from quaestor.storage.followers import open_follower, open_replica

Notify = Callable[[str], None]


class LogCopy:
    """A copy of the log at one target, while it is brought up to date. Get one from `open_copy`."""

    def __init__(self, quaestor: Quaestor, replicator: Replicator) -> None:
        self._quaestor = quaestor
        self._replicator = replicator

    @property
    def name(self) -> str:
        """The target, without a user, a password or options."""
        return self._replicator.name

    @property
    def count(self) -> int:
        """Events copied so far."""
        return self._replicator.count

    async def copy_once(self, session_id: str | None) -> None:
        """Copy what a session has, or all sessions. Raises SetupError when the target is down or refuses."""
        await replicate_once(self._replicator, self._selector(session_id))

    async def keep_complete(self, session_id: str | None, notify: Notify) -> None:
        """Copy events as they come: of one session until it rests, of all sessions until this is cancelled.

        Waits for a target that is down; `notify` gets a line about it. Raises SetupError when the target refuses.
        """
        stop = asyncio.Event()
        copying = asyncio.create_task(
            replicate_until(self._replicator, self._selector(session_id), stop, notify, patient=True)
        )
        resting = asyncio.create_task(_wait_until_rest(self._quaestor, session_id))
        try:
            await asyncio.wait((copying, resting), return_when=asyncio.FIRST_COMPLETED)
            stop.set()
            await copying
        finally:
            copying.cancel()
            resting.cancel()
            await asyncio.gather(copying, resting, return_exceptions=True)

    def _selector(self, session_id: str | None) -> SessionSelector:
        return only_session(session_id) if session_id else self._replicator.lagging_sessions


@asynccontextmanager
async def open_copy(quaestor: Quaestor, url: str) -> AsyncIterator[LogCopy]:
    """Open the copy at a URL, and close it at the end. Raises UsageError for a URL that no follower takes."""
    follower = open_follower(url, quaestor.home / FOLLOWERS_FOLDER)
    try:
        yield LogCopy(quaestor, Replicator(quaestor.store, follower))
    finally:
        await follower.close()


async def read_copy(url: str, session_id: str) -> Sequence[Event]:
    """Return the events of a session from a copy alone.

    Raises UsageError when the copy has none, also where there is no copy, SetupError when it cannot be read.
    """
    follower = open_replica(url)
    try:
        events = [row_to_event(row) for row in await follower.rows(session_id)]
        if not events:
            raise UsageError(
                f"{follower.name} has no event of session {session_id!r}; see whether it is the right copy, and name "
                "the session by its whole id"
            )
        begun = (event.payload.workflow for event in events if isinstance(event.payload, SessionStarted))
        codec = get_codec(next(begun, ""))
        return [codec.decode(event) for event in events]
    except FollowerUnavailable as error:
        raise SetupError(f"{error}; try again when it is back") from error
    finally:
        await follower.close()


async def _wait_until_rest(quaestor: Quaestor, session_id: str | None) -> None:
    """Wait until a session rests; for ever where there is none."""
    if session_id is None:
        await asyncio.Event().wait()
    else:
        async for _ in quaestor.follow(session_id, (await quaestor.session(session_id)).events):
            pass
