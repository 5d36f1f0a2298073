"""Tables and their rows: the cells, and the characters of the text that they are."""

import csv
from collections.abc import Iterator, Sequence

from quaestor.contracts.immutable import Immutable


class Row(Immutable):
    """The cells of a row; its words are the characters from `start` up to `end` of the text."""

    cells: tuple[str, ...]
    start: int
    end: int


class Table(Immutable):
    """A whole table: what is written above it, the names of its columns, and its rows, each with a cell a column."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    beside: str = ""
    """Of an array in JSON, the plain values beside it."""


def whole_table(caption: str, rows: Sequence[Row]) -> Iterator[Table]:
    """Return the table whose first row names its columns, if all its rows are as long."""
    if len(rows) > 1 and all(rows[0].cells) and all(len(row.cells) == len(rows[0].cells) for row in rows):
        yield Table(caption, rows[0].cells, tuple(rows[1:]))


def csv_rows(text: str, start: int, delimiter: str) -> list[Row]:
    """Return the rows of CSV that begins at this place; none where a part of it is no CSV, as a quote that is open."""
    try:
        return list(_read_csv(text, start, delimiter))
    except csv.Error:
        return []


def _read_csv(text: str, start: int, delimiter: str) -> Iterator[Row]:
    place = begin = start

    def lines() -> Iterator[str]:
        nonlocal place
        for line in text.splitlines(keepends=True):
            place += len(line)
            yield line

    for cells in csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, strict=True):
        words = text[begin - start : place - start]
        lead = len(words) - len(words.lstrip())
        yield Row(tuple(cell.strip() for cell in cells), begin + lead, begin + max(len(words.rstrip()), lead))
        begin = place
