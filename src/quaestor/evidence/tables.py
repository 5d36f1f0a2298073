"""Tables in texts: of Markdown, CSV, reStructuredText, and arrays of objects in JSON, each row with its place.

A table that is not read to its end without doubt (spanned cells, rows of other lengths) is not returned at all; only a
row of a CSV file may end early, as many programs leave out the empty cells at its end.
"""

from collections.abc import Mapping, Sequence
from itertools import takewhile

from quaestor.contracts.immutable import replace
from quaestor.evidence.directive_tables import TABLE_DIRECTIVE
from quaestor.evidence.drawn_tables import drawn_tables
from quaestor.evidence.json_tables import json_tables, record_tables
from quaestor.evidence.table_rows import Row, Table, csv_rows, whole_table

_DELIMITERS: Mapping[str, str] = {".csv": ",", ".tsv": "\t", ".parquet": ","}
TABLE_FILES = tuple(_DELIMITERS)
"""The ends of the names of files whose text is rows, the first of which names the columns."""
_JSON_SUFFIXES = (".json",)
_RECORD_SUFFIXES = (".jsonl", ".ndjson")
DATA_SUFFIXES = frozenset({*_DELIMITERS, *_JSON_SUFFIXES, *_RECORD_SUFFIXES})
"""Endings of files that hold rows and no document of their own."""


def find_tables(text: str, suffix: str) -> tuple[Table, ...]:
    """Return the tables of a text in order; `suffix` is that of its file, with its dot."""
    kind = suffix.casefold()
    if kind in _DELIMITERS:
        rows = [row for row in csv_rows(text, 0, _delimiter(text, kind)) if any(row.cells)]
        titles, named = _without_titles(rows)
        return tuple(whole_table(titles[0] if titles else "", _without_counter(_padded(named))))
    if kind in _RECORD_SUFFIXES:
        return tuple(record_tables(text))
    if kind in _JSON_SUFFIXES:
        return tuple(json_tables(text))
    if "|" not in text and "==" not in text and TABLE_DIRECTIVE not in text:
        return ()
    return tuple(drawn_tables(text))


def _delimiter(text: str, kind: str) -> str:
    """Return what parts the cells of a file: of CSV a semicolon where its first line has more of these than commas.

    So spreadsheets write it in countries where a comma is in the numbers. A line with neither is a title above.
    """
    usual = _DELIMITERS[kind]
    first = next((line for line in text.split("\n") if ";" in line or "," in line), "")
    return ";" if usual == "," and first.count(";") > first.count(",") else usual


def _without_titles(rows: Sequence[Row]) -> tuple[Sequence[str], Sequence[Row]]:
    """Return the titles above the names of columns, as spreadsheets have them, each alone in its row; and the rest."""
    titles = [row.cells[0] for row in takewhile(lambda row: not any(row.cells[1:]), rows)]
    rest = rows[len(titles) :]
    return (titles, rest) if rest else ((), rows)


def _padded(rows: Sequence[Row]) -> list[Row]:
    """Return the rows, those of two cells or more filled up with empty ones to the length of the first."""
    length = len(rows[0].cells) if rows else 0
    return [
        replace(row, cells=(*row.cells, *[""] * (length - len(row.cells)))) if 1 < len(row.cells) < length else row
        for row in rows
    ]


def _without_counter(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows without a first column that has no name and counts them, as programs for statistics write it."""
    first = [row.cells[0] for row in rows]
    counts = (list(map(str, range(start, start + len(first) - 1))) for start in (0, 1))
    is_counted = len(first) > 1 and not first[0] and first[1:] in counts
    return [replace(row, cells=row.cells[1:]) for row in rows] if is_counted else rows
