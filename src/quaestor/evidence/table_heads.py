"""The names of the columns of a table for those of its passages that begin below them."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from quaestor.evidence.tables import DATA_SUFFIXES, TABLE_FILES, find_tables

_GRID_HEAD = re.compile(
    r"^[ \t]*\+[-+]+\+[ \t]*\n(?P<names>(?:[ \t]*[|+][^\n]*\n){1,8}?)[ \t]*\+[=+]+\+[ \t]*\n", re.MULTILINE
)
"""The top of a drawn table, whose cells may span columns, so that it is not read as one."""
_GRID_ROWS = re.compile(r"(?:[ \t]*[|+][^\n]*\n?)*+")


class _Head(NamedTuple):
    """The names of the columns of a table, and where its rows begin and end."""

    names: str
    start: int
    end: int


def columns_above(text: str, suffix: str, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return for each passage the names of the columns of its rows, joined by blanks, if they stand in an earlier one.

    `spans` are the places of the passages, in order; `suffix` is that of the file. A row alone does not say what its
    cells are, so that a long table would be found by the names of its columns in its first passage only.
    """
    starts = [start for start, _ in spans]
    above: list[list[str]] = [[] for _ in spans]
    for head in _heads(text, suffix):
        for place in range(bisect_left(starts, head.start), bisect_left(starts, head.end)):
            above[place].append(head.names)
    return tuple(map(" ".join, above))


def _heads(text: str, suffix: str) -> Iterator[_Head]:
    is_named_in_rows = suffix.casefold() in DATA_SUFFIXES.difference(TABLE_FILES)  # each object of JSON has its keys
    for table in () if is_named_in_rows else find_tables(text, suffix):
        yield _Head(" ".join(table.columns), table.rows[0].start, table.rows[-1].end)
    for found in _GRID_HEAD.finditer(text) if "+=" in text else ():
        rows = _GRID_ROWS.match(text, found.end())
        yield _Head(found["names"], found.end(), rows.end() if rows else found.end())
