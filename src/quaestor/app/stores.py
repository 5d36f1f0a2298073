"""Where the sessions of a home are kept: in a file of it, or in Postgres where the settings name one."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from quaestor.contracts.errors import MissingExtra
from quaestor.contracts.lazy import deferred
from quaestor.contracts.settings import Settings
from quaestor.storage.sql.store import SqlStore
from quaestor.storage.sqlite import open_store as open_file

DATABASE_FILE = "quaestor.db"
_open_postgres: Callable[[str], SqlStore] = deferred("quaestor.storage.postgres:open_store")
_describe_postgres: Callable[[str], str] = deferred("quaestor.storage.postgres:describe_server")


def open_store(settings: Settings, home: Path) -> SqlStore:
    """Open the store of a home.

    Raises HomeNotWritable, StoreCorrupt and SetupError where it cannot be used, UsageError for an address that is
    none, MissingExtra without the driver of Postgres.
    """
    return open_file(home / DATABASE_FILE) if settings.store is None else open_server(settings.store)


def open_server(url: str) -> SqlStore:
    """Open the store at the address of a Postgres database. Raises what `open_store` does."""
    with _extra():
        return _open_postgres(url)


def describe_server(url: str) -> str:
    """Return which server is at an address, without changing anything. Raises what `open_store` does."""
    with _extra():
        return _describe_postgres(url)


@contextmanager
def _extra() -> Iterator[None]:
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name != "psycopg":
            raise
        raise MissingExtra("sessions in Postgres need an extra", "postgres") from missing
