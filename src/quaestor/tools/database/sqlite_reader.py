"""SQLite: the file is opened for reading, and nothing is let through that does more."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import apsw

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
from quaestor.tools.database.statement import UNSAFE_FUNCTIONS

_BUSY_MILLISECONDS = 2_000
_LIMITS = {
    apsw.SQLITE_LIMIT_LENGTH: 50_000_000,
    apsw.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    apsw.SQLITE_LIMIT_ATTACHED: 0,
    apsw.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_CONFIGURATION = {
    apsw.SQLITE_DBCONFIG_DEFENSIVE: 1,
    apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: 0,
    apsw.SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER: 0,
    apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE: 1,
}
"""A file can be written to attack who reads it: https://sqlite.org/security.html, section 1.1."""
_SETTINGS = "PRAGMA query_only=1; PRAGMA cell_size_check=1; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY"
_ALLOWED_ACTIONS = frozenset({apsw.SQLITE_SELECT, apsw.SQLITE_READ, apsw.SQLITE_RECURSIVE})
_ALLOWED_PRAGMAS = frozenset(
    {"table_xinfo", "table_list", "table_info", "index_list", "index_info", "foreign_key_list"}
)
_FTS_PRAGMA = "data_version"
"""Asked by SQLite's own full-text search."""
_UNQUOTED_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def handle_request(request: Request) -> Response:
    """Run the statement, or list the tables."""
    path = Path(request.url)
    if not path.is_file():
        return Failure(reason="there is no such file")
    try:
        with _open_read_only(path) as connection:
            return _run_request(connection, request)
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        return Failure(reason="the file cannot be opened; one in WAL mode needs a folder that can be written")
    except apsw.Error as error:
        return Failure(reason=f"the file cannot be read: {error}")


def _run_request(connection: apsw.Connection, request: Request) -> Response:
    if not request.sql:
        return _list_tables(connection, request)
    try:
        return _run_query(connection, request)
    except apsw.AuthError:
        return _list_tables(connection, request, "the statement does more than read, so it is not run")
    except apsw.NoMemError:
        return Failure(reason="it takes too much memory; ask for less")
    except UnicodeDecodeError:
        return _list_tables(connection, request, "a text is not in UTF-8; ask for hex(COLUMN) instead")
    except (apsw.NotADBError, apsw.CorruptError, apsw.CantOpenError, apsw.ReadOnlyError, apsw.BusyError):
        raise
    except (apsw.Error, ValueError, OverflowError) as error:
        return _list_tables(connection, request, str(error))


@contextmanager
def _open_read_only(path: Path) -> Iterator[apsw.Connection]:
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        for limit, value in _LIMITS.items():
            connection.limit(limit, value)
        for option, setting in _CONFIGURATION.items():
            connection.config(option, setting)
        connection.set_busy_timeout(_BUSY_MILLISECONDS)
        connection.execute(_SETTINGS).fetchall()  # else it stops at the first that answers
        connection.authorizer = _authorize
        yield connection


def _authorize(action: int, first: str | None, second: str | None, _: str | None, __: str | None) -> int:
    """Allow reading, and nothing else."""
    if action in _ALLOWED_ACTIONS:
        return apsw.SQLITE_OK
    if action == apsw.SQLITE_FUNCTION and (second or "").lower() not in UNSAFE_FUNCTIONS:
        return apsw.SQLITE_OK
    if action == apsw.SQLITE_PRAGMA and (first in _ALLOWED_PRAGMAS or (first == _FTS_PRAGMA and second is None)):
        return apsw.SQLITE_OK
    return apsw.SQLITE_DENY


def _run_query(connection: apsw.Connection, request: Request) -> QueryRows:
    cursor = connection.cursor()
    statements = 0

    def alone(cursor: apsw.Cursor, _sql: str, _given: object) -> bool:
        nonlocal statements
        statements += 1
        return statements == 1 and cursor.is_readonly

    cursor.exec_trace = alone
    cursor.execute(request.sql)
    return limit_rows([each[0] for each in cursor.get_description()], cursor, request.limit)


def _list_tables(connection: apsw.Connection, request: Request, fault: str | None = None) -> TableCatalog:
    listed = connection.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name"
    )
    names = sorted((str(name) for (name,) in listed), key=lambda name: name.lower() not in request.names)
    cut = {Truncation.TABLES} if len(names) > MAX_TABLES else set()
    return limit_tables([_describe_table(connection, name) for name in islice(names, MAX_TABLES)], cut, fault)


def _describe_table(connection: apsw.Connection, name: str) -> Table:
    columns = connection.execute("SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden IN (0, 2, 3)", (name,))
    return Table(
        name=_quote_identifier(name),
        columns=tuple(Column(name=_quote_identifier(str(column)), type=str(kind)) for column, kind in columns),
    )


def _quote_identifier(name: str) -> str:
    """Return a name as it is written in SQL."""
    if _UNQUOTED_IDENTIFIER.fullmatch(name) and name.upper() not in apsw.keywords:
        return name
    return '"' + name.replace('"', '""') + '"'
