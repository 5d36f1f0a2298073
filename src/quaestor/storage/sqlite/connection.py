from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal

import apsw

from quaestor.contracts.errors import HomeNotWritable
from quaestor.storage.sqlite.naming import Naming, corrupt

APPLICATION_ID = 0x51554145
"""Marks a SQLite file as a Quaestor store: `QUAE` in ASCII."""

Place = Path | Literal[":memory:"]
Columns = tuple[Any, ...]
"""One row of a query."""

Bindings = Sequence[str | int | float | bytes | None]

_BUSY_MILLISECONDS = 10_000


class Database:
    """One connection to one database. Every method raises in the words of the error tree.

    Statements run on the calling thread: a commit costs less than handing it to another thread would.
    """

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self.path = path
        self._connection = connection
        self._naming = Naming(path, connection)

    def rows(self, sql: str, bindings: Bindings = ()) -> list[Columns]:
        """Give every row of a query."""
        with self._naming:
            return self._connection.execute(sql, bindings).fetchall()

    def row(self, sql: str, bindings: Bindings = ()) -> Columns | None:
        """Give the only row of a query, or None."""
        found = self.rows(sql, bindings)
        return found[0] if found else None

    def run(self, sql: str, bindings: Bindings = ()) -> int:
        """Run statements that give no rows; the number of rows the last of them changed."""
        with self._naming:
            self._connection.execute(sql, bindings)
            return self._connection.changes()

    def run_each(self, sql: str, rows: Iterable[Bindings]) -> None:
        """Run one statement for each of the rows."""
        with self._naming:
            self._connection.executemany(sql, rows)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the write lock for one transaction: committed at the end, undone when anything is raised."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        finally:
            if self._connection.in_transaction:
                self.run("ROLLBACK")

    def keep_log(self, keep: bool) -> None:
        """Choose whether `close` leaves the write-ahead log as it is, and with it the main file."""
        with self._naming:
            self._connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, int(keep))

    def close(self) -> None:
        """Close the connection; a second call does nothing."""
        with self._naming:
            self._connection.close()


def open_database(place: Place) -> Database:
    """Open or create a database that is durable at every commit.

    Raises HomeNotWritable when the folder or the file cannot be written, and StoreCorrupt when the file is not
    a database or another program's; such a file is not changed.
    """
    path = str(place)
    if isinstance(place, Path):
        _make_folder(place)
    with ExitStack() as undo:
        with Naming(path):
            connection = apsw.Connection(path)
        undo.callback(connection.close)
        database = Database(connection, path)
        database.keep_log(True)
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        _inspect(database)
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            database.rows(f"PRAGMA {pragma}")
        undo.pop_all()
    return database


def _make_folder(place: Path) -> None:
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise HomeNotWritable(
            f"the folder {place.parent} cannot be created: {error.strerror}; use another home"
        ) from error


def _inspect(database: Database) -> None:
    [[application, tables]] = database.rows(
        "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id"
    )
    if application == APPLICATION_ID or (application == 0 and tables == 0):
        return
    raise corrupt(database.path, f"it belongs to another program (application id {application:#x})")
