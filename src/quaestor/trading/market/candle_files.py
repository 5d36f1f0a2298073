"""Candles from files: CSV, also with semicolons or tabs, and Parquet."""

import csv
import re
from collections.abc import Callable, Iterator
from datetime import UTC, tzinfo
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO, TextIOWrapper
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.lazy import LazyImport
from quaestor.files import read_regular_file
from quaestor.trading.contracts.market import CandleNote, CandleSeries, Timeframe
from quaestor.trading.market.candle_parser import DEFAULT_COLUMNS, RawTable, parse_candles
from quaestor.trading.market.candle_validation import InvalidCandles, validate_candles

_READ_PARQUET: LazyImport[Callable[[bytes], RawTable]] = LazyImport(
    "quaestor.trading.market.parquet_reader:read_parquet"
)
_DELIMITERS = ",;\t"
_MIN_DELIMITERS = len(DEFAULT_COLUMNS) - 1
_MAX_BYTES = 1024**3
"""Of a file; a minute's candles of ten years have a third of it."""
_MAX_PREAMBLE_LINES = 20
"""Lines that a file may have above the table."""


def read_csv(content: bytes) -> RawTable:
    """Return the rows of a file in UTF-8, counted as its lines; lines above the table are left aside.

    The delimiter is the most frequent one of the first line that has five of it. Where that line holds
    numbers there are no headings, and the columns are DEFAULT_COLUMNS. Raises InvalidCandles, also from the rows.
    """
    rows = _csv_rows(TextIOWrapper(BytesIO(content), "utf-8-sig", newline=""))
    number, head = next(rows, (1, [""]))
    above = number - 1
    notes = (CandleNote(kind="column", text=f"lines above the table that are not read: {above}"),) if above else ()
    if len(head) > 1 and re.fullmatch(r"\s*[0-9.]+\s*", head[1]):
        spare = [f"column {place + 1}" for place in range(len(DEFAULT_COLUMNS), len(head))]
        return RawTable((*DEFAULT_COLUMNS, *spare), chain([(number, head)], rows), notes)
    return RawTable(head, rows, notes)


def _csv_rows(lines: TextIOWrapper) -> Iterator[tuple[int, list[str]]]:
    """Return the cells of the table, from its first line on, with the numbers of their lines."""
    number = 0
    try:
        above, first = _find_header(lines)
        delimiter = max(_DELIMITERS, key=first.count)
        table = csv.reader(chain([first], lines), delimiter=delimiter)
        for cells in table:
            number = above + table.line_num
            if any(cells):
                yield number, cells
    except UnicodeDecodeError:
        raise InvalidCandles(f"it is not UTF-8 after row {number}; save it as UTF-8") from None
    except csv.Error as error:
        raise InvalidCandles(f"after row {number}: {error}") from None


def _find_header(lines: TextIOWrapper) -> tuple[int, str]:
    """Return the first line of the table, and the number of lines above it."""
    for above, line in enumerate(islice(lines, _MAX_PREAMBLE_LINES)):
        if max(map(line.count, _DELIMITERS)) >= _MIN_DELIMITERS:
            return above, line
    raise InvalidCandles(
        f"none of its first lines has {len(DEFAULT_COLUMNS)} cells with commas, semicolons or tabs between them"
    )


_HASH_PREFIX_LENGTH = 12


class LoadedCandles(NamedTuple):
    """The candles of a file, and what was unusual in it."""

    series: CandleSeries
    notes: tuple[CandleNote, ...]


def load_candles(path: Path, asset: str, timeframe: Timeframe | None = None, zone: str | None = None) -> LoadedCandles:
    """Read the candles of one asset from a file whose name ends in .csv, .tsv, .txt or .parquet; see docs/market.md.

    Without a timeframe it is the distance of the nearest rows. `zone` is that of times without an offset, as `UTC` or
    `Europe/Berlin`; without it they are refused. Raises UsageError, which names the rows that are wrong, MissingExtra
    for Parquet without the package that reads it.
    """
    placed = _parse_zone(zone)
    try:
        content = read_regular_file(path, _MAX_BYTES)
    except OSError as error:
        raise UsageError(
            f"candles of {asset} cannot be read from {path}: {error.strerror}; name another file"
        ) from None
    source = f"{path.name}@{sha256(content).hexdigest()[:_HASH_PREFIX_LENGTH]}"
    try:
        read, unread = parse_candles(_read_table(path, content), asset, placed)
        series, notes = validate_candles(asset, source, read, timeframe)
    except InvalidCandles as error:
        raise UsageError(f"candles of {asset} cannot be read from {path}: {error}") from None
    return LoadedCandles(series, (*unread, *notes))


def _read_table(path: Path, content: bytes) -> RawTable:
    match path.suffix.lower():
        case ".csv" | ".tsv" | ".txt":
            return read_csv(content)
        case ".parquet":
            if find_spec("pyarrow") is None:
                raise MissingExtra("Parquet files need an extra", "market")
            return _READ_PARQUET.load()(content)
        case other:
            raise UsageError(f"candles are not read from {other or 'files without an ending'}; use .csv or .parquet")


def _parse_zone(name: str | None) -> tzinfo | None:
    if name is None or name == "UTC":
        return UTC if name else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"there is no zone {name!r}; name one as UTC or Europe/Berlin") from None
