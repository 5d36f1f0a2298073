"""A file of candles as a series."""

from datetime import UTC, tzinfo
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.market import CandleNote, Series, Timeframe
from quaestor.tools.market.checking import Unreadable, checked
from quaestor.tools.market.comma import from_csv
from quaestor.tools.market.grid import Grid, candle_rows

_HASH_SHOWN = 12


class Loaded(NamedTuple):
    """The candles of a file, and what was unusual in it."""

    series: Series
    notes: tuple[CandleNote, ...]


def load(path: Path, asset: str, timeframe: Timeframe | None = None, zone: str | None = None) -> Loaded:
    """Read the candles of one asset from a file whose name ends in .csv, .tsv, .txt or .parquet; see docs/market.md.

    Without a timeframe it is the distance of the nearest rows. `zone` is that of times without an offset, as `UTC` or
    `Europe/Berlin`; without it they are refused. Raises UsageError, which names the rows that are wrong, MissingExtra
    for Parquet without the package that reads it.
    """
    placed = _zone(zone)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(
            f"candles of {asset} cannot be read from {path}: {error.strerror}; name another file"
        ) from None
    source = f"{path.name}@{sha256(content).hexdigest()[:_HASH_SHOWN]}"
    try:
        read, unread = candle_rows(_grid(path, content), asset, placed)
        series, notes = checked(asset, source, read, timeframe)
    except Unreadable as error:
        raise UsageError(f"candles of {asset} cannot be read from {path}: {error}") from None
    return Loaded(series, (*unread, *notes))


def _grid(path: Path, content: bytes) -> Grid:
    match path.suffix.lower():
        case ".csv" | ".tsv" | ".txt":
            return from_csv(content)
        case ".parquet":
            if find_spec("pyarrow") is None:
                raise MissingExtra("Parquet files need an extra: pip install 'quaestor[market]'")
            from quaestor.tools.market.parquet import from_parquet  # noqa: PLC0415 -- only for who has such files

            return from_parquet(content)
        case other:
            raise UsageError(f"candles are not read from {other or 'files without an ending'}; use .csv or .parquet")


def _zone(name: str | None) -> tzinfo | None:
    if name is None or name == "UTC":
        return UTC if name else None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise UsageError(f"there is no zone {name!r}; name one as UTC or Europe/Berlin") from None
