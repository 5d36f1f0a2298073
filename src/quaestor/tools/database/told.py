"""An answer in plain text, for whoever reads no JSON."""

from collections.abc import Sequence

from pydantic import JsonValue

from quaestor.contracts.database import Cut, Table
from quaestor.contracts.source import Hit
from quaestor.views.visible import one_line, visible

_LONGEST_LIST = 8_000
_LONGEST_PASSAGE = 1_000


def rows(columns: Sequence[str], rows: Sequence[Sequence[JsonValue]]) -> str:
    """Give rows as lines below their columns, one line a row whatever is in it."""
    if not rows:
        return "no rows"
    return "\n".join(" | ".join(map(_cell, row)) for row in (columns, *rows))


def tables(tables: Sequence[Table]) -> str:
    """Give tables as lines with their columns, as many as there is room for."""
    lines: list[str] = []
    room = _LONGEST_LIST
    for table in tables:
        columns = ", ".join(f"{column.name} {column.type}".strip() for column in table.columns)
        room -= len(columns) + len(table.name)
        if room < 0 and lines:
            names = ", ".join(each.name for each in tables[len(lines) :])
            return "\n".join((*lines, f"and {names}"[:_LONGEST_LIST]))
        lines.append(f"{table.name} ({columns})"[:_LONGEST_LIST])
    return "\n".join(lines) or "no tables"


def passages(hits: Sequence[Hit]) -> str:
    """Give passages, each below the document it stands in."""
    if not hits:
        return "no passages"
    return "\n\n".join(
        f"{one_line(hit.title)} ({one_line(hit.uri)})\n{visible(hit.passage.text)[:_LONGEST_PASSAGE]}" for hit in hits
    )


def noted(text: str, cut: Sequence[Cut]) -> str:
    """Give a text with what was left out of it."""
    return "\n".join((text, *(f"({each})" for each in cut)))


def _cell(value: JsonValue) -> str:
    match value:
        case None:
            return "NULL"
        case str():
            return one_line(value).replace("|", "\\|")
        case _:
            return str(value)
