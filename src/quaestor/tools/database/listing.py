"""The tables of a database as a list that is no larger than a prompt can hold."""

from collections.abc import Collection, Sequence

from quaestor.contracts.database import Column, Cut, Table
from quaestor.tools.database.asking import Catalogue
from quaestor.views.visible import one_line

MOST_TABLES = 60
MOST_COLUMNS = 60
_LONGEST_NAME = 100
_LONGEST_FAULT = 300


def catalogue(tables: Sequence[Table], cut: Collection[Cut], fault: str | None) -> Catalogue:
    """Give a list of tables, each with as many columns as are shown."""
    short = any(len(table.columns) > MOST_COLUMNS for table in tables)
    return Catalogue(
        tables=tuple(map(_shown, tables)),
        cut=frozenset(cut) | ({Cut.TABLES} if short else frozenset()),
        fault=None if fault is None else one_line(fault)[:_LONGEST_FAULT],
    )


def _shown(table: Table) -> Table:
    return Table(name=_name(table.name), columns=tuple(map(_column, table.columns[:MOST_COLUMNS])))


def _column(column: Column) -> Column:
    return Column(name=_name(column.name), type=_name(column.type))


def _name(name: str) -> str:
    return one_line(name.encode(errors="replace").decode())[:_LONGEST_NAME]
