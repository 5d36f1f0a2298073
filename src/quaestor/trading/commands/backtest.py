"""The command that backtests a mandate, and the output of its results as text, page, data or chart."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from quaestor.contracts.errors import EXIT_BUDGET_REACHED, EXIT_FAILED, UsageError
from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.terminal import AtTerminal, ChosenFormat, SessionId, choose_format
from quaestor.trading import sessions
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.portfolio import MarketData
from quaestor.trading.contracts.results import DecisionResults
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.performance.chart import render_chart
from quaestor.trading.performance.formatting import format_minute, format_money
from quaestor.trading.performance.html_report import render_html
from quaestor.trading.performance.reports import render_json, render_markdown

_MAX_ANNUAL_RATE = 10.0
"""A return of a year above this is a number of percent."""
_PROGRESS_INTERVAL = 500
"""One cycle of so many is reported while a backtest runs."""


@Parameter(name="*")
@dataclass(frozen=True, slots=True)
class ResultsOutput:
    """What becomes of results."""

    form: ChosenFormat = None
    out: Annotated[Path | None, Parameter(name="--out", help="Write them to this file, not to stdout.")] = None
    picture: Annotated[Path | None, Parameter(help="Draw equity and drawdown into this SVG file.")] = None
    risk_free: Annotated[float, Parameter(help="Return of a year without risk, for Sharpe's ratio: 0.04 is 4 %.")] = 0.0
    target: Annotated[float, Parameter(help="Return of a year that is aimed at, for Sortino's ratio.")] = 0.0

    def check(self, terminal: AtTerminal) -> None:
        """Raise UsageError for files and rates that cannot be used, before any work is done."""
        choose_format(self.form, self.out)
        terminal.check_output_path("--out", self.out)
        terminal.check_output_path("--picture", self.picture)
        for option, rate in (("--risk-free", self.risk_free), ("--target", self.target)):
            if not -1 < rate < _MAX_ANNUAL_RATE:
                raise UsageError(f"{option} {rate:g} is no return of a year; 0.04 stands for 4 %")

    def write(self, record: DecisionResults, terminal: AtTerminal) -> None:
        """Draw the picture, if one is wanted, and write the results. Raises SetupError when they cannot be kept."""
        drawn = self._draw(record, terminal)
        match choose_format(self.form, self.out):
            case "md":
                terminal.write_output(render_markdown(record, drawn), self.out)
            case "html":
                terminal.write_output(render_html(record), self.out)
            case "json":
                terminal.write_output(render_json(record), self.out)
        for made in filter(None, (self.out, self.picture if drawn else None)):
            terminal.write_stderr(f"written: {made}")

    def _draw(self, record: DecisionResults, terminal: AtTerminal) -> str | None:
        """Draw the picture and return its path as the results name it; None where no time passed."""
        if self.picture is None:
            return None
        measured = record.performance
        if measured is None or measured.basis.begins == measured.basis.ends:
            terminal.write_stderr(f"no picture: {self.picture} would show less than two cycles")
            return None
        terminal.write_output(render_chart(measured, record.mandate.objective, record.mandate.currency), self.picture)
        if self.out and self.out.resolve().parent == self.picture.resolve().parent:
            return self.picture.name
        return str(self.picture.resolve())


async def backtest(
    session: Annotated[
        SessionId | None,
        Parameter(name="SESSION", help="Of an earlier backtest: continues it, or prints its results again."),
    ] = None,
    /,
    *,
    mandate: Annotated[Path | None, Parameter(help="The TOML file that says what is traded, and how.")] = None,
    begin: Annotated[datetime | None, Parameter(name="--from", help="First close; else the mandate's.")] = None,
    end: Annotated[datetime | None, Parameter(name="--to", help="Last close; else the mandate's.")] = None,
    model: Annotated[str | None, Parameter(help="offline, PROVIDER:NAME, script:FILE or replay:SESSION.")] = None,
    results: ResultsOutput = ResultsOutput(),
    terminal: AtTerminal,
) -> int:
    """Carry a mandate out over its candles and print what it would have brought, beside holding and cash.

    Every cycle goes through the states of a decision, and no tool reads what comes after its time. The same mandate
    goes on with its unfinished backtest. `quaestor cycles` lists what every cycle decided.
    """
    results.check(terminal)
    terms = _read_backtest_mandate(session, mandate, begin, end, lambda text: terminal.write_stderr(f"note: {text}"))
    async with terminal.open(model=model or (terms.model if terms else None)) as host:
        session_id = session or ""
        if terms:
            session_id = await sessions.start_or_resume(host, terms, backtest=True)
        options = await sessions.session_options(host, session_id)
        terminal.write_stderr(f"session {session_id}")
        stored, gathered = await host.session(session_id), sessions.ResultsReader()
        for note in options.notes if stored.events == 1 else ():
            terminal.write_stderr(f"note: {note}")

        def show(event: Event) -> None:
            gathered.take((event,))
            if event.seq > stored.events:
                _report_progress(event, terminal)

        try:
            result = await terminal.run(session_id, show)
        except asyncio.CancelledError:
            return terminal.conclude_interrupted(session_id)
        if result.status != "finished":
            return terminal.conclude(result)
        if stored.outcome is None:
            terminal.write_stderr(result.statement)
        record = gathered.record(session_id, risk_free=results.risk_free, target=results.target)
    results.write(record, terminal)
    terminal.write_stderr(f"  list its cycles  {terminal.command_line('cycles', session_id)}")
    return _exit_code(result.outcome)


def _read_backtest_mandate(
    session: str | None,
    file: Path | None,
    begin: datetime | None,
    end: datetime | None,
    warn: Callable[[str], None],
) -> Mandate | None:
    """Return the mandate with the times of the command line. Raises UsageError for options that exclude each other."""
    if session and (file or begin or end):
        raise UsageError(f"session {session} has its mandate and its times; name a session or --mandate, not both")
    if session:
        return None
    if file is None:
        raise UsageError("nothing says what is traded; name a mandate with --mandate FILE, or a session")
    mandate = read_mandate(file, warn)
    first, last = _to_utc(begin) or mandate.start, _to_utc(end) or mandate.end
    if first and last and first > last:
        raise UsageError(
            f"the backtest would begin at {format_minute(first)} UTC and end at {format_minute(last)} UTC, which is "
            "earlier; choose --from and --to, or start and end of the mandate"
        )
    return mandate.revised(start=first, end=last)


def _to_utc(at: datetime | None) -> datetime | None:
    return at.replace(tzinfo=UTC) if at and at.tzinfo is None else at


def _report_progress(event: Event, terminal: AtTerminal) -> None:
    """Print how far a backtest is, now and then."""
    match event.payload:
        case ToolResponded(tool="scan", error=None, result=result) if event.cycle % _PROGRESS_INTERVAL == 1:
            data = MarketData.model_validate(result)
            terminal.write_stderr(
                f"cycle {event.cycle:,}: {format_minute(data.at)} UTC, worth {format_money(data.equity)}"
            )
        case _:
            pass


def _exit_code(outcome: str | None) -> int:
    match outcome:
        case "done":
            return 0
        case "partial":
            return EXIT_BUDGET_REACHED
        case _:
            return EXIT_FAILED
