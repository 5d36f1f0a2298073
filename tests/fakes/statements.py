"""The SQL statements that a store runs, and the rows that they return: the same on every machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import apsw

from quaestor.storage.sqlite import SqliteStore


@dataclass
class Statements:
    """How many statements were run, and how many rows they returned."""

    run: int = 0
    rows: int = 0


@contextmanager
def count_statements(store: SqliteStore) -> Iterator[Statements]:
    """Count the statements on the connection of a store while the body runs."""
    counted = Statements()

    def begin(_: apsw.Cursor, __: str, ___: "apsw.Bindings | None") -> bool:
        counted.run += 1
        return True

    def row(_: apsw.Cursor, values: "apsw.SQLiteValues") -> "apsw.SQLiteValues":
        counted.rows += 1
        return values

    connection = store._database._connection
    connection.exec_trace, connection.row_trace = begin, row
    try:
        yield counted
    finally:
        connection.exec_trace = connection.row_trace = None
