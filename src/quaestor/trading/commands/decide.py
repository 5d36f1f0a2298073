"""One decision of a mandate, or one after the other on a schedule."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.contracts.arguments import Json
from quaestor.contracts.errors import UsageError
from quaestor.contracts.exit_codes import FAILED, INTERRUPTED
from quaestor.contracts.ports import Clock
from quaestor.contracts.terminal import AtTerminal
from quaestor.trading import sessions
from quaestor.trading.commands.cycle_line import format_cycle
from quaestor.trading.contracts.market import TIMEFRAME_MS, Timeframe, from_epoch_ms, to_epoch_ms
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.series import candle_open
from quaestor.trading.performance.formatting import format_minute

_CONTINUE_CODES = frozenset({0, FAILED})
"""The exit codes after which a schedule goes on."""
CLOSE_DELAY = timedelta(seconds=5)
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
    terminal: AtTerminal,
) -> int:
    """Look at the market once, decide, and carry the decision out if it keeps the limits.

    The same mandate goes on with its session, so that its portfolio and its memory last. A live order waits for a
    person: it is asked for at a terminal, and answered with `quaestor answer` elsewhere.
    """
    if (session is None) == (mandate is None):
        raise UsageError("name what is traded with --mandate FILE, or a session that goes on; not both")
    said = read_mandate(mandate) if mandate else None
    async with terminal.open(model=model or (said.model if said else None)) as host:
        session_id = session or ""
        if said:
            session_id = await sessions.start_or_resume(host, said, backtest=False)
        often = every or (await sessions.session_options(host, session_id)).mandate.schedule
        stop = asyncio.Event()

        async def once() -> int:
            await sessions.open_next_cycle(host, session_id)
            code = await terminal.carry_on(session_id, json=json, stop=stop)
            if cycle := await sessions.latest_cycle(host, session_id):
                terminal.write_stderr(format_cycle(cycle, terminal.truncate))
            return (
                _report_stopped(session_id, terminal) if often and stop.is_set() and code in _CONTINUE_CODES else code
            )

        return await run_on_schedule(once, often, host.clock, terminal.write_stderr)


async def run_on_schedule(
    once: Callable[[], Awaitable[int]],
    every: Timeframe | None,
    clock: Clock,
    announce: Callable[[str], None],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> int:
    """Carry a cycle out, and again whenever a candle of `every` closes; return the exit code of the last.

    A cycle that failed does not stop the schedule, for the next one looks at the market again; one that waits for a
    person, was interrupted or reached its budget does.
    """
    code = await once()
    while every and code in _CONTINUE_CODES:
        at = next_close(clock.now(), every)
        announce(f"the next cycle is at {format_minute(at)} UTC")
        await sleep((at + CLOSE_DELAY - clock.now()).total_seconds())
        code = await once()
    return code


def _report_stopped(session_id: str, terminal: AtTerminal) -> int:
    """Report a signal that came when the cycle was over, so that there was nothing to pause; return the exit code."""
    terminal.write_stderr(f"stopped; go on with: {terminal.command_line('decide', session_id)}")
    return INTERRUPTED


def next_close(now: datetime, every: Timeframe) -> datetime:
    """Return the next close of a candle, later than now."""
    return from_epoch_ms(candle_open(to_epoch_ms(now), every) + TIMEFRAME_MS[every])
