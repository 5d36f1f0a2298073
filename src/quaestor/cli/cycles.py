"""The cycles of a decision session, one line each."""

from typing import Annotated, Literal

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.cli import decisions
from quaestor.cli.phrase import cut
from quaestor.cli.place import Home, SessionId
from quaestor.cli.sessions import give_line
from quaestor.cli.speech import give
from quaestor.contracts.cycle import DecisionCycle
from quaestor.contracts.decision import Signal
from quaestor.views.performance.words import minute, money

Execution = Literal["executed", "skipped", "rejected", "failed"]

_REASON = 100
_HEADS = ("CYCLE", "TIME, UTC", "SIGNAL", "DECISION", "VALIDATION", "EXECUTION", "EQUITY")
_LINE = "{:>6}  {:<16}  {:<9}  {:<28}  {:<16}  {:<9}  {:>16}  {}"


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
            and (rule is None or rule in _broken(cycle))
        )

    async with open_home(home) as quaestor:
        await decisions.options(quaestor, session)
        if not json:
            give_line(_LINE.format(*_HEADS, ""))
        async for cycle in decisions.cycles(quaestor, session):
            if wanted(cycle):
                give(f"{cycle.model_dump_json()}\n") if json else give_line(line(cycle))
    return 0


def line(cycle: DecisionCycle) -> str:
    """Give a cycle on one line; what it did not come to is a dash."""
    decision = cycle.decision
    chosen = f"{decision.action} {decision.quantity:g} {decision.asset}" if decision and decision.quantity else None
    return _LINE.format(
        f"{cycle.number:,}",
        minute(cycle.market.at) if cycle.market else "-",
        cycle.report.signal.value if cycle.report else "-",
        cut(chosen or (decision.action if decision else "-"), 28),
        cut(_validation(cycle), 16),
        cycle.execution.status if cycle.execution else "-",
        money(cycle.market.equity) if cycle.market else "-",
        cut(cycle.failed or "", _REASON),
    ).rstrip()


def _validation(cycle: DecisionCycle) -> str:
    if cycle.validation is None:
        return "-"
    return "passed" if cycle.validation.passed else ", ".join(_broken(cycle))


def _broken(cycle: DecisionCycle) -> tuple[str, ...]:
    violations = cycle.validation.violations if cycle.validation else ()
    return tuple(dict.fromkeys(violation.rule_id for violation in violations))
