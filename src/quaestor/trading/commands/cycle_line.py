"""A cycle of a decision session as one line of a table."""

from collections.abc import Callable

from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.performance.formatting import format_minute, format_money

_REASON_WIDTH = 100
_HEADINGS = ("CYCLE", "TIME, UTC", "SIGNAL", "DECISION", "VALIDATION", "EXECUTION", "EQUITY")
_ROW_FORMAT = "{:>6}  {:<16}  {:<9}  {:<28}  {:<16}  {:<9}  {:>16}  {}"
HEADING = _ROW_FORMAT.format(*_HEADINGS, "")


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
