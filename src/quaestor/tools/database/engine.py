"""Databases that are reached through SQLAlchemy, each in a transaction that may only read where it has one."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import sqlalchemy
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from quaestor.contracts.database import Column, Cut, Table
from quaestor.tools.database import postgres
from quaestor.tools.database.asking import Answer, Catalogue, Failure, Request, Rows
from quaestor.tools.database.cells import bounded
from quaestor.tools.database.listing import MOST_TABLES, catalogue

READ_ONLY = {
    "mysql": "START TRANSACTION READ ONLY",
    "mariadb": "START TRANSACTION READ ONLY",
    "oracle": "SET TRANSACTION READ ONLY",
}
"""What begins a transaction that may only read, by the name of the dialect; Postgres has a file of its own."""
_OWN_SCHEMAS = frozenset({"information_schema", "performance_schema", "mysql", "sys"})


def answer(request: Request) -> Answer:
    """Run the statement, or list the tables."""
    try:
        engine = sqlalchemy.create_engine(
            request.url,
            poolclass=NullPool,
            hide_parameters=True,
            connect_args=postgres.CONNECT if request.kind == "postgresql" else {},
        )
    except (NoSuchModuleError, ModuleNotFoundError):
        return Failure(reason="its driver is not installed; install the package that SQLAlchemy names for this URL")
    except (ArgumentError, ValueError):
        return Failure(reason="its URL cannot be read; write it as SQLAlchemy describes")
    try:
        with _reading(engine, request) as connection:
            refusal = postgres.refusal(connection, request.called) if request.kind == "postgresql" else None
            if refusal or not request.sql:
                return _catalogue(connection, request, refusal)
            try:
                return _rows(connection, request)
            except SQLAlchemyError as error:
                fault = _said(error)
        with _reading(engine, request) as connection:
            return _catalogue(connection, request, fault)
    except SQLAlchemyError as error:
        return Failure(reason=_said(error))


@contextmanager
def _reading(engine: sqlalchemy.Engine, request: Request) -> Iterator[sqlalchemy.Connection]:
    """Give a connection in a transaction that is rolled back at the end."""
    with engine.connect() as connection:
        if request.kind == "postgresql":
            postgres.begin(connection, request.seconds)
        elif begin := READ_ONLY.get(engine.dialect.name):
            connection.exec_driver_sql(begin)
        yield connection


def _rows(connection: sqlalchemy.Connection, request: Request) -> Rows:
    # A cursor on the server: nothing is fetched that is not shown, and Postgres takes one SELECT for it, nothing else.
    options = {"stream_results": True, "max_row_buffer": request.limit + 1, "no_parameters": True}
    with connection.execution_options(**options).exec_driver_sql(request.sql) as result:
        if not result.returns_rows:
            return Rows(columns=(), rows=())
        return bounded(list(result.keys()), result, request.limit)


def _catalogue(connection: sqlalchemy.Connection, request: Request, fault: str | None = None) -> Catalogue:
    inspector = sqlalchemy.inspect(connection)
    names = sorted(_names(inspector), key=lambda name: name[1].lower() not in request.names)
    cut = {Cut.TABLES} if len(names) > MOST_TABLES else set()
    write = connection.dialect.identifier_preparer.quote
    tables = [
        Table(
            name=write(table) if schema is None else f"{write(schema)}.{write(table)}",
            columns=tuple(
                Column(name=write(column["name"]), type=str(column["type"]))
                for column in inspector.get_columns(table, schema)
            ),
        )
        for schema, table in islice(names, MOST_TABLES)
    ]
    return catalogue(tables, cut, fault)


def _names(inspector: sqlalchemy.Inspector) -> Iterator[tuple[str | None, str]]:
    """Give schema and name of every table and view, those of the default schema first."""
    usual = inspector.default_schema_name
    others = [name for name in inspector.get_schema_names() if name != usual and name not in _OWN_SCHEMAS]
    for schema in (None, *others):
        for name in sorted({*inspector.get_table_names(schema), *inspector.get_view_names(schema)}):
            yield schema, name


def _said(error: SQLAlchemyError) -> str:
    """Give the first line of what the driver says, without the statement and the link that SQLAlchemy adds."""
    said = str(error.orig if isinstance(error, DBAPIError) and error.orig else error)
    return next(iter(said.strip().splitlines()), type(error).__name__)
