"""A file as rows of cells, whatever its format, and the candles that stand in them."""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from decimal import Decimal
from itertools import chain
from typing import NamedTuple, TypeAlias

from quaestor.contracts.market import CandleNote
from quaestor.tools.market.checking import Read, Unreadable, refuse
from quaestor.tools.market.headings import Columns, columns
from quaestor.tools.market.table import Row
from quaestor.tools.market.times import Reading, reading

Cell: TypeAlias = str | float | Decimal | None
"""A number, or the text of one; a time is text."""


class Grid(NamedTuple):
    """The headings of a file, and its rows, each with its number as it is counted in that format."""

    headings: Sequence[str]
    rows: Iterator[tuple[int, Sequence[Cell]]]
    notes: tuple[CandleNote, ...] = ()


def candle_rows(grid: Grid, asset: str, zone: tzinfo | None) -> tuple[list[Read], tuple[CandleNote, ...]]:
    """Give the rows of a grid as candles, and what was unusual. Raises Unreadable."""
    try:
        found = columns(grid.headings, asset)
    except ValueError as error:
        raise Unreadable(f"{error}; the columns are {', '.join(grid.headings)}") from None
    first = next(grid.rows, None)
    if first is None:
        raise Unreadable("there are no rows")
    time = reading(str(first[1][found.time]) if found.time < len(first[1]) else "", zone)
    read: list[Read] = []
    faults: list[str] = []
    names: set[str] = set()
    for number, cells in chain([first], grid.rows):
        try:
            read.append(Read(number, _row(cells, found, time)))
        except ValueError as error:
            faults.append(f"row {number}: {error}; mend or remove the row")
        else:
            names.update([str(cells[found.asset])] if found.asset is not None else [])
    if len(names) > 1:
        faults.insert(0, f"it holds candles of {', '.join(sorted(names))}; give one file an asset")
    refuse(faults)
    return read, (*grid.notes, *_unread(found))


def _row(cells: Sequence[Cell], found: Columns, time: Reading) -> Row:
    if len(cells) <= found.last:
        raise ValueError(f"it has {len(cells)} cells, and {found.last + 1} are needed")
    return Row(time(str(cells[found.time])), *[_number(cells[place]) for place in found.numbers])


def _number(cell: Cell) -> float:
    try:
        if cell is not None and not (isinstance(cell, str) and "_" in cell):  # Python reads 1_000, nobody else does
            return float(cell)
    except ValueError:
        pass
    raise ValueError(f"{cell!r} is not a number, as 1234.5")


def _unread(found: Columns) -> Iterator[CandleNote]:
    if found.ignored:
        yield CandleNote(kind="column", text=f"columns that are not read: {', '.join(found.ignored)}")
