"""Connections to one Postgres database, one for each of a few threads, on which statements run.

A connection that is lost is opened again, and the work under way is done again from its beginning. Where it is lost in
a commit, the server is asked what became of that transaction, so that nothing is written twice.
"""

import asyncio
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from quaestor.contracts.errors import SetupError, StoreUnavailable, UsageError
from quaestor.storage.postgres.errors import ErrorTranslator, unreachable
from quaestor.storage.postgres.statements import TextDumper, TextLoader, bind, translate
from quaestor.storage.sql.database import Bindings, ResultRow

T = TypeVar("T")

_CONNECTIONS = 4
_PAUSES = (0.05, 0.1, 0.2, 0.4, 0.8, *(1.5,) * 40)
"""Seconds between two tries to reach a server, about a minute in all."""
_DEFAULTS = {
    "connect_timeout": "10",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
    "application_name": "quaestor",
}
"""A network that was cut is noticed within 25 seconds."""
_SESSION = (
    "SET synchronous_commit = on; SET lock_timeout = '60s'; SET idle_in_transaction_session_timeout = '15s'; "
    "SET client_encoding = 'UTF8'"
)
"""A commit is durable when it is acknowledged; a machine that vanished holds no lock for long."""

_STATUS = (
    "SELECT pg_xact_status(CAST(? AS xid8)), CAST(split_part(next_xid, ':', 1) AS BIGINT) * 4294967296 "
    "+ CAST(split_part(next_xid, ':', 2) AS BIGINT) FROM pg_control_checkpoint()"
)
"""What became of a transaction, and the number of the next one at the last checkpoint."""


class PostgresDatabase:
    """The `Database` that stores share, over Postgres."""

    row_lock = " FOR NO KEY UPDATE"

    def __init__(self, url: str, connections: int = _CONNECTIONS) -> None:
        try:
            parts = conninfo_to_dict(url)
        except psycopg.ProgrammingError:
            raise UsageError(
                "the address of the store is no URL as postgresql://USER:PASSWORD@HOST:PORT/DATABASE; correct it"
            ) from None  # the reason would show a part of it, which may be the password
        self.conninfo = make_conninfo(url, **{name: value for name, value in _DEFAULTS.items() if name not in parts})
        host, port = parts.get("hostaddr") or parts.get("host") or "localhost", parts.get("port") or "5432"
        self.path = f"postgresql://{host}:{port}/{parts.get('dbname') or ''}"
        self._naming = ErrorTranslator(self.path)
        self._threads = ThreadPoolExecutor(connections, thread_name_prefix="postgres")
        self._local = threading.local()
        self._opened: set[psycopg.Connection[ResultRow]] = set()
        self._closing = threading.Event()

    def rows(self, sql: str, bindings: Bindings = ()) -> list[ResultRow]:
        """Return every row of a query."""
        with self._naming:
            return self._execute(sql, bindings).fetchall()

    def row(self, sql: str, bindings: Bindings = ()) -> ResultRow | None:
        """Return the only row of a query, or None."""
        with self._naming:
            return self._execute(sql, bindings).fetchone()

    def run(self, sql: str, bindings: Bindings = ()) -> int:
        """Run a statement that gives no rows; the number of rows it changed."""
        with self._naming:
            return self._execute(sql, bindings).rowcount

    def run_script(self, script: str) -> None:
        """Run several statements without values."""
        with self._naming:
            self._connection.execute(script.encode())

    def execute_many(self, sql: str, rows: Iterable[Bindings]) -> None:
        """Run one statement for each of the rows, without waiting for each."""
        statement = translate(sql)
        values = [bind(statement, row) for row in rows]
        with self._naming, self._connection.cursor() as cursor:
            if len(values) == 1:  # a pipeline of one costs two waits more
                cursor.execute(statement, values[0])
            elif values:
                cursor.executemany(statement, values)

    @contextmanager
    def writing(self, *, durable: bool = True) -> Iterator[None]:  # noqa: ARG002 -- see below
        """Hold one transaction: committed at the end, undone when anything is raised.

        Every one is durable: a server can fail and come back while its clients go on. Raises StoreUnavailable where
        nothing of it was kept because the server went away.
        """
        with self._naming:
            connection = self._connection
            begun = connection.execute(b"BEGIN; SELECT pg_current_xact_id()::text")
            begun.nextset()
            [[transaction]] = begun.fetchall()
        try:
            yield
        except BaseException:
            with suppress(psycopg.Error):  # the server undoes what a lost connection began
                connection.execute(b"ROLLBACK")
            raise
        self._commit(connection, transaction)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See the database as it is now, in every query until the end."""
        with self._naming:
            connection = self._connection
            connection.execute(
                b"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL idle_in_transaction_session_timeout = 0"
            )
        try:
            yield
        finally:
            with suppress(psycopg.Error):
                connection.execute(b"COMMIT")

    def lock(self, name: str) -> None:
        """Hold a name against other transactions in this schema until this one ends."""
        self.rows("SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || ' ' || ?, 0))", (name,))

    async def perform(self, work: Callable[[], T]) -> T:
        """Do work in a thread that has a connection; it is carried to its end, also when the caller is cancelled."""
        under_way = asyncio.get_running_loop().run_in_executor(self._threads, self._persist, work)
        try:
            return await asyncio.shield(under_way)
        except asyncio.CancelledError:
            # A thread cannot be stopped. Left behind, it could commit after its caller has gone on as if nothing were
            # stored.
            await asyncio.wait([under_way])
            raise

    def submit(self, work: Callable[[], T]) -> T:
        """Do work once in a thread that has a connection, and wait for it."""
        return self._threads.submit(work).result()

    def close(self) -> None:
        """Close every connection, once the work under way has ended."""
        self._closing.set()
        self._threads.shutdown()
        for connection in self._opened:
            connection.close()
        self._opened.clear()

    def _persist(self, work: Callable[[], T]) -> T:
        """Do work again for as long as nothing of it was kept because of what passes by itself."""
        for pause in _PAUSES:
            try:
                return work()
            except StoreUnavailable:
                if self._closing.wait(pause):
                    raise
        return work()

    def _commit(self, connection: psycopg.Connection[ResultRow], transaction: str) -> None:
        try:
            with self._naming:
                connection.execute(b"COMMIT")
        # The answer to a commit was lost: done again it would be there twice, given up it could be there all the same.
        except StoreUnavailable:
            if not self._was_committed(transaction):
                raise

    def _was_committed(self, transaction: str) -> bool:
        """Return what became of a transaction whose commit was not answered.

        A server that crashed before anything of it was written gives its number again: so one that was not given yet at
        the checkpoint with which a server starts is not the one that was asked about, whatever became of it.
        """
        asked = self._local.server
        for pause in _PAUSES:
            with suppress(StoreUnavailable):
                try:
                    [[status, next_number]] = self.rows(_STATUS, (transaction,))
                except psycopg.errors.InvalidParameterValue:  # there is no such number yet
                    return False
                if self._local.server != asked and int(transaction) >= next_number:
                    return False
                if status in {"committed", "aborted"}:
                    return bool(status == "committed")
            if self._closing.wait(pause):
                break
        raise SetupError(
            f"the database {self.path} went away in a commit, so what was written last may be there or not; "
            "start it, then resume"
        )

    def _execute(self, sql: str, bindings: Bindings) -> psycopg.Cursor[ResultRow]:
        statement = translate(sql)
        return self._connection.execute(statement, bind(statement, bindings))

    @property
    def _connection(self) -> psycopg.Connection[ResultRow]:
        """The connection of this thread, opened again where it was lost between two transactions."""
        held: psycopg.Connection[ResultRow] | None = getattr(self._local, "connection", None)
        if held is None or held.closed:
            self._opened.discard(held) if held else None
            held = self._local.connection = self._connect()
            self._opened.add(held)
        return held

    def _connect(self) -> psycopg.Connection[Any]:
        try:
            connection = psycopg.connect(self.conninfo, autocommit=True)
        except psycopg.OperationalError as error:
            raise unreachable(self.path, error) from error
        connection.adapters.register_dumper(str, TextDumper)
        connection.adapters.register_loader("text", TextLoader)
        connection.execute(_SESSION.encode())
        self._local.server = connection.execute(b"SELECT pg_postmaster_start_time()::text").fetchone()
        return connection
