"""Values of any driver as JSON that is no larger than a prompt can hold."""

import json
import math
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time

from pydantic import JsonValue

from quaestor.contracts.database import Cut
from quaestor.tools.database.asking import Rows
from quaestor.views.visible import visible

LONGEST_CELL = 1_000
LONGEST_ROWS = 20_000
"""Characters, of one cell and of all cells together."""
MOST_COLUMNS = 50
_SHORTENED = "..."
_LARGEST = 2**63
"""From here on a whole number is given as text: few readers of JSON keep all its digits."""


def bounded(columns: Sequence[str], rows: Iterable[Sequence[object]], limit: int) -> Rows:
    """Give at most `limit` rows as JSON, with the cuts that were made; `rows` is read one row further than that."""
    cut = {Cut.COLUMNS} if len(columns) > MOST_COLUMNS else set()
    kept: list[tuple[JsonValue, ...]] = []
    room = LONGEST_ROWS
    for row in rows:
        if len(kept) == limit:
            cut.add(Cut.ROWS)
            break
        whole = [cell(value) for value in row[:MOST_COLUMNS]]
        short = tuple(_short(value) for value in whole)
        room -= sum(len(str(value)) for value in short)
        if room < 0 and kept:
            cut.add(Cut.SIZE)
            break
        if any(a != b for a, b in zip(whole, short, strict=True)):
            cut.add(Cut.CELLS)
        kept.append(short)
    names = tuple(visible(name)[:LONGEST_CELL] for name in columns[:MOST_COLUMNS])
    return Rows(columns=names, rows=tuple(kept), cut=frozenset(cut))


def cell(value: object) -> JsonValue:
    """Give a value as JSON: null, truth values and numbers as such, all else as text that every store takes."""
    match value:
        case None | bool():
            return value
        case int() if -_LARGEST <= value < _LARGEST:
            return value
        case float() if math.isfinite(value):
            return value
        case str():
            return _storable(value)
        case bytes() | bytearray() | memoryview():
            return f"({memoryview(value).nbytes:,} bytes)"
        case datetime() | date() | time():
            return value.isoformat()
        case dict() | list() | tuple():
            return _storable(json.dumps(value, ensure_ascii=False, default=str))
        case _:
            return _storable(str(value))


def _short(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and len(value) > LONGEST_CELL:
        return value[: LONGEST_CELL - len(_SHORTENED)] + _SHORTENED
    return value


def _storable(text: str) -> str:
    """Give as much of a text as tells whether it is too long."""
    return visible(text[: LONGEST_CELL + 1].encode(errors="replace").decode())
