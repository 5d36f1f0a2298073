"""The requests and results of a database worker: values of any driver as JSON, cut to what a prompt can hold."""

import json
import math
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, time
from typing import Literal

from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract
from quaestor.contracts.database import Column, Table, Truncation
from quaestor.contracts.source import Hit
from quaestor.views.escaping import one_line, replace_hidden

MAX_REQUEST_BYTES = 1_000_000
MAX_RESPONSE_BYTES = 4_000_000
MAX_CELL_CHARACTERS = 1_000
MAX_ROWS_CHARACTERS = 20_000
"""Characters, of one cell and of all cells together."""
MAX_RESULT_COLUMNS = 50
_ELLIPSIS = "..."
_INTEGER_LIMIT = 2**63
"""From here on a whole number is given as text: few readers of JSON keep all its digits."""
MAX_TABLES = 60
MAX_TABLE_COLUMNS = 60
_MAX_NAME_CHARACTERS = 100
_MAX_ERROR_CHARACTERS = 300
_MAX_LIST_CHARACTERS = 8_000
_MAX_PASSAGE_CHARACTERS = 1_000
DatabaseKind = Literal["sqlite", "postgresql", "other"]


class Request(Contract):
    """One statement for one database, or none: then it lists its tables."""

    kind: DatabaseKind
    url: str = Field(repr=False, description="Of SQLite, the absolute path of the file.")
    sql: str = ""
    names: frozenset[str] = Field(default=frozenset(), description="Names in the statement, in lower case.")
    called: frozenset[str] = Field(default=frozenset(), description="Those that stand before a bracket.")
    limit: int
    seconds: float


class QueryRows(Contract):
    """What a statement gave."""

    columns: tuple[str, ...]
    rows: tuple[tuple[JsonValue, ...], ...]
    cut: frozenset[Truncation] = frozenset()


class TableCatalog(Contract):
    """The tables of a database, those a statement names first; and what was wrong with that statement."""

    tables: tuple[Table, ...]
    cut: frozenset[Truncation] = frozenset()
    fault: str | None = None


class Failure(Contract):
    """Why the database could not be asked at all."""

    reason: str


Response = QueryRows | TableCatalog | Failure


def limit_rows(columns: Sequence[str], rows: Iterable[Sequence[object]], limit: int) -> QueryRows:
    """Return at most `limit` rows as JSON, with the cuts that were made; `rows` is read one row further than that."""
    cut = {Truncation.COLUMNS} if len(columns) > MAX_RESULT_COLUMNS else set()
    kept: list[tuple[JsonValue, ...]] = []
    room = MAX_ROWS_CHARACTERS
    for row in rows:
        if len(kept) == limit:
            cut.add(Truncation.ROWS)
            break
        whole = [to_json_value(value) for value in row[:MAX_RESULT_COLUMNS]]
        short = tuple(_truncate_cell(value) for value in whole)
        room -= sum(len(str(value)) for value in short)
        if room < 0 and kept:
            cut.add(Truncation.SIZE)
            break
        if any(a != b for a, b in zip(whole, short, strict=True)):
            cut.add(Truncation.CELLS)
        kept.append(short)
    names = tuple(replace_hidden(name)[:MAX_CELL_CHARACTERS] for name in columns[:MAX_RESULT_COLUMNS])
    return QueryRows(columns=names, rows=tuple(kept), cut=frozenset(cut))


def to_json_value(value: object) -> JsonValue:
    """Return a value as JSON: null, truth values and numbers as such, all else as text that every store takes."""
    match value:
        case None | bool():
            return value
        case int() if -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
            return value
        case float() if math.isfinite(value):
            return value
        case str():
            return _printable(value)
        case bytes() | bytearray() | memoryview():
            return f"({memoryview(value).nbytes:,} bytes)"
        case datetime() | date() | time():
            return value.isoformat()
        case dict() | list() | tuple():
            return _printable(json.dumps(value, ensure_ascii=False, default=str))
        case _:
            return _printable(str(value))


def _truncate_cell(value: JsonValue) -> JsonValue:
    if isinstance(value, str) and len(value) > MAX_CELL_CHARACTERS:
        return value[: MAX_CELL_CHARACTERS - len(_ELLIPSIS)] + _ELLIPSIS
    return value


def _printable(text: str) -> str:
    """Return as much of a text as shows whether it is too long."""
    return replace_hidden(text[: MAX_CELL_CHARACTERS + 1].encode(errors="replace").decode())


def limit_tables(tables: Sequence[Table], cut: Collection[Truncation], fault: str | None) -> TableCatalog:
    """Return a list of tables, each with as many columns as are shown."""
    short = any(len(table.columns) > MAX_TABLE_COLUMNS for table in tables)
    return TableCatalog(
        tables=tuple(map(_limit_table, tables)),
        cut=frozenset(cut) | ({Truncation.TABLES} if short else frozenset()),
        fault=None if fault is None else one_line(fault)[:_MAX_ERROR_CHARACTERS],
    )


def _limit_table(table: Table) -> Table:
    return Table(name=_limit_name(table.name), columns=tuple(map(_limit_column, table.columns[:MAX_TABLE_COLUMNS])))


def _limit_column(column: Column) -> Column:
    return Column(name=_limit_name(column.name), type=_limit_name(column.type))


def _limit_name(name: str) -> str:
    return one_line(name.encode(errors="replace").decode())[:_MAX_NAME_CHARACTERS]


def format_rows(columns: Sequence[str], rows: Sequence[Sequence[JsonValue]]) -> str:
    """Return rows as lines below their columns, one line a row whatever is in it."""
    if not rows:
        return "no rows"
    return "\n".join(" | ".join(map(_format_cell, row)) for row in (columns, *rows))


def format_tables(tables: Sequence[Table]) -> str:
    """Return tables as lines with their columns, as many as there is room for."""
    lines: list[str] = []
    room = _MAX_LIST_CHARACTERS
    for table in tables:
        columns = ", ".join(f"{column.name} {column.type}".strip() for column in table.columns)
        room -= len(columns) + len(table.name)
        if room < 0 and lines:
            names = ", ".join(each.name for each in tables[len(lines) :])
            return "\n".join((*lines, f"and {names}"[:_MAX_LIST_CHARACTERS]))
        lines.append(f"{table.name} ({columns})"[:_MAX_LIST_CHARACTERS])
    return "\n".join(lines) or "no tables"


def format_passages(hits: Sequence[Hit]) -> str:
    """Return passages, each below its document."""
    if not hits:
        return "no passages"
    return "\n\n".join(
        f"{one_line(hit.title)} ({one_line(hit.uri)})\n{replace_hidden(hit.passage.text)[:_MAX_PASSAGE_CHARACTERS]}"
        for hit in hits
    )


def append_notes(text: str, cut: Sequence[Truncation]) -> str:
    """Return a text with what was left out of it."""
    return "\n".join((text, *(f"({each})" for each in cut)))


def _format_cell(value: JsonValue) -> str:
    match value:
        case None:
            return "NULL"
        case str():
            return one_line(value).replace("|", "\\|")
        case _:
            return str(value)
