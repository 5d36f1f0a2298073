"""The page of a decision session: its equity curve, its figures, its cycles and its orders."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.panels import Panel, PanelRow, PanelTable, Tone
from quaestor.trading.contracts.results import DecisionCycle, DecisionResults
from quaestor.trading.performance import report_outline
from quaestor.trading.performance.chart import NARROW_WIDTH, WIDE_WIDTH, render_chart
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.performance.formatting import format_minute, format_money
from quaestor.trading.performance.report_outline import Table
from quaestor.trading.sessions import ResultsReader
from quaestor.views.escaping import one_line
from quaestor.views.text import count_noun

_LAST_CYCLES = 200
_ABSENT = "-"
_TONES: dict[str, Tone] = {"executed": "good", "skipped": "plain", "rejected": "warn", "failed": "bad"}


@dataclass(slots=True)
class DecisionPanels:
    """A reader of the panels of a decision session; the last cycles are listed one by one."""

    _results: ResultsReader = field(default_factory=ResultsReader)
    _cycles: CycleReader = field(default_factory=CycleReader)
    _over: list[DecisionCycle] = field(default_factory=list[DecisionCycle])
    _session_id: str = ""

    def take(self, event: Event) -> None:
        """Take the next event of the log."""
        self._session_id = event.session_id
        self._results.take((event,))
        for cycle in self._cycles.read((event,)):
            self._over.append(cycle)
            del self._over[: 1 - _LAST_CYCLES]

    def panels(self) -> Sequence[Panel]:
        """Return the panels of the session, as far as its events go."""
        try:
            record = self._results.record(self._session_id, risk_free=0, target=0)
        except UsageError as error:  # before the first cycle there is nothing to measure
            return (Panel(heading="Equity", note=str(error)),)
        current = self._cycles.last()
        return tuple(_panels(record, (*((current,) if current else ()), *reversed(self._over))))


def _panels(record: DecisionResults, cycles: Sequence[DecisionCycle]) -> Iterator[Panel]:
    measured, unit = record.performance, record.mandate.currency
    if measured:
        name = f"Equity and drawdown: {one_line(record.mandate.objective)}"
        moved = measured.basis.begins < measured.basis.ends
        widths = (WIDE_WIDTH, NARROW_WIDTH) if moved else ()
        yield Panel(
            heading="Equity",
            text=report_outline.headline(record),
            drawings=tuple(render_chart(measured, name, unit, width, is_styled=False) for width in widths),
            note="" if moved else "The curve begins with the second cycle.",
        )
        yield Panel(heading="Results", table=_outline_table(report_outline.metrics_table(measured)))
    for place, table in enumerate(report_outline.trade_tables(record)):
        yield Panel(heading="Orders" if place == 0 else "The last orders", table=_outline_table(table))
    yield Panel(heading="Mandate", facts=report_outline.mandate_rows(record))
    hidden = record.tally.cycles - len(cycles)
    yield Panel(
        heading="Cycles",
        table=PanelTable(
            heads=("Cycle", "Time, UTC", "Signal", "Decision", "Limits", "Execution", f"Equity, {unit}"),
            rows=tuple(map(_cycle_row, cycles)),
            numbers=frozenset({0, 6}),
        ),
        note=f"And {count_noun(hidden, 'earlier cycle')}, which the log has." if hidden > 0 else "",
    )


def _cycle_row(cycle: DecisionCycle) -> PanelRow:
    decision, execution = cycle.decision, cycle.execution
    action = f"{decision.action} {decision.quantity:g} {decision.asset}" if decision and decision.quantity else None
    broken = tuple(dict.fromkeys(each.rule_id for each in cycle.validation.violations)) if cycle.validation else ()
    cells = (
        f"{cycle.number:,}",
        format_minute(cycle.market.at) if cycle.market else _ABSENT,
        cycle.report.signal.value if cycle.report else _ABSENT,
        cycle.failed or action or (decision.action if decision else _ABSENT),
        _ABSENT if cycle.validation is None else "kept" if cycle.validation.passed else ", ".join(broken),
        execution.status if execution else _ABSENT,
        format_money(cycle.market.equity) if cycle.market else _ABSENT,
    )
    tone = "bad" if cycle.failed else _TONES.get(execution.status, "plain") if execution else "plain"
    return PanelRow(cells=tuple(map(one_line, cells)), tone=tone)


def _outline_table(table: Table) -> PanelTable:
    numbers = frozenset(place for place, side in enumerate(table.sides) if side == "right")
    return PanelTable(heads=table.heads, rows=tuple(PanelRow(cells=row) for row in table.rows), numbers=numbers)
