"""Candles as text, a row a line: CSV, also with semicolons or tabs."""

import csv
import re
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import chain, islice

from quaestor.contracts.market import CandleNote
from quaestor.tools.market.checking import Unreadable
from quaestor.tools.market.grid import Grid
from quaestor.tools.market.headings import UNHEADED

_DELIMITERS = ",;\t"
_COMMAS = len(UNHEADED) - 1
_ABOVE = 20
"""Lines that may stand above the table."""


def from_csv(content: bytes) -> Grid:
    """Give the rows of a file in UTF-8, counted as its lines; lines above the table are left aside.

    The delimiter is the one that stands most often in the first line that has five of it. Where that line holds
    numbers there are no headings, and the columns are those of UNHEADED. Raises Unreadable, also from the rows.
    """
    rows = _rows(TextIOWrapper(BytesIO(content), "utf-8-sig", newline=""))
    number, head = next(rows, (1, [""]))
    above = number - 1
    notes = (CandleNote(kind="column", text=f"lines above the table that are not read: {above}"),) if above else ()
    if len(head) > 1 and re.fullmatch(r"\s*[0-9.]+\s*", head[1]):
        spare = [f"column {place + 1}" for place in range(len(UNHEADED), len(head))]
        return Grid((*UNHEADED, *spare), chain([(number, head)], rows), notes)
    return Grid(head, rows, notes)


def _rows(lines: TextIOWrapper) -> Iterator[tuple[int, list[str]]]:
    """Give the cells of the table, from its first line on, with the numbers of their lines."""
    number = 0
    try:
        above, first = _head(lines)
        delimiter = max(_DELIMITERS, key=first.count)
        table = csv.reader(chain([first], lines), delimiter=delimiter)
        for cells in table:
            number = above + table.line_num
            if any(cells):
                yield number, cells
    except UnicodeDecodeError:
        raise Unreadable(f"it is not UTF-8 after row {number}; save it as UTF-8") from None
    except csv.Error as error:
        raise Unreadable(f"after row {number}: {error}") from None


def _head(lines: TextIOWrapper) -> tuple[int, str]:
    """Give the first line of the table, and the number of lines above it."""
    for above, line in enumerate(islice(lines, _ABOVE)):
        if max(map(line.count, _DELIMITERS)) >= _COMMAS:
            return above, line
    raise Unreadable(f"none of its first lines has {len(UNHEADED)} cells with commas, semicolons or tabs between them")
