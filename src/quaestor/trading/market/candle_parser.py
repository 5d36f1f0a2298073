"""Rows of a table as candles: which column is which, and how its times and numbers are written."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, tzinfo
from decimal import Decimal
from itertools import chain
from typing import NamedTuple, TypeAlias

from quaestor.trading.contracts.market import CandleNote, to_epoch_ms
from quaestor.trading.market.candle_validation import InvalidCandles, NumberedRow, raise_on_faults
from quaestor.trading.market.series import CandleRow

_TIME_NAMES = ("opentime", "timestamp", "unix", "unixtime", "datetime", "dateutc", "date", "time")
_PRICE_NAMES: Mapping[str, tuple[str, ...]] = {
    "open": ("open", "openprice", "o"),
    "high": ("high", "highprice", "h"),
    "low": ("low", "lowprice", "l"),
    "close": ("close", "closeprice", "last", "c"),
}
_VOLUME_NAMES = ("volume", "vol", "basevolume", "v")
_ASSET_NAMES = ("symbol", "asset", "ticker", "pair")

DEFAULT_COLUMNS = ("timestamp", "open", "high", "low", "close", "volume")
"""What the columns of a file without headings are, from the left."""


class ColumnMap(NamedTuple):
    """The places of the time, of the five numbers and of the asset's name, the last of these, and what is not read."""

    time: int
    numbers: tuple[int, ...]
    asset: int | None
    last: int
    ignored: tuple[str, ...]


def map_columns(headings: Sequence[str], asset: str) -> ColumnMap:
    """Find the columns; case, spaces and punctuation of headings do not count, and the first spelling in a list wins.

    Volume is also found as that of the asset's base, as `Volume BTC` for BTC/USDT. Raises ValueError, which says which
    column is missing or occurs twice.
    """
    plain = [_normalize_heading(heading) for heading in headings]
    base = _normalize_heading(re.split(r"[/\-:_]", asset)[0])
    volumes = (*_VOLUME_NAMES, f"volume{base}", f"{base}volume")
    time, *numbers = (
        _column_index(name, spellings, plain)
        for name, spellings in ({"time": _TIME_NAMES} | dict(_PRICE_NAMES) | {"volume": volumes}).items()
    )
    named = next((plain.index(spelling) for spelling in _ASSET_NAMES if spelling in plain), None)
    used = {time, *numbers} | ({named} if named is not None else set())
    ignored = (heading.strip() for place, heading in enumerate(headings) if place not in used)
    return ColumnMap(time, tuple(numbers), named, max(used), tuple(ignored))


def _column_index(name: str, spellings: Sequence[str], plain: Sequence[str]) -> int:
    spelling = next((spelling for spelling in spellings if spelling in plain), None)
    if spelling is None:
        raise ValueError(f"no column is headed {' or '.join(spellings)}, for the {name}")
    if plain.count(spelling) > 1:
        raise ValueError(f"{plain.count(spelling)} columns are headed {spelling}; leave one")
    return plain.index(spelling)


def _normalize_heading(heading: str) -> str:
    return re.sub(r"[^a-z0-9]", "", heading.lower())


TimestampParser = Callable[[str], int]
"""A time as it is written -> milliseconds. Raises ValueError, which says what is wrong with it."""


class _Unit(NamedTuple):
    name: str
    digits: range
    times: int
    divided: int


_UNITS = (
    _Unit("seconds", range(1, 12), 1000, 1),
    _Unit("milliseconds", range(12, 15), 1, 1),
    _Unit("microseconds", range(15, 18), 1, 1000),
    _Unit("nanoseconds", range(18, 20), 1, 1_000_000),
)
_INTEGER = re.compile(r"([0-9]{1,19})(?:\.0*)?")


def timestamp_parser(first: str, zone: tzinfo | None) -> TimestampParser:
    """Return how the times of a file are read, by its first one: all are written in the same way.

    A whole number counts from the beginning of 1970 in UTC: with at most 11 digits it is one of seconds, with 14 of
    milliseconds, with 17 of microseconds, with more of nanoseconds. Everything else is ISO 8601, with `UTC` as an
    offset too; a time without an offset is one of `zone`, and is refused without that.
    """
    number = _INTEGER.fullmatch(first.strip())
    if number is None:
        return lambda text: _parse_iso(text.strip(), zone)
    unit = next(unit for unit in _UNITS if len(number[1]) in unit.digits)
    return lambda text: _parse_epoch(text.strip(), unit)


def _parse_epoch(text: str, unit: _Unit) -> int:
    number = _INTEGER.fullmatch(text)
    if number is None or len(number[1]) not in unit.digits:
        raise ValueError(f"the time {text!r} is not one of {unit.name}, as the first one is")
    milliseconds, rest = divmod(int(number[1]) * unit.times, unit.divided)
    if rest:
        raise ValueError(f"the time {text!r} is no whole millisecond")
    return milliseconds


def _parse_iso(text: str, zone: tzinfo | None) -> int:
    try:
        time = datetime.fromisoformat(text.removesuffix("UTC").rstrip() + "Z" if text.endswith("UTC") else text)
    except ValueError:
        raise ValueError(
            f"the time {text!r} is neither a count from 1970 nor ISO 8601, as 2025-01-31T13:00:00Z"
        ) from None
    return to_epoch_ms(time if time.utcoffset() is not None else _localize(time, zone))


def _localize(time: datetime, zone: tzinfo | None) -> datetime:
    """Put a time without an offset into a zone, unless a clock there shows it twice or never."""
    if zone is None:
        raise ValueError(f"the time {time.isoformat()} has no offset; declare the zone of the file, as UTC")
    placed = time.replace(tzinfo=zone)
    if placed.utcoffset() != placed.replace(fold=1).utcoffset():
        raise ValueError(f"a clock in {zone} shows {time.isoformat()} twice or never; write it with an offset")
    return placed


Cell: TypeAlias = str | float | Decimal | None
"""A number, or the text of one; a time is text."""


class RawTable(NamedTuple):
    """The headings of a file, and its rows, each with its number as it is counted in that format."""

    headings: Sequence[str]
    rows: Iterator[tuple[int, Sequence[Cell]]]
    notes: tuple[CandleNote, ...] = ()


def parse_candles(grid: RawTable, asset: str, zone: tzinfo | None) -> tuple[list[NumberedRow], tuple[CandleNote, ...]]:
    """Return the rows of a grid as candles, and what was unusual. Raises InvalidCandles."""
    try:
        found = map_columns(grid.headings, asset)
    except ValueError as error:
        raise InvalidCandles(f"{error}; the columns are {', '.join(grid.headings)}") from None
    first = next(grid.rows, None)
    if first is None:
        raise InvalidCandles("there are no rows")
    time = timestamp_parser(str(first[1][found.time]) if found.time < len(first[1]) else "", zone)
    read: list[NumberedRow] = []
    faults: list[str] = []
    names: set[str] = set()
    for number, cells in chain([first], grid.rows):
        try:
            read.append(NumberedRow(number, _parse_row(cells, found, time)))
        except ValueError as error:
            faults.append(f"row {number}: {error}; mend or remove the row")
        else:
            names.update([str(cells[found.asset])] if found.asset is not None else [])
    if len(names) > 1:
        faults.insert(0, f"it holds candles of {', '.join(sorted(names))}; give one file an asset")
    raise_on_faults(faults)
    return read, (*grid.notes, *_ignored_columns_notes(found))


def _parse_row(cells: Sequence[Cell], found: ColumnMap, time: TimestampParser) -> CandleRow:
    if len(cells) <= found.last:
        raise ValueError(f"it has {len(cells)} cells, and {found.last + 1} are needed")
    return CandleRow(time(str(cells[found.time])), *[_parse_number(cells[place]) for place in found.numbers])


def _parse_number(cell: Cell) -> float:
    try:
        if cell is not None and not (isinstance(cell, str) and "_" in cell):  # Python reads 1_000, nobody else does
            return float(cell)
    except ValueError:
        pass
    raise ValueError(f"{cell!r} is not a number, as 1234.5")


def _ignored_columns_notes(found: ColumnMap) -> Iterator[CandleNote]:
    if found.ignored:
        yield CandleNote(kind="column", text=f"columns that are not read: {', '.join(found.ignored)}")
