"""A mandate carried out over recorded candles, and what that would have brought."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, ToolResponded
from quaestor.faces.cli import decision_sessions
from quaestor.faces.cli.exit import conclude_interrupted, conclude_run
from quaestor.faces.cli.output import BUDGET_REACHED, FAILED, command_line, write_stderr
from quaestor.faces.cli.params import Home
from quaestor.faces.cli.report_output import ReportOutput
from quaestor.faces.cli.results_output import ResultsOutput
from quaestor.faces.cli.run_loop import run_session
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.portfolio import MarketData
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.performance.formatting import format_minute, format_money

_PROGRESS_INTERVAL = 500
"""A cycle of so many is told while a backtest goes on."""


async def backtest(
    session: Annotated[
        str | None, Parameter(name="SESSION", help="Of a backtest that was begun: goes on with it, or tells it again.")
    ] = None,
    /,
    *,
    mandate: Annotated[Path | None, Parameter(help="The TOML file that says what is traded, and how.")] = None,
    begin: Annotated[datetime | None, Parameter(name="--from", help="First close; else the mandate's.")] = None,
    end: Annotated[datetime | None, Parameter(name="--to", help="Last close; else the mandate's.")] = None,
    model: Annotated[str | None, Parameter(help="offline, PROVIDER:NAME, script:FILE or replay:SESSION.")] = None,
    results: ResultsOutput = ResultsOutput(),  # noqa: B008 -- frozen
    home: Home = None,
) -> int:
    """Carry a mandate out over its candles and print what it would have brought, beside holding and cash.

    Every cycle goes through the states of a decision, and no tool reads what comes after its time. The same mandate
    goes on with its unfinished backtest. `quaestor cycles` lists what every cycle decided.
    """
    results.check()
    said = _read_backtest_mandate(session, mandate, begin, end)
    async with open_home(home, model=model or (said.model if said else None)) as quaestor:
        session_id = session or await decision_sessions.start_or_resume(quaestor, said, backtest=True)
        options = await decision_sessions.session_options(quaestor, session_id)
        write_stderr(f"session {session_id}")
        stored, gathered = await quaestor.store.session(session_id), decision_sessions.ResultsReader()
        for note in options.notes if stored.events == 1 else ():
            write_stderr(f"note: {note}")

        def show(event: Event) -> None:
            gathered.take((event,))
            if event.seq > stored.events:
                _report_progress(event)

        try:
            result = await run_session(quaestor, session_id, show, after=0)
        except asyncio.CancelledError:
            return conclude_interrupted(session_id, home)
        if result.status != "finished":
            return conclude_run(result, ReportOutput(), home, json=False)
        if stored.outcome is None:
            write_stderr(result.statement)
        record = gathered.record(session_id, risk_free=results.risk_free, target=results.target)
    results.hand_over(record)
    write_stderr(f"  list its cycles  {command_line(home, 'cycles', session_id)}")
    return _exit_code(result.outcome)


def _read_backtest_mandate(
    session: str | None, file: Path | None, begin: datetime | None, end: datetime | None
) -> Mandate | None:
    """Give the mandate with the times of the command line. Raises UsageError for what cannot be meant together."""
    if session and (file or begin or end):
        raise UsageError(f"session {session} has its mandate and its times; name a session or --mandate, not both")
    if session:
        return None
    if file is None:
        raise UsageError("nothing says what is traded; name a mandate with --mandate FILE, or a session")
    mandate = read_mandate(file)
    times = {"start": _to_utc(begin) or mandate.start, "end": _to_utc(end) or mandate.end}
    if times["start"] and times["end"] and times["start"] > times["end"]:
        raise UsageError(
            f"the backtest would begin at {format_minute(times['start'])} UTC and end at "
            f"{format_minute(times['end'])} UTC, which is "
            "earlier; choose --from and --to, or start and end of the mandate"
        )
    return mandate.model_copy(update=times)


def _to_utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at


def _report_progress(event: Event) -> None:
    """Say how far it is."""
    match event.payload:
        case ToolResponded(tool="scan", error=None, result=result) if event.cycle % _PROGRESS_INTERVAL == 1:
            data = MarketData.model_validate(result)
            write_stderr(f"cycle {event.cycle:,}: {format_minute(data.at)} UTC, worth {format_money(data.equity)}")
        case _:
            pass


def _exit_code(outcome: str | None) -> int:
    match outcome:
        case "done":
            return 0
        case "partial":
            return BUDGET_REACHED
        case _:
            return FAILED
