"""The results of a decision session as one HTML file that needs nothing else: no script, no font, no network."""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from quaestor.trading.contracts.results import DecisionResults, Performance
from quaestor.trading.performance import methodology, report_outline
from quaestor.trading.performance.chart import NARROW_WIDTH, WIDE_WIDTH, render_chart
from quaestor.trading.performance.report_outline import Table
from quaestor.views.escaping import Fragment, element, html_page, join, one_line


def render_html(record: DecisionResults) -> str:
    """Render the results; the text ends with a line end and is the same to the byte for the same results."""
    sheet = files("quaestor.trading.performance").joinpath("report.css").read_text("utf-8")
    body = element("body", element("main", join(*_content(record), by="\n")))
    return html_page(record.mandate.objective, body, sheet, lang="en")


def _content(record: DecisionResults) -> Iterator[Fragment]:
    measured, unit = record.performance, record.mandate.currency
    yield element(
        "header",
        element("p", "Backtest" if record.backtest else "Decisions", class_="kind"),
        element("h1", one_line(record.mandate.objective), dir="auto"),
        element("p", report_outline.headline(record), class_="answer"),
    )
    if measured:
        yield from _charts(record, measured)
        yield _section("Results", _table(report_outline.metrics_table(measured)))
        yield _section("Trading", _definition_list(report_outline.trade_metric_rows(measured.trading, unit)))
        yield from _trades(record)
    yield _section("Cycles", _definition_list(report_outline.cycle_rows(record.tally)), *_violations(record))
    yield _section("Mandate", _definition_list(report_outline.mandate_rows(record)))
    yield from _list_section("Candles", report_outline.candle_notes(record))
    yield from _list_section("What these results are not", methodology.caveats(record))
    if measured:
        yield _section("How it is measured", _definition_list(methodology.metric_definitions(measured)))
    yield element("p", "Session ", element("code", record.session), ".", class_="note")


def _charts(record: DecisionResults, measured: Performance) -> Iterator[Fragment]:
    """Draw the equity for a wide and for a narrow page, of which one is shown."""
    if measured.basis.begins < measured.basis.ends:
        name = f"Equity and drawdown: {one_line(record.mandate.objective)}"
        for css, width in (("wide", WIDE_WIDTH), ("narrow", NARROW_WIDTH)):
            drawn = Fragment(render_chart(measured, name, record.mandate.currency, width))
            yield element("figure", drawn, class_=css)


def _trades(record: DecisionResults) -> Iterator[Fragment]:
    tables = report_outline.trade_tables(record)
    between = len(record.trades) - sum(len(table.rows) for table in tables)
    gap = [element("p", f"And {between:,} more between these and the last.", class_="note")] if between else []
    if tables:
        yield _section("Trades", _table(tables[0]), *gap, *map(_table, tables[1:]))


def _violations(record: DecisionResults) -> tuple[Fragment, ...]:
    table = report_outline.violations_table(record.tally)
    if not table.rows:
        return (element("p", "No rule was broken.", class_="note"),)
    return (element("h3", "Rules that were broken"), _table(table))


def _section(heading: str, *blocks: Fragment) -> Fragment:
    return element("section", element("h2", heading), *blocks)


def _list_section(heading: str, items: Sequence[str]) -> Iterator[Fragment]:
    if items:
        yield _section(heading, element("ul", *(element("li", one_line(item), dir="auto") for item in items)))


def _definition_list(pairs: Iterable[tuple[str, str]]) -> Fragment:
    rows = (element("div", element("dt", name), element("dd", one_line(value), dir="auto")) for name, value in pairs)
    return element("dl", *rows, class_="pairs")


def _table(table: Table) -> Fragment:
    heads = (element("th", head, scope="col", class_=side) for head, side in zip(table.heads, table.sides, strict=True))
    rows = (element("tr", *_cells(row, table.sides)) for row in table.rows)
    inner = (element("thead", element("tr", *heads)), element("tbody", join(*rows, by="\n")))
    return element("div", element("table", *inner), class_="table", tabindex="0")


def _cells(row: Sequence[str], sides: Sequence[str]) -> Iterator[Fragment]:
    yield element("th", one_line(row[0]), scope="row")
    for cell, side in zip(row[1:], sides[1:], strict=True):
        yield element("td", one_line(cell), class_=side)
