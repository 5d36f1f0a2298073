"""A run that another process carries on, seen from here: nothing is missed, and leaving it changes nothing."""

import asyncio
from collections.abc import AsyncIterator

from quaestor.app import Quaestor, open_home
from quaestor.cli.codes import INTERRUPTED
from quaestor.cli.delivery import Delivery
from quaestor.cli.display import display
from quaestor.cli.ending import ended
from quaestor.cli.place import After, Home, Json, SessionId
from quaestor.cli.speech import command, say
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Event, Paused
from quaestor.sessions import POLL_SECONDS

_HANDOVER_SECONDS = 2
"""How long nobody may hold a session that does not rest, before it counts as interrupted."""


async def attach(
    session: SessionId,
    /,
    *,
    delivery: Delivery = Delivery(),  # noqa: B008 -- frozen
    json: Json = False,
    after: After = 0,
    home: Home = None,
) -> int:
    """Watch a session that another process carries on, until it is finished or rests.

    What happened before is shown as well. Ctrl-C leaves; the session goes on.
    """
    delivery.check()
    async with open_home(home) as quaestor:
        after = after if json else 0
        past = [event for event in await quaestor.events(session) if event.seq <= after]
        say(f"session {session}")
        try:
            workflow = (await quaestor.store.session(session)).workflow
            with display(past, json=json, workflow=workflow) as show:
                async for event in _followed(quaestor, session, after):
                    show(event)
        except asyncio.CancelledError:
            say(f"left; the session goes on. Come back with: {command(home, 'attach', session)}")
            return INTERRUPTED
        result = await quaestor.result(session)
        if result.status == "paused":
            await _check(quaestor, session)
        return ended(result, delivery, home, json=json)


async def _check(quaestor: Quaestor, session_id: str) -> None:
    """Raise the SetupError that made the run of a session pause, if one did."""
    for event in reversed(await quaestor.events(session_id)):
        if isinstance(event.payload, Paused):
            if event.payload.kind == "setup":
                raise SetupError(event.payload.reason)
            return


async def _followed(quaestor: Quaestor, session_id: str, after: int) -> AsyncIterator[Event]:
    """Give the events above `after` as they come, until the session rests."""
    alone, rests = 0.0, False
    while not rests:
        rests = await _rests(quaestor, session_id, alone)  # asked before the last look, so that nothing is missed
        for event in await quaestor.events(session_id, after):
            yield event
            after = event.seq
        alone = 0.0 if await quaestor.holder(session_id) else alone + POLL_SECONDS
        await asyncio.sleep(0 if rests else POLL_SECONDS)


async def _rests(quaestor: Quaestor, session_id: str, alone: float) -> bool:
    """Say whether nobody carries a session on; one that just changes hands is given a moment."""
    if await quaestor.holder(session_id):
        return False
    result = await quaestor.result(session_id)
    return alone >= _HANDOVER_SECONDS or result.status != "waiting" or result.asked is not None
