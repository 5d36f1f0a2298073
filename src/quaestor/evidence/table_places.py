"""Where a quote is in a table: its sheet, its row and its columns."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import Quote, TableCell, TablePlace
from quaestor.evidence.table_rows import Row
from quaestor.evidence.tables import find_tables

_BOOK_SUFFIXES = frozenset({".xlsx", ".xlsm", ".xls", ".ods"})
"""Endings of files whose tables stand below the name of their sheet."""
_MAX_CELLS = 30
"""Of a longer row so many cells are kept, and those that are quoted."""


class _PlacedRow(Immutable):
    sheet: str
    number: int
    columns: Sequence[str]
    row: Row


def place_quotes(text: str, uri: str, quotes: Sequence[Quote]) -> tuple[TablePlace | None, ...]:
    """Return the place in a table of each quote of a source; None for one that is not within one row of a table."""
    suffix = PurePath(uri).suffix.casefold()
    rows = [
        _PlacedRow(table.caption if suffix in _BOOK_SUFFIXES else "", number, table.columns, row)
        for table in (find_tables(text, suffix) if quotes else ())
        for number, row in enumerate(table.rows, 1)
    ]
    starts = [each.row.start for each in rows]
    places: list[TablePlace | None] = []
    for quote in quotes:
        last = bisect_right(starts, quote.start)
        above = rows[max(last - 1, 0) : last]
        places.append(next((_place(text, quote, each) for each in above if quote.end <= each.row.end), None))
    return tuple(places)


def _place(text: str, quote: Quote, placed: _PlacedRow) -> TablePlace:
    spans = _cell_spans(text, placed.row)
    cells = [
        TableCell(column=column, value=value, quoted=max(start, quote.start) < min(end, quote.end))
        for column, value, (start, end) in zip(placed.columns, placed.row.cells, spans, strict=True)
    ]
    kept = tuple(cell for place, cell in enumerate(cells) if place < _MAX_CELLS or cell.quoted)
    return TablePlace(sheet=placed.sheet, row=placed.number, cells=kept)


def _cell_spans(text: str, row: Row) -> Iterator[tuple[int, int]]:
    """Return the characters of each cell, in order; those of the whole row for one that is written otherwise."""
    place = row.start
    for value in row.cells:
        found = text.find(value, place, row.end)
        if found < 0:
            yield row.start, row.end
            continue
        place = found + len(value)
        yield found, place
