"""The results of a decision session as Markdown, with the tables of GitHub's dialect."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from quaestor.trading.contracts.results import DecisionResults
from quaestor.trading.performance import methodology, report_outline
from quaestor.trading.performance.report_outline import Table
from quaestor.views.escaping import escape_markdown, escape_markdown_inline


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
