"""One run under the eyes of a person: carried on, shown, asked on at the terminal, and brought to its end."""

import asyncio
from pathlib import Path

from quaestor.app import Quaestor
from quaestor.cli.carry import carry
from quaestor.cli.delivery import Delivery
from quaestor.cli.display import display
from quaestor.cli.ending import ended, interrupted
from quaestor.cli.prompt import asks, at_terminal
from quaestor.cli.speech import say
from quaestor.contracts.errors import StoreFull
from quaestor.contracts.event import Event
from quaestor.contracts.run import Result


async def watched(
    quaestor: Quaestor,
    session_id: str,
    delivery: Delivery,
    home: Path | None,
    *,
    json: bool,
    after: int = 0,
    stop: asyncio.Event | None = None,
) -> int:
    """Carry a session on to its end or its next rest; give the exit code.

    What it asks on the way is asked at the terminal, where there is one. As JSON the stream is given from behind the
    event with number `after` on; a person sees what is new. `stop` is set when a signal asked the run to pause.
    """
    say(f"session {session_id}")
    seen = after if json else (await quaestor.store.session(session_id)).events
    try:
        while True:
            result, seen = await _shown(quaestor, session_id, seen, stop, json=json)
            if result.status != "waiting" or not at_terminal() or not await asks(quaestor, session_id):
                return ended(result, delivery, home, json=json)
    except asyncio.CancelledError:
        return interrupted(session_id, home)
    except StoreFull as error:
        say(f"quaestor: {error}")
        interrupted(session_id, home)
        return error.exit_code


async def _shown(
    quaestor: Quaestor, session_id: str, seen: int, stop: asyncio.Event | None, *, json: bool
) -> tuple[Result, int]:
    """Carry a session on and show the events above `seen`; give where it stands then, and the number of the last."""
    past = (await quaestor.events(session_id))[:seen]
    workflow = (await quaestor.store.session(session_id)).workflow
    with display(past, json=json, workflow=workflow) as show:

        def noted(event: Event) -> None:
            nonlocal seen
            seen = event.seq
            show(event)

        return await carry(quaestor, session_id, noted, after=seen, stop=stop), seen
