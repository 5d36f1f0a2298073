"""Tables of reStructuredText whose rows are the body of a directive."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from quaestor.evidence.block_lines import Line
from quaestor.evidence.table_rows import Row, csv_rows

TABLE_DIRECTIVE = "-table::"
"""What every text has that holds such a table."""
_DIRECTIVE = re.compile(r"\.\. csv-table::[ \t]*(?P<title>.*)")
_OPTION = re.compile(r":(?P<name>[\w-]+):[ \t]*(?P<value>.*)")


class DirectiveTable(NamedTuple):
    """The rows below a directive, the first of which names the columns; none where nothing names them."""

    title: str
    rows: Sequence[Row]
    end: int
    """The number of the line behind its last one, from 0."""


def read_table_directive(lines: Sequence[Line], at: int) -> DirectiveTable | None:
    """Return the table of the directive that a line is, None for any other line."""
    directive = _DIRECTIVE.fullmatch(lines[at].text)
    if directive is None:
        return None
    end = at + 1
    while end < len(lines) and (not lines[end].text or lines[end].indent > lines[at].indent):
        end += 1
    options: dict[str, str] = {}
    body = at + 1
    while body < end and (option := _OPTION.fullmatch(lines[body].text)):
        options[option["name"]] = option["value"]
        body += 1
    return DirectiveTable(directive["title"], _csv_rows(lines[body:end], options), end)


def _csv_rows(body: Sequence[Line], options: dict[str, str]) -> Sequence[Row]:
    if not body or "file" in options or "url" in options or options.get("delim", ",") != ",":
        return ()
    # A line end, and blanks in place of what a line is indented by, keep every place.
    gaps = ("\n" + " " * (line.start - above.end - 1) + line.text for above, line in pairwise(body))
    text = body[0].text + "".join(gaps)
    rows = [row for row in csv_rows(text, body[0].start, ",") if any(row.cells)]
    named = [row for row in csv_rows(options.get("header", ""), 0, ",") if row.cells]
    heads = "0" if named else "1"
    return [*named, *rows] if options.get("header-rows", "0") == heads else ()
