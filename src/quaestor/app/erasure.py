"""Emptying a home: sessions are erased, and what only they used is shredded."""

import asyncio
from collections.abc import Sequence
from datetime import timedelta

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.session import Session
from quaestor.runtime import erasure
from quaestor.runtime.session_reader import POLL_SECONDS

_RELEASE_SECONDS = 5
"""How long the process of a session that has just ended may take to sign its log and to let go of it."""


async def erase(quaestor: Quaestor, session_ids: Sequence[str]) -> None:
    """Erase sessions: their logs, sources and workspaces, as far as no other session uses them.

    A tombstone with the head of each log stays. Folders outside the home, copies and backups stay as they are. Raises
    LeaseUnavailable when a process carries one of them on, and UnknownSession: then none is erased. Raises SetupError
    when another process is in the way of the last steps, which then follow when the home is opened next.
    """
    for session_id in session_ids:
        if (await quaestor.session(session_id)).outcome is not None:
            await _wait_for_release(quaestor, session_id)
    ttl = timedelta(seconds=quaestor.settings.lease_seconds)
    folders = (quaestor.home, quaestor.data_folder)
    await erasure.erase_sessions(quaestor.store, quaestor.clock, folders, session_ids, ttl)


async def _wait_for_release(quaestor: Quaestor, session_id: str) -> None:
    """Wait a moment until the process of a finished session has let go of it, if it still holds it."""
    try:
        async with asyncio.timeout(_RELEASE_SECONDS):
            while await quaestor.holder(session_id) is not None:  # noqa: ASYNC110 -- another process may be the holder
                await asyncio.sleep(POLL_SECONDS)
    except TimeoutError:
        pass  # the erasure names the process that holds it


async def find_idle(quaestor: Quaestor, age: timedelta) -> Sequence[Session]:
    """Return the sessions without an event for so long that no process carries on, the oldest first."""
    limit = quaestor.clock.now() - age
    old = [each for each in await quaestor.sessions() if (each.last_at or each.created_at) < limit]
    return [each for each in reversed(old) if await quaestor.holder(each.id) is None]
