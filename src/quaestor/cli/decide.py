"""One decision of a mandate, or one after the other on a schedule."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.cli import decisions
from quaestor.cli.codes import FAILED, INTERRUPTED
from quaestor.cli.cycles import line
from quaestor.cli.delivery import Delivery
from quaestor.cli.place import Home, Json
from quaestor.cli.speech import command, say
from quaestor.cli.watched import watched
from quaestor.contracts.command import OpenCycle
from quaestor.contracts.errors import UsageError
from quaestor.contracts.market import MILLISECONDS, Timeframe, instant, since_epoch
from quaestor.contracts.ports import Clock
from quaestor.machine import SystemClock
from quaestor.tools.mandate import read_mandate
from quaestor.tools.market.span import opening
from quaestor.views.performance.words import minute

_GO_ON = frozenset({0, FAILED})
"""The exit codes after which a schedule goes on."""
SETTLING = timedelta(seconds=5)
"""How long after the close of a candle a cycle begins, so that the candle can be had."""


async def decide(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="The session whose next cycle it is; else that of the mandate.")
    ] = None,
    /,
    *,
    mandate: Annotated[
        Path | None, Parameter(help="The TOML file that says what is traded and within which limits.")
    ] = None,
    every: Annotated[
        Timeframe | None, Parameter(help="Go on with a cycle so often, on the hour for 1h, until it is stopped.")
    ] = None,
    model: Annotated[str | None, Parameter(help="offline, PROVIDER:NAME, script:FILE or replay:SESSION.")] = None,
    json: Json = False,
    home: Home = None,
) -> int:
    """Look at the market once, decide, and carry the decision out if it keeps the limits.

    The same mandate goes on with its session, so that its portfolio and its memory last. A live order waits for a
    person: it is asked for at a terminal, and answered with `quaestor answer` elsewhere.
    """
    if (session is None) == (mandate is None):
        raise UsageError("name what is traded with --mandate FILE, or a session that goes on; not both")
    said = read_mandate(mandate) if mandate else None
    async with open_home(home, model=model or (said.model if said else None)) as quaestor:
        session_id = session or await decisions.begun(quaestor, said, backtest=False)
        often = every or (await decisions.options(quaestor, session_id)).mandate.schedule

        stop = asyncio.Event()

        async def once() -> int:
            await next_cycle(quaestor, session_id)
            code = await watched(quaestor, session_id, Delivery(), home, json=json, stop=stop)
            if cycle := await decisions.latest(quaestor, session_id):
                say(line(cycle))
            return _stopped(session_id, home) if often and stop.is_set() and code in _GO_ON else code

        return await on_schedule(once, often, SystemClock())


async def next_cycle(quaestor: Quaestor, session_id: str) -> None:
    """Open the next cycle of a session that is finished. Raises UsageError when it cannot have one."""
    if (await quaestor.store.session(session_id)).outcome is None:
        return
    if refused := await quaestor.tell(session_id, OpenCycle(why="decision")):
        raise UsageError(f"session {session_id}: {refused}")


async def on_schedule(
    once: Callable[[], Awaitable[int]],
    every: Timeframe | None,
    clock: Clock,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> int:
    """Carry a cycle out, and again whenever a candle of `every` closes; give the exit code of the last.

    A cycle that failed is no reason to stop, for the next one looks at the market anew; one that waits for a person,
    was interrupted or reached its budget is.
    """
    code = await once()
    while every and code in _GO_ON:
        at = upcoming(clock.now(), every)
        say(f"the next cycle is at {minute(at)} UTC")
        await sleep((at + SETTLING - clock.now()).total_seconds())
        code = await once()
    return code


def _stopped(session_id: str, home: Path | None) -> int:
    """Say that a signal came when the cycle was as good as over, so that there was nothing to pause; give the code."""
    say(f"stopped; go on with: {command(home, 'decide', session_id)}")
    return INTERRUPTED


def upcoming(now: datetime, every: Timeframe) -> datetime:
    """Give the next close of a candle, later than now."""
    return instant(opening(since_epoch(now), every) + MILLISECONDS[every])
