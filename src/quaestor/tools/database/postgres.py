"""Postgres: a transaction that may only read, and no function that acts beyond it."""

from collections.abc import Collection, Mapping

import sqlalchemy
from psycopg import Connection
from psycopg.types.string import TextLoader
from sqlalchemy.exc import DBAPIError

CONNECT: Mapping[str, object] = {"connect_timeout": 10, "application_name": "quaestor"}
_SETTINGS = (
    "SET TRANSACTION READ ONLY",
    "SET LOCAL standard_conforming_strings = on",
    "SET LOCAL lock_timeout = '2s'",
    "SET LOCAL idle_in_transaction_session_timeout = '10s'",
)
_WATCHFUL = "SET LOCAL client_connection_check_interval = '1s'"
"""Ends a query whose client is gone; Postgres 14 and later, where the system can tell."""
_AS_WRITTEN = ("json", "jsonb")
"""Given as text: what is nested too deeply cannot be read."""
_SPARE_SECONDS = 2
"""The tool gives up first; this is for when it cannot."""
_HARMLESS = (
    "clock_timestamp", "gen_random_uuid", "random", "random_normal", "timeofday", "uuidv4", "uuidv7", "setseed",
    "pg_column_size", "pg_relation_size", "pg_table_size", "pg_total_relation_size", "pg_database_size",
)  # fmt: skip
"""Postgres calls them volatile since they answer otherwise the next time; they change nothing."""
_VOLATILE = sqlalchemy.text(
    "SELECT proname FROM pg_catalog.pg_proc WHERE provolatile = 'v' AND lower(proname) IN :called"
    " ORDER BY proname LIMIT 1"
).bindparams(sqlalchemy.bindparam("called", expanding=True))


def begin(connection: sqlalchemy.Connection, seconds: float) -> None:
    """Make this transaction one that may only read, for so long; all of it ends with the transaction."""
    driver = connection.connection.driver_connection
    if isinstance(driver, Connection):
        for kind in _AS_WRITTEN:
            driver.adapters.register_loader(kind, TextLoader)
    for setting in _SETTINGS:
        connection.exec_driver_sql(setting)
    milliseconds = round((seconds + _SPARE_SECONDS) * 1000)
    connection.exec_driver_sql(f"SET LOCAL statement_timeout = {milliseconds}")
    try:
        with connection.begin_nested():
            connection.exec_driver_sql(_WATCHFUL)
    except DBAPIError:
        return


def refusal(connection: sqlalchemy.Connection, called: Collection[str]) -> str | None:
    """Say why a statement that calls these functions is not run, or None.

    A function that is `volatile` may do anything (https://www.postgresql.org/docs/current/xfunc-volatility.html), also
    what a transaction does not undo: read the files of the server, end other sessions, count a sequence on.
    """
    names = sorted(set(called).difference(_HARMLESS))
    found = connection.execute(_VOLATILE, {"called": names}).scalar() if names else None
    return None if found is None else f"the function {found} may do more than read, so it is not run; ask without it"
