"""Tables of reStructuredText whose rows are the body of a directive."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.block_lines import Line, continuation_end, first_with_words, indented_end
from quaestor.evidence.table_rows import Row, csv_rows, whole_table

TABLE_DIRECTIVE = "-table::"
"""What the line of a directive has that holds a table."""
TABLE_DIRECTIVES = re.compile(r"\.\. (?:csv-|list-)?table::")
"""What every text has that holds a table below a directive, or one that a directive gives a title."""
_DIRECTIVE = re.compile(r"\.\. (?P<kind>csv|list)-table::[ \t]*(?P<title>.*)")
ROW = re.compile(r"\*[ \t]+(?=-)")
"""The bullet of a row in a table that is written as a list of lists."""
CELL = re.compile(r"-(?:[ \t]+|\Z)")
"""The bullet of a cell in such a row."""
_NESTED = re.compile(r"^(?:[-*+]|\d+\.|#\.|\.\.|\|)[ \t]|::\Z")
"""What begins a list or the like in a cell, or code below it."""
_ABOVE_CSV = re.compile(r"\.\. csv-table::[^\n]*(?:\n[ \t]*[^\s][^\n]*)*\s*\Z")
_MAX_ABOVE = 2_000
"""Characters above the first row in which the directive begins."""
_HEADER = re.compile(r":header:[ \t]+(?P<names>[^\n]+)")
_FIRST_NAMES = re.compile(r":header-rows:[ \t]+1\b")
_NAMED = {"header": "", "header-rows": "1"}
_OPTION = re.compile(r":(?P<name>[\w-]+):[ \t]*(?P<value>.*)")


class DirectiveTable(NamedTuple):
    """The rows below a directive, the first of which names the columns; none where nothing names them."""

    title: str
    rows: Sequence[Row]
    lines: range
    """The numbers of the lines of its rows, with or without names; none where these are no table."""
    end: int
    """The number of the line behind its last one, from 0."""


def read_table_directive(lines: Sequence[Line], at: int) -> DirectiveTable | None:
    """Return the table of the directive that a line is, None for any other line."""
    directive = _DIRECTIVE.fullmatch(lines[at].text)
    if directive is None:
        return None
    last = indented_end(lines, at + 1, lines[at].indent)
    options: dict[str, str] = {}
    body = at + 1
    while body <= last and (option := _OPTION.fullmatch(lines[body].text)):
        options[option["name"]] = option["value"]
        body = continuation_end(lines, body) + 1
    body = min(first_with_words(lines, body), last + 1)
    is_list = directive["kind"] == "list"
    rows = (_listed_rows if is_list else _csv_rows)(lines[body : last + 1], options)
    is_table = any(whole_table("", rows)) if is_list else bool(_csv_rows(lines[body : last + 1], {**options, **_NAMED}))
    return DirectiveTable(directive["title"], rows, range(body, last + 1 if is_table else body), last + 1)


def csv_header(text: str, start: int) -> tuple[int, int] | None:
    """Return the names of columns of the CSV that starts at a place below a directive, None where nothing names them.

    They are an option of the directive, or the first row.
    """
    above = _ABOVE_CSV.search(text, max(start - _MAX_ABOVE, 0), start)
    if above is None:
        return None
    if header := _HEADER.search(above[0]):
        return above.start() + header.start("names"), above.start() + header.end("names")
    end = text.find("\n", start)
    return (start, len(text) if end < 0 else end) if _FIRST_NAMES.search(above[0]) else None


def _csv_rows(body: Sequence[Line], options: Mapping[str, str]) -> Sequence[Row]:
    if not body or "file" in options or "url" in options or options.get("delim", ",") != ",":
        return ()
    # A line end, and blanks in place of what a line is indented by, keep every place.
    gaps = ("\n" + " " * (line.start - above.end - 1) + line.text for above, line in pairwise(body))
    text = body[0].text + "".join(gaps)
    rows = [row for row in csv_rows(text, body[0].start, ",") if any(row.cells)]
    named = [row for row in csv_rows(options.get("header", ""), 0, ",") if row.cells]
    heads = "0" if named else "1"
    return [*named, *rows] if options.get("header-rows", "0") == heads else ()


def _listed_rows(body: Sequence[Line], options: Mapping[str, str]) -> Sequence[Row]:
    """Return the rows of two bullets each; none where a cell holds more than words."""
    if not body or options.get("header-rows", "0") != "1":
        return ()
    rows: list[list[list[Line]]] = []
    for line in filter(lambda line: line.text, body):
        opening = ROW.match(line.text)
        cell = CELL.match(line.text, opening.end() if opening else 0)
        if opening and cell and line.indent == body[0].indent:
            rows.append([])
            inner = line.indent + opening.end()
        elif not rows or line.indent < inner or (line.indent == inner and not cell):
            return ()
        is_cell = cell is not None and (opening is not None or line.indent == inner)
        words = line._replace(text=line.text[cell.end() :]) if is_cell and cell else line
        if _NESTED.search(words.text):
            return ()
        if is_cell:
            rows[-1].append([words])
        else:
            rows[-1][-1].append(words)
    return [
        Row(tuple(" ".join(line.text for line in cell).strip() for cell in row), row[0][0].start, row[-1][-1].end)
        for row in rows
    ]
