"""The rows of a Parquet file as CSV, below the names of their columns; needs the extra `tables`."""

import csv
import io

import pyarrow as pa  # type: ignore[import-untyped]  # it ships no types
import pyarrow.parquet as pq  # type: ignore[import-untyped]

from quaestor.tools.reading.protocol import MAX_RESPONSE_BYTES, ParsedDocument, SkipReason

_BATCH_ROWS = 10_000
_BEYOND_PYTHON = (ValueError, OverflowError, LookupError)
"""Raised for times of nanoseconds, outside its calendar or in a zone it does not know, and for text that is none."""


def parse_parquet(content: bytes) -> ParsedDocument | SkipReason:
    """Return the rows in order; what is no text or number, as a list, is written as Python writes it.

    Raises MemoryError for more than this process may hold.
    """
    written = io.StringIO()
    lines = csv.writer(written, lineterminator="\n")
    pa.set_memory_pool(pa.system_memory_pool())  # the others reserve more addresses than a reader may have
    try:
        with pq.ParquetFile(pa.BufferReader(content)) as file:
            lines.writerow(" ".join(name.split()) for name in file.schema_arrow.names)
            for batch in file.iter_batches(_BATCH_ROWS, use_threads=False):
                lines.writerows(zip(*(_one_line(column) for column in batch.columns), strict=True))
                if written.tell() > MAX_RESPONSE_BYTES:
                    return SkipReason.TOO_MUCH_TEXT
    except MemoryError:  # Arrow's own is an ArrowException too, and says nothing of the file
        raise
    except (pa.ArrowException, OSError, *_BEYOND_PYTHON):
        return SkipReason.DAMAGED
    return ParsedDocument(text=written.getvalue())


def _one_line(column: pa.Array) -> list[str]:
    """Return the values of a column as texts without line ends; nothing for a missing one."""
    return ["" if value is None else " ".join(str(value).split()) for value in _values(column)]


def _values(column: pa.Array) -> list[object]:
    """Return the values as Python has them, else times in the words of Arrow, in UTC. Raises as both do."""
    try:
        values: list[object] = column.to_pylist()
    except _BEYOND_PYTHON:
        if pa.types.is_timestamp(column.type):
            column = column.view(pa.timestamp(column.type.unit))
        values = column.cast(pa.string()).to_pylist()
    return values
