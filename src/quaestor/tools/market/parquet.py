"""Candles as Parquet; needs the extra `market`."""

import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from quaestor.tools.market.checking import Unreadable
from quaestor.tools.market.grid import Grid


def from_parquet(content: bytes) -> Grid:
    """Give the rows of a file, counted from 1. Raises Unreadable."""
    try:
        table = pq.read_table(pa.BufferReader(content), use_threads=False)
        columns = [_microseconds(column).to_pylist() for column in table.columns]
    except (pa.ArrowException, OSError) as error:
        raise Unreadable(f"it is no Parquet file that can be read: {error}") from None
    return Grid(table.column_names, enumerate(zip(*columns, strict=True), 1))


def _microseconds(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Give times as Python can hold them; the others as they are."""
    kind = column.type
    return column.cast(pa.timestamp("us", kind.tz)) if pa.types.is_timestamp(kind) else column
