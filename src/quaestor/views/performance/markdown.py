"""The results of a decision session as Markdown, with the tables of GitHub's dialect."""

from collections.abc import Iterable, Sequence
from urllib.parse import quote

from quaestor.contracts.cycle import DecisionRecord
from quaestor.views.performance import method, outline
from quaestor.views.performance.outline import Table
from quaestor.views.plain import inline, plain


def markdown(record: DecisionRecord, picture: str | None = None) -> str:
    """Render the results; the text ends with a line end and is the same to the byte for the same results.

    `picture` is where the picture of the equity is found from where the text will stand.
    """
    measured = record.performance
    blocks = [f"# {plain(record.mandate.objective)}", plain(outline.headline(record))]
    if measured:
        if picture:
            blocks.append(f"![Equity and drawdown]({quote(picture)})")
        blocks += ["## Results", _table(outline.figures(measured))]
        blocks += ["## Trading", _pairs(outline.trading(measured.trading, record.mandate.currency))]
        blocks += _trades(record)
    blocks += ["## Cycles", _pairs(outline.cycles(record.tally)), *_violations(record)]
    blocks += ["## Mandate", _pairs(outline.mandate(record))]
    blocks += _listed("## Candles", outline.notes(record))
    blocks += _listed("## What these results are not", method.limits(record))
    if measured:
        blocks += ["## How it is measured", _pairs(method.measures(measured))]
    return "\n\n".join((*blocks, f"Session `{record.session}`.")) + "\n"


def _trades(record: DecisionRecord) -> list[str]:
    tables = outline.trades(record)
    between = len(record.trades) - sum(len(table.rows) for table in tables)
    gap = [f"And {between:,} more between these and the last."] if between else []
    return ["## Trades", _table(tables[0]), *gap, *map(_table, tables[1:])] if tables else []


def _violations(record: DecisionRecord) -> list[str]:
    table = outline.violations(record.tally)
    return ["### Rules that were broken", _table(table)] if table.rows else ["No rule was broken."]


def _listed(heading: str, items: Sequence[str]) -> list[str]:
    return [heading, "\n".join(f"- {plain(item)}" for item in items)] if items else []


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- **{inline(name)}:** {inline(value)}" for name, value in pairs)


def _table(table: Table) -> str:
    rule = ["---", *("---:" if side == "right" else "---" for side in table.sides[1:])]
    rows = (table.heads, *table.rows)
    lines = [f"| {' | '.join(map(inline, row))} |" for row in rows]
    return "\n".join((lines[0], f"| {' | '.join(rule)} |", *lines[1:]))
