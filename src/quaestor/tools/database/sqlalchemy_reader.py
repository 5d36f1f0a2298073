"""Databases that are reached through SQLAlchemy, each in a transaction that may only read where it has one."""

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice

import sqlalchemy
from psycopg import Connection
from psycopg.types.string import TextLoader
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from quaestor.contracts.database import Column, Table, Truncation
from quaestor.tools.database.protocol import (
    MAX_TABLES,
    Failure,
    QueryRows,
    Request,
    Response,
    TableCatalog,
    limit_rows,
    limit_tables,
)

READ_ONLY_STATEMENTS = {
    "mysql": "START TRANSACTION READ ONLY",
    "mariadb": "START TRANSACTION READ ONLY",
    "oracle": "SET TRANSACTION READ ONLY",
}
"""What begins a transaction that may only read, by the name of the dialect; Postgres has a file of its own."""
_SYSTEM_SCHEMAS = frozenset({"information_schema", "performance_schema", "mysql", "sys"})


def handle_request(request: Request) -> Response:
    """Run the statement, or list the tables."""
    try:
        engine = sqlalchemy.create_engine(
            request.url,
            poolclass=NullPool,
            hide_parameters=True,
            connect_args=POSTGRES_CONNECT_ARGUMENTS if request.kind == "postgresql" else {},
        )
    except (NoSuchModuleError, ModuleNotFoundError):
        return Failure(reason="its driver is not installed; install the package that SQLAlchemy names for this URL")
    except (ArgumentError, ValueError):
        return Failure(reason="its URL cannot be read; write it as SQLAlchemy describes")
    try:
        with _read_only_connection(engine, request) as connection:
            refusal = volatile_function_refusal(connection, request.called) if request.kind == "postgresql" else None
            if refusal or not request.sql:
                return _list_tables(connection, request, refusal)
            try:
                return _run_query(connection, request)
            except SQLAlchemyError as error:
                fault = _error_message(error)
        with _read_only_connection(engine, request) as connection:
            return _list_tables(connection, request, fault)
    except SQLAlchemyError as error:
        return Failure(reason=_error_message(error))


@contextmanager
def _read_only_connection(engine: sqlalchemy.Engine, request: Request) -> Iterator[sqlalchemy.Connection]:
    """Return a connection in a transaction that is rolled back at the end."""
    with engine.connect() as connection:
        if request.kind == "postgresql":
            begin_read_only(connection, request.seconds)
        elif begin := READ_ONLY_STATEMENTS.get(engine.dialect.name):
            connection.exec_driver_sql(begin)
        yield connection


def _run_query(connection: sqlalchemy.Connection, request: Request) -> QueryRows:
    # A cursor on the server: nothing is fetched that is not shown, and Postgres takes one SELECT for it, nothing else.
    options = {"stream_results": True, "max_row_buffer": request.limit + 1, "no_parameters": True}
    with connection.execution_options(**options).exec_driver_sql(request.sql) as result:
        if not result.returns_rows:
            return QueryRows(columns=(), rows=())
        return limit_rows(list(result.keys()), result, request.limit)


def _list_tables(connection: sqlalchemy.Connection, request: Request, fault: str | None = None) -> TableCatalog:
    inspector = sqlalchemy.inspect(connection)
    names = sorted(_table_names(inspector), key=lambda name: name[1].lower() not in request.names)
    cut = {Truncation.TABLES} if len(names) > MAX_TABLES else set()
    write = connection.dialect.identifier_preparer.quote
    tables = [
        Table(
            name=write(table) if schema is None else f"{write(schema)}.{write(table)}",
            columns=tuple(
                Column(name=write(column["name"]), type=str(column["type"]))
                for column in inspector.get_columns(table, schema)
            ),
        )
        for schema, table in islice(names, MAX_TABLES)
    ]
    return limit_tables(tables, cut, fault)


def _table_names(inspector: sqlalchemy.Inspector) -> Iterator[tuple[str | None, str]]:
    """Return schema and name of every table and view, those of the default schema first."""
    usual = inspector.default_schema_name
    others = [name for name in inspector.get_schema_names() if name != usual and name not in _SYSTEM_SCHEMAS]
    for schema in (None, *others):
        for name in sorted({*inspector.get_table_names(schema), *inspector.get_view_names(schema)}):
            yield schema, name


def _error_message(error: SQLAlchemyError) -> str:
    """Return the first line of the driver's message, without the statement and the link that SQLAlchemy adds."""
    message = str(error.orig if isinstance(error, DBAPIError) and error.orig else error)
    return next(iter(message.strip().splitlines()), type(error).__name__)


POSTGRES_CONNECT_ARGUMENTS: Mapping[str, object] = {"connect_timeout": 10, "application_name": "quaestor"}
_POSTGRES_SETTINGS = (
    "SET TRANSACTION READ ONLY",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL lock_timeout = '2s'",
    "SET LOCAL idle_in_transaction_session_timeout = '10s'",
)
_CHECK_CLIENT_CONNECTION = "SET LOCAL client_connection_check_interval = '1s'"
"""Ends a query whose client is gone; Postgres 14 and later, where the system can detect it."""
_TEXT_TYPES = ("json", "jsonb")
"""Given as text: what is nested too deeply cannot be read."""
_TIMEOUT_MARGIN_SECONDS = 2
"""The tool ends a query first; this is for when it cannot."""
_ALLOWED_VOLATILE = (
    "clock_timestamp", "gen_random_uuid", "random", "random_normal", "timeofday", "uuidv4", "uuidv7", "setseed",
    "pg_column_size", "pg_relation_size", "pg_table_size", "pg_total_relation_size", "pg_database_size",
)  # fmt: skip
"""Postgres calls them volatile since they answer otherwise the next time; they change nothing."""
_FIND_VOLATILE = sqlalchemy.text(
    "SELECT proname FROM pg_catalog.pg_proc WHERE provolatile = 'v' AND lower(proname) IN :called"
    " ORDER BY proname LIMIT 1"
).bindparams(sqlalchemy.bindparam("called", expanding=True))


def begin_read_only(connection: sqlalchemy.Connection, seconds: float) -> None:
    """Make this transaction one that may only read, for so long; all of it ends with the transaction."""
    driver = connection.connection.driver_connection
    if isinstance(driver, Connection):
        for kind in _TEXT_TYPES:
            driver.adapters.register_loader(kind, TextLoader)
    for setting in _POSTGRES_SETTINGS:
        connection.exec_driver_sql(setting)
    milliseconds = round((seconds + _TIMEOUT_MARGIN_SECONDS) * 1000)
    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(_CHECK_CLIENT_CONNECTION)
    except DBAPIError:
        return


def volatile_function_refusal(connection: sqlalchemy.Connection, called: Collection[str]) -> str | None:
    """Return why a statement that calls these functions is not run, or None.

    A function that is `volatile` may do anything (https://www.postgresql.org/docs/current/xfunc-volatility.html), also
    what a transaction does not undo: read the files of the server, end other sessions, count a sequence on.
    """
    names = sorted(set(called).difference(_ALLOWED_VOLATILE))
    found = connection.execute(_FIND_VOLATILE, {"called": names}).scalar() if names else None
    return None if found is None else f"the function {found} may do more than read, so it is not run; ask without it"
