"""One decision of a mandate, or one after the other on a schedule."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import Quaestor, open_home
from quaestor.contracts.command import OpenCycle
from quaestor.contracts.errors import UsageError
from quaestor.contracts.ports import Clock
from quaestor.faces.cli import decision_sessions
from quaestor.faces.cli.cycles import format_cycle
from quaestor.faces.cli.interactive import run_interactively
from quaestor.faces.cli.output import FAILED, INTERRUPTED, command_line, write_stderr
from quaestor.faces.cli.params import Home, Json
from quaestor.faces.cli.report_output import ReportOutput
from quaestor.runtime.system import SystemClock
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
        session_id = session or await decision_sessions.start_or_resume(quaestor, said, backtest=False)
        often = every or (await decision_sessions.session_options(quaestor, session_id)).mandate.schedule

        stop = asyncio.Event()

        async def once() -> int:
            await open_next_cycle(quaestor, session_id)
            code = await run_interactively(quaestor, session_id, ReportOutput(), home, json=json, stop=stop)
            if cycle := await decision_sessions.latest_cycle(quaestor, session_id):
                write_stderr(format_cycle(cycle))
            return _report_stopped(session_id, home) if often and stop.is_set() and code in _CONTINUE_CODES else code

        return await run_on_schedule(once, often, SystemClock())


async def open_next_cycle(quaestor: Quaestor, session_id: str) -> None:
    """Open the next cycle of a session that is finished. Raises UsageError when it cannot have one."""
    if (await quaestor.store.session(session_id)).outcome is None:
        return
    if refused := await quaestor.tell(session_id, OpenCycle(why="decision")):
        raise UsageError(f"session {session_id}: {refused}")


async def run_on_schedule(
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
    while every and code in _CONTINUE_CODES:
        at = next_close(clock.now(), every)
        write_stderr(f"the next cycle is at {format_minute(at)} UTC")
        await sleep((at + CLOSE_DELAY - clock.now()).total_seconds())
        code = await once()
    return code


def _report_stopped(session_id: str, home: Path | None) -> int:
    """Say that a signal came when the cycle was as good as over, so that there was nothing to pause; give the code."""
    write_stderr(f"stopped; go on with: {command_line(home, 'decide', session_id)}")
    return INTERRUPTED


def next_close(now: datetime, every: Timeframe) -> datetime:
    """Give the next close of a candle, later than now."""
    return from_epoch_ms(candle_open(to_epoch_ms(now), every) + TIMEFRAME_MS[every])
