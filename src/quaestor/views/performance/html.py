"""The results of a decision session as one HTML file that needs nothing else: no script, no font, no network."""

from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files

from quaestor.contracts.cycle import DecisionRecord
from quaestor.contracts.performance import Performance
from quaestor.views.element import Fragment, element, joined, style
from quaestor.views.performance import method, outline
from quaestor.views.performance.outline import Table
from quaestor.views.performance.picture import NARROW, WIDE, picture
from quaestor.views.visible import one_line

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def html(record: DecisionRecord) -> str:
    """Render the results; the text ends with a line end and is the same to the byte for the same results."""
    main = element("main", joined(*_content(record), by="\n"))
    page = joined(_head(record), element("body", main), by="\n")
    return f"<!doctype html>\n{element('html', page, lang='en').markup}\n"


def _head(record: DecisionRecord) -> Fragment:
    sheets = (
        files("quaestor.views").joinpath("report.css").read_text("utf-8"),
        files("quaestor.views.performance").joinpath("record.css").read_text("utf-8"),
    )
    return element(
        "head",
        joined(
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("meta", name="color-scheme", content="light dark"),
            element("meta", name="referrer", content="no-referrer"),
            element("title", one_line(record.mandate.objective)),
            *map(style, sheets),
            by="\n",
        ),
    )


def _content(record: DecisionRecord) -> Iterator[Fragment]:
    measured, unit = record.performance, record.mandate.currency
    yield element(
        "header",
        element("p", "Backtest" if record.backtest else "Decisions", class_="kind"),
        element("h1", one_line(record.mandate.objective), dir="auto"),
        element("p", outline.headline(record), class_="answer"),
    )
    if measured:
        yield from _pictures(record, measured)
        yield _section("Results", _table(outline.figures(measured)))
        yield _section("Trading", _facts(outline.trading(measured.trading, unit)))
        yield from _trades(record)
    yield _section("Cycles", _facts(outline.cycles(record.tally)), *_violations(record))
    yield _section("Mandate", _facts(outline.mandate(record)))
    yield from _listed("Candles", outline.notes(record))
    yield from _listed("What these results are not", method.limits(record))
    if measured:
        yield _section("How it is measured", _facts(method.measures(measured)))
    yield element("p", "Session ", element("code", record.session), ".", class_="note")


def _pictures(record: DecisionRecord, measured: Performance) -> Iterator[Fragment]:
    """Draw the equity for a wide and for a narrow page, of which one is shown."""
    if measured.basis.begins < measured.basis.ends:
        name = f"Equity and drawdown: {one_line(record.mandate.objective)}"
        for css, width in (("wide", WIDE), ("narrow", NARROW)):
            drawn = Fragment(picture(measured, name, record.mandate.currency, width))
            yield element("figure", drawn, class_=css)


def _trades(record: DecisionRecord) -> Iterator[Fragment]:
    tables = outline.trades(record)
    between = len(record.trades) - sum(len(table.rows) for table in tables)
    gap = [element("p", f"And {between:,} more between these and the last.", class_="note")] if between else []
    if tables:
        yield _section("Trades", _table(tables[0]), *gap, *map(_table, tables[1:]))


def _violations(record: DecisionRecord) -> tuple[Fragment, ...]:
    table = outline.violations(record.tally)
    if not table.rows:
        return (element("p", "No rule was broken.", class_="note"),)
    return (element("h3", "Rules that were broken"), _table(table))


def _section(heading: str, *blocks: Fragment) -> Fragment:
    return element("section", element("h2", heading), *blocks)


def _listed(heading: str, items: Sequence[str]) -> Iterator[Fragment]:
    if items:
        yield _section(heading, element("ul", *(element("li", one_line(item), dir="auto") for item in items)))


def _facts(pairs: Iterable[tuple[str, str]]) -> Fragment:
    rows = (element("div", element("dt", name), element("dd", one_line(value), dir="auto")) for name, value in pairs)
    return element("dl", *rows, class_="told")


def _table(table: Table) -> Fragment:
    heads = (element("th", head, scope="col", class_=side) for head, side in zip(table.heads, table.sides, strict=True))
    rows = (element("tr", *_cells(row, table.sides)) for row in table.rows)
    inner = (element("thead", element("tr", *heads)), element("tbody", joined(*rows, by="\n")))
    return element("div", element("table", *inner), class_="table", tabindex="0")


def _cells(row: Sequence[str], sides: Sequence[str]) -> Iterator[Fragment]:
    yield element("th", one_line(row[0]), scope="row")
    for cell, side in zip(row[1:], sides[1:], strict=True):
        yield element("td", one_line(cell), class_=side)
