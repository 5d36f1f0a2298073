"""Candles as Parquet; needs the extra `market`."""

import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from quaestor.trading.market.candle_parser import RawTable
from quaestor.trading.market.candle_validation import InvalidCandles


def read_parquet(content: bytes) -> RawTable:
    """Return the rows of a file, counted from 1. Raises InvalidCandles."""
    try:
        table = pq.read_table(pa.BufferReader(content), use_threads=False)
        columns = [_cast_to_microseconds(column).to_pylist() for column in table.columns]
    except (pa.ArrowException, OSError) as error:
        raise InvalidCandles(f"it is no Parquet file that can be read: {error}") from None
    return RawTable(table.column_names, enumerate(zip(*columns, strict=True), 1))


def _cast_to_microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return times as Python can hold them; the others as they are."""
    kind = column.type
    return column.cast(pa.timestamp("us", kind.tz)) if pa.types.is_timestamp(kind) else column
