"""The results of a decision session as Markdown and JSON, and the reports of its plugin in each format.

The JSON is a public schema: its names are never changed, only added to.
"""

from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Literal
from urllib.parse import quote

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.event import Event
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.results import (
    Benchmark,
    CurveMetrics,
    CycleCounts,
    DecisionResults,
    MeasurementBasis,
    Trade,
    TradeMetrics,
)
from quaestor.trading.performance import methodology, report_outline
from quaestor.trading.performance.html_report import render_html
from quaestor.trading.performance.methodology import caveats
from quaestor.trading.performance.report_outline import Table, candle_notes
from quaestor.trading.sessions import read_results
from quaestor.views.escaping import escape_hidden_json, escape_markdown, escape_markdown_inline


def render_markdown(record: DecisionResults, picture: str | None = None) -> str:
    """Render the results; the text ends with a line end and is the same to the byte for the same results.

    `picture` is where the picture of the equity is found from where the text will stand.
    """
    measured = record.performance
    blocks = [f"# {escape_markdown(record.mandate.objective)}", escape_markdown(report_outline.headline(record))]
    if measured:
        if picture:
            blocks.append(f"![Equity and drawdown]({quote(picture)})")
        blocks += ["## Results", _table(report_outline.metrics_table(measured))]
        blocks += ["## Trading", _pairs(report_outline.trade_metric_rows(measured.trading, record.mandate.currency))]
        blocks += _trades(record)
    blocks += ["## Cycles", _pairs(report_outline.cycle_rows(record.tally)), *_violations(record)]
    blocks += ["## Mandate", _pairs(report_outline.mandate_rows(record))]
    blocks += _list_section("## Candles", report_outline.candle_notes(record))
    blocks += _list_section("## What these results are not", methodology.caveats(record))
    if measured:
        blocks += ["## How it is measured", _pairs(methodology.metric_definitions(measured))]
    return "\n\n".join((*blocks, f"Session `{record.session}`.")) + "\n"


def _trades(record: DecisionResults) -> list[str]:
    tables = report_outline.trade_tables(record)
    between = len(record.trades) - sum(len(table.rows) for table in tables)
    gap = [f"And {between:,} more between these and the last."] if between else []
    return ["## Trades", _table(tables[0]), *gap, *map(_table, tables[1:])] if tables else []


def _violations(record: DecisionResults) -> list[str]:
    table = report_outline.violations_table(record.tally)
    return ["### Rules that were broken", _table(table)] if table.rows else ["No rule was broken."]


def _list_section(heading: str, items: Sequence[str]) -> list[str]:
    return [heading, "\n".join(f"- {escape_markdown(item)}" for item in items)] if items else []


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{escape_markdown_inline(name)}:** {escape_markdown_inline(value)}" for name, value in pairs)


def _table(table: Table) -> str:
    rule = ["---", *("---:" if side == "right" else "---" for side in table.sides[1:])]
    rows = (table.heads, *table.rows)
    lines = [f"| {' | '.join(map(escape_markdown_inline, row))} |" for row in rows]
    return "\n".join((lines[0], f"| {' | '.join(rule)} |", *lines[1:]))


class ComparisonData(Contract):
    """What the strategy is compared with."""

    kind: Benchmark
    figures: CurveMetrics
    note: str


class ResultsData(Contract):
    """The results; without `basis` and figures when no cycle saw the market. `quaestor cycles --json` has the curve."""

    format: Literal["quaestor-results-1"] = "quaestor-results-1"
    session: str
    backtest: bool
    mandate: Mandate
    models: tuple[str, ...]
    basis: MeasurementBasis | None = None
    strategy: CurveMetrics | None = None
    trading: TradeMetrics | None = None
    comparisons: tuple[ComparisonData, ...] = ()
    cycles: CycleCounts
    trades: tuple[Trade, ...]
    sources: tuple[str, ...]
    notes: tuple[str, ...]
    limits: tuple[str, ...] = Field(description="What these results are not.")


def render_json(record: DecisionResults) -> str:
    """Render results as `ResultsData` in JSON, indented by two; the text ends with a line end, and hides nothing."""
    measured = record.performance
    compared = measured.comparisons if measured else ()
    shape = ResultsData(
        session=record.session,
        backtest=record.backtest,
        mandate=record.mandate,
        models=record.models,
        basis=measured.basis if measured else None,
        strategy=measured.figures if measured else None,
        trading=measured.trading if measured else None,
        comparisons=tuple(ComparisonData(kind=one.kind, figures=one.figures, note=one.note) for one in compared),
        cycles=record.tally,
        trades=record.trades,
        sources=record.sources,
        notes=candle_notes(record),
        limits=caveats(record),
    )
    return escape_hidden_json(shape.model_dump_json(indent=2)) + "\n"


async def render_markdown_report(events: AsyncIterator[Event]) -> str:
    """Return the results as Markdown. Raises UsageError before the first cycle."""
    return render_markdown(await read_results(events))


async def render_html_report(events: AsyncIterator[Event]) -> str:
    """Return the results as a page. Raises UsageError before the first cycle."""
    return render_html(await read_results(events))


async def render_json_report(events: AsyncIterator[Event]) -> str:
    """Return the results as JSON. Raises UsageError before the first cycle."""
    return render_json(await read_results(events))
