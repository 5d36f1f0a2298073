"""The connection to a database: its address, its secrets, and the worker process that sends it one request."""

import re
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, unquote_plus

from pydantic import TypeAdapter

from quaestor.contracts.database import Database
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.tools.database.protocol import MAX_RESPONSE_BYTES, DatabaseKind, Failure, Request, Response
from quaestor.tools.worker.pool import CancellationToken, ask_once, run_cancellable
from quaestor.tools.worker.process import WorkerError, WorkerSettings, WorkerTimedOut

_URL_PATTERN = re.compile(
    r"(?P<dialect>[^:+/]+)(?:\+(?P<driver>[^:/]+))?://(?:(?P<user>[^:/]*)(?::(?P<password>[^@]*))?@)?"
    r"(?P<host>\[[^/?]+\]|[^:/?]+)?(?::(?P<port>[^/?]*))?(?:/(?P<path>[^?]*))?(?:\?(?P<query>.*))?",
    re.DOTALL,
)
"""A URL as SQLAlchemy reads it."""
_READ_ONLY_DIALECTS = frozenset({"mysql", "mariadb", "oracle"})
"""Dialects with transactions that may only read, besides Postgres."""
_REDACTED = "***"
_PASSED_VARIABLES = {"HOME", "PATH", "TZ", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "ORACLE_HOME", "TNS_ADMIN"}
_PASSED_PREFIX = "PG"
"""Where drivers look for certificates, password files and the names of servers."""
_EXIT_SECONDS = 2.0
"""For a driver to cancel the query at its server."""
_RESPONSE_ADAPTER: TypeAdapter[Response] = TypeAdapter(Response)


class DatabaseAddress(NamedTuple):
    """A database that can be asked; `url` is for its driver alone."""

    kind: DatabaseKind
    url: str
    secrets: tuple[str, ...]

    def hide(self, text: str) -> str:
        """Return a text with the secrets replaced."""
        for secret in self.secrets:
            text = text.replace(secret, _REDACTED)
        return text


def resolve_address(name: str, database: Database, environment: Mapping[str, str], folder: Path) -> DatabaseAddress:
    """Return how a database is reached; paths are below `folder`.

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
    """Return the secrets of a URL, as written and decoded; the longest first."""
    written = [found["password"] or "", *(value for _, value in parse_qsl(found["query"] or ""))]
    query = [part.partition("=")[2] for part in (found["query"] or "").split("&")]
    userinfo = f"{found['user'] or ''}:{found['password']}" if found["password"] else ""
    every = {url, url.partition("://")[2], userinfo, *written, *query}
    every |= {unquote(each) for each in every} | {unquote_plus(each) for each in every}
    return tuple(sorted(filter(None, every), key=len, reverse=True))


AskWorker = Callable[[Request, Mapping[str, str]], Awaitable[Response]]
"""Returns the response to a request, with the environment of this process."""


async def ask_worker(request: Request, environment: Mapping[str, str]) -> Response:
    """Return what a database answers; a failure names its time limit when that is over.

    Cancelled or late, it leaves no process and no query behind.
    """
    settings = WorkerSettings(
        module="quaestor.tools.database.worker",
        environment=_environment(environment),
        max_response_bytes=MAX_RESPONSE_BYTES,
        exit_seconds=_EXIT_SECONDS,
    )
    message = request.model_dump_json().encode()

    def ask(cancellation: CancellationToken) -> Response:
        return ask_once(settings, request.seconds, _RESPONSE_ADAPTER.validate_json, cancellation, message)

    try:
        return await run_cancellable(ask)
    except WorkerTimedOut:
        return Failure(reason=f"it took more than {request.seconds:g} s; ask for less")
    except WorkerError:  # it ended early, or the database controls it
        return Failure(reason="its driver ended; it took too much memory, or it crashed")


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in given.items() if name in _PASSED_VARIABLES or name.startswith(_PASSED_PREFIX)
    }
