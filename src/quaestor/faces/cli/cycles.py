"""The cycles of a decision session, one line each."""

from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.text import truncate_line
from quaestor.faces.cli import decision_sessions
from quaestor.faces.cli.output import write_stdout
from quaestor.faces.cli.params import Home, SessionId
from quaestor.faces.cli.sessions import write_table_line
from quaestor.trading.contracts.decision import Signal
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.performance.formatting import format_minute, format_money

Execution = Literal["executed", "skipped", "rejected", "failed"]

_REASON_WIDTH = 100
_HEADINGS = ("CYCLE", "TIME, UTC", "SIGNAL", "DECISION", "VALIDATION", "EXECUTION", "EQUITY")
_ROW_FORMAT = "{:>6}  {:<16}  {:<9}  {:<28}  {:<16}  {:<9}  {:>16}  {}"


async def cycles(
    session: SessionId,
    /,
    *,
    signal: Annotated[Signal | None, Parameter(help="Only cycles with this signal.")] = None,
    action: Annotated[str | None, Parameter(help="Only cycles that decided on this: buy, sell or hold.")] = None,
    execution: Annotated[Execution | None, Parameter(help="Only cycles that ended so.")] = None,
    rule: Annotated[str | None, Parameter(help="Only cycles that broke this rule, as max_cash_pct.")] = None,
    json: Annotated[bool, Parameter(negative="", show_default=False, help="Whole cycles as JSON lines.")] = False,
    home: Home = None,
) -> int:
    """List the cycles of a decision session: what each saw, decided and did."""

    def wanted(cycle: DecisionCycle) -> bool:
        return (
            signal in {None, cycle.report.signal if cycle.report else None}
            and action in {None, cycle.decision.action if cycle.decision else None}
            and execution in {None, cycle.execution.status if cycle.execution else None}
            and (rule is None or rule in _broken_rules(cycle))
        )

    async with open_home(home) as quaestor:
        await decision_sessions.session_options(quaestor, session)
        if not json:
            write_table_line(_ROW_FORMAT.format(*_HEADINGS, ""))
        async for cycle in decision_sessions.read_cycles(quaestor, session):
            if wanted(cycle):
                write_stdout(f"{cycle.model_dump_json()}\n") if json else write_table_line(format_cycle(cycle))
    return 0


def format_cycle(cycle: DecisionCycle) -> str:
    """Give a cycle on one line; what it did not come to is a dash."""
    decision = cycle.decision
    chosen = f"{decision.action} {decision.quantity:g} {decision.asset}" if decision and decision.quantity else None
    return _ROW_FORMAT.format(
        f"{cycle.number:,}",
        format_minute(cycle.market.at) if cycle.market else "-",
        cycle.report.signal.value if cycle.report else "-",
        truncate_line(chosen or (decision.action if decision else "-"), 28),
        truncate_line(_format_validation(cycle), 16),
        cycle.execution.status if cycle.execution else "-",
        format_money(cycle.market.equity) if cycle.market else "-",
        truncate_line(cycle.failed or "", _REASON_WIDTH),
    ).rstrip()


def _format_validation(cycle: DecisionCycle) -> str:
    if cycle.validation is None:
        return "-"
    return "passed" if cycle.validation.passed else ", ".join(_broken_rules(cycle))


def _broken_rules(cycle: DecisionCycle) -> tuple[str, ...]:
    violations = cycle.validation.violations if cycle.validation else ()
    return tuple(dict.fromkeys(violation.rule_id for violation in violations))
