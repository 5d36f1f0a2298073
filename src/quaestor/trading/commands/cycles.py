"""The commands that decide, once or on a schedule, and list the cycles of a session."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.contracts.errors import EXIT_FAILED, EXIT_INTERRUPTED, UsageError
from quaestor.contracts.ports import Clock
from quaestor.contracts.session import NEWEST_SESSION
from quaestor.contracts.terminal import AtTerminal, Json, SessionId
from quaestor.trading import sessions
from quaestor.trading.contracts.decision import Signal
from quaestor.trading.contracts.market import TIMEFRAME_MS, Timeframe, from_epoch_ms, to_epoch_ms
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.market.series import candle_open
from quaestor.trading.performance.formatting import format_minute, format_money
from quaestor.views.escaping import escape_hidden_json

_REASON_WIDTH = 100
_HEADINGS = ("CYCLE", "TIME, UTC", "SIGNAL", "DECISION", "VALIDATION", "EXECUTION", "EQUITY")
_ROW_FORMAT = "{:>6}  {:<16}  {:<9}  {:<28}  {:<16}  {:<9}  {:>16}  {}"
HEADING = _ROW_FORMAT.format(*_HEADINGS, "")
_CONTINUE_CODES = frozenset({0, EXIT_FAILED})
"""The exit codes after which a schedule goes on."""
CLOSE_DELAY = timedelta(seconds=5)
"""How long after the close of a candle a cycle begins, so that the candle can be had."""

Execution = Literal["executed", "skipped", "rejected", "failed"]


async def cycles(
    session: SessionId = NEWEST_SESSION,
    /,
    *,
    signal: Annotated[Signal | None, Parameter(help="Only cycles with this signal.")] = None,
    action: Annotated[str | None, Parameter(help="Only cycles that decided on this: buy, sell or hold.")] = None,
    execution: Annotated[Execution | None, Parameter(help="Only cycles that ended so.")] = None,
    rule: Annotated[str | None, Parameter(help="Only cycles that broke this rule, as max_cash_pct.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole cycles as JSON lines.")] = False,
    terminal: AtTerminal,
) -> int:
    """List the cycles of a decision session: what each saw, decided and did."""

    def wanted(cycle: DecisionCycle) -> bool:
        return (
            signal in {None, cycle.report.signal if cycle.report else None}
            and action in {None, cycle.decision.action if cycle.decision else None}
            and execution in {None, cycle.execution.status if cycle.execution else None}
            and (rule is None or rule in broken_rules(cycle))
        )

    async with terminal.open() as host:
        await sessions.session_options(host, session)
        if not json:
            terminal.write_table_line(HEADING)
        async for cycle in sessions.read_cycles(host.read_events(session)):
            if wanted(cycle):
                if json:
                    terminal.write_stdout(f"{escape_hidden_json(cycle.model_dump_json())}\n")
                else:
                    terminal.write_table_line(format_cycle(cycle, terminal.truncate))
    return 0


def format_cycle(cycle: DecisionCycle, truncate: Callable[[str, int], str]) -> str:
    """Return a cycle on one line, its cells cut by `truncate`; what it did not come to is a dash."""
    decision = cycle.decision
    chosen = f"{decision.action} {decision.quantity:g} {decision.asset}" if decision and decision.quantity else None
    return _ROW_FORMAT.format(
        f"{cycle.number:,}",
        format_minute(cycle.market.at) if cycle.market else "-",
        cycle.report.signal.value if cycle.report else "-",
        truncate(chosen or (decision.action if decision else "-"), 28),
        truncate(_format_validation(cycle), 16),
        cycle.execution.status if cycle.execution else "-",
        format_money(cycle.market.equity) if cycle.market else "-",
        truncate(cycle.failed or "", _REASON_WIDTH),
    ).rstrip()


def _format_validation(cycle: DecisionCycle) -> str:
    if cycle.validation is None:
        return "-"
    return "passed" if cycle.validation.passed else ", ".join(broken_rules(cycle))


def broken_rules(cycle: DecisionCycle) -> tuple[str, ...]:
    """Return the rules of the mandate that a decision broke, each once."""
    violations = cycle.validation.violations if cycle.validation else ()
    return tuple(dict.fromkeys(violation.rule_id for violation in violations))


async def decide(
    session: Annotated[
        SessionId | None,
        Parameter(name="SESSION", help="The session whose next cycle it is; else that of the mandate."),
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
        raise UsageError("name what is traded with --mandate FILE, or a session to continue; not both")
    terms = read_mandate(mandate, lambda text: terminal.write_stderr(f"note: {text}")) if mandate else None
    async with terminal.open(model=model or (terms.model if terms else None)) as host:
        session_id = session or ""
        if terms:
            session_id = await sessions.start_or_resume(host, terms, backtest=False)
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
    terminal.write_stderr(f"stopped; continue with: {terminal.command_line('decide', session_id)}")
    return EXIT_INTERRUPTED


def next_close(now: datetime, every: Timeframe) -> datetime:
    """Return the next close of a candle, later than now."""
    return from_epoch_ms(candle_open(to_epoch_ms(now), every) + TIMEFRAME_MS[every])
