"""Where a database is, as the user wrote it; and what of that nobody else may see."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, unquote_plus

from quaestor.contracts.database import Database
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.tools.database.protocol import DatabaseKind

_URL_PATTERN = re.compile(
    r"(?P<dialect>[^:+/]+)(?:\+(?P<driver>[^:/]+))?://(?:(?P<user>[^:/]*)(?::(?P<password>[^@]*))?@)?"
    r"(?P<host>\[[^/?]+\]|[^:/?]+)?(?::(?P<port>[^/?]*))?(?:/(?P<path>[^?]*))?(?:\?(?P<query>.*))?",
    re.DOTALL,
)
"""A URL as SQLAlchemy reads it."""
_READ_ONLY_DIALECTS = frozenset({"mysql", "mariadb", "oracle"})
"""Dialects with transactions that may only read, besides Postgres."""
_REDACTED = "***"


class DatabaseAddress(NamedTuple):
    """A database that can be asked; `url` is for its driver alone."""

    kind: DatabaseKind
    url: str
    secrets: tuple[str, ...]

    def hide(self, text: str) -> str:
        """Give a text without what only the user and the database may know."""
        for secret in self.secrets:
            text = text.replace(secret, _REDACTED)
        return text


def resolve_address(name: str, database: Database, environment: Mapping[str, str], folder: Path) -> DatabaseAddress:
    """Say how a database is reached; paths are below `folder`.

    Raises SetupError for a variable that is not set, UsageError for a URL that cannot be used.
    """
    url = database.url or environment.get(database.url_env or "", "")
    if not url:
        raise SetupError(f"the database {name} needs the variable {database.url_env}; set it to a SQLAlchemy URL")
    found = _URL_PATTERN.fullmatch(url)
    if found is None:
        raise UsageError(f"the URL of the database {name} is none; write DIALECT+DRIVER://USER:PASSWORD@HOST/NAME")
    dialect, driver = found["dialect"].lower(), (found["driver"] or "").lower()
    if dialect == "sqlite":
        return _sqlite_address(name, driver, found, folder)
    if dialect in {"postgresql", "postgres"}:
        if driver not in {"", "psycopg"}:
            raise UsageError(f"the database {name} is read by psycopg; write postgresql+psycopg:// before its address")
        return DatabaseAddress("postgresql", f"postgresql+psycopg://{url.partition('://')[2]}", _secrets(url, found))
    if dialect not in _READ_ONLY_DIALECTS and not database.read_only_account:
        raise UsageError(
            f"the database {name} is of {dialect}, which has no transaction that may only read; use an account that "
            "can change nothing, and say so with read_only_account"
        )
    return DatabaseAddress("other", url, _secrets(url, found))


def _sqlite_address(name: str, driver: str, found: re.Match[str], folder: Path) -> DatabaseAddress:
    path = unquote(found["path"] or "")
    if driver not in {"", "pysqlite"} or found["host"] or found["query"] or not path or path.startswith((":", "file:")):
        raise UsageError(f"the database {name} is one file of SQLite; write sqlite:///PATH and nothing more")
    return DatabaseAddress("sqlite", str((folder / path).absolute()), ())


def _secrets(url: str, found: re.Match[str]) -> tuple[str, ...]:
    """Give what must not be told, as it stands in the URL and as it is meant; the longest first."""
    written = [found["password"] or "", *(value for _, value in parse_qsl(found["query"] or ""))]
    query = [part.partition("=")[2] for part in (found["query"] or "").split("&")]
    userinfo = f"{found['user'] or ''}:{found['password']}" if found["password"] else ""
    every = {url, url.partition("://")[2], userinfo, *written, *query}
    every |= {unquote(each) for each in every} | {unquote_plus(each) for each in every}
    return tuple(sorted(filter(None, every), key=len, reverse=True))
