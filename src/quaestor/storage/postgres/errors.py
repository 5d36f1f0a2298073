"""Postgres's errors in the words of the error tree, and which of them pass by themselves."""

from types import TracebackType

import psycopg
from psycopg import errors

from quaestor.contracts.errors import (
    HomeNotWritable,
    QuaestorError,
    SetupError,
    StoreCorrupt,
    StoreFull,
    StoreUnavailable,
    UsageError,
)
from quaestor.storage.errors import quote_for_message

_REASON_CHARACTERS = 200
_CONNECTION_LOST = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.TooManyConnections,
    errors.IdleInTransactionSessionTimeout,
)


class ErrorTranslator:
    """A context that turns what psycopg raises inside it into a QuaestorError; it may be entered again."""

    def __init__(self, path: str) -> None:
        self._path = path

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, psycopg.Error):
            named = _translate(error, self._path)
            if named:
                raise named from error
        if isinstance(error, UnicodeEncodeError):
            raise UsageError(f"{quote_for_message(error.object)} cannot be stored: it is not valid Unicode") from error


def unreachable(path: str, error: Exception) -> StoreUnavailable:
    """Return the error for a server that does not answer, or no longer."""
    return StoreUnavailable(f"the database {path} cannot be reached: {_reason(error)}; start it or mend the way to it")


def _translate(error: psycopg.Error, path: str) -> QuaestorError | None:
    match error:
        case errors.DiskFull():
            return StoreFull(
                f"no room to write {path} ({_reason(error)}); what was acknowledged is safe. Free some space, "
                "then resume"
            )
        case errors.InsufficientPrivilege() | errors.ReadOnlySqlTransaction():
            return HomeNotWritable(
                f"the store {path} cannot be written: {_reason(error)}; grant the role what docs/machines.md lists"
            )
        case errors.LockNotAvailable():
            return SetupError(
                f"another process kept a part of {path} locked for too long; end it or wait, then try again"
            )
        case errors.SerializationFailure() | errors.DeadlockDetected() | errors.ForeignKeyViolation():
            return StoreUnavailable(f"a transaction at {path} met others again and again: {_reason(error)}; try again")
        case errors.DataCorrupted() | errors.IndexCorrupted():
            return StoreCorrupt(f"{path} is damaged: {_reason(error)}; restore a backup")
        case errors.ProgramLimitExceeded():
            return UsageError(f"a name or a path is too long for an index of {path}: {_reason(error)}; shorten it")
        case psycopg.OperationalError() if error.sqlstate is None or isinstance(error, _CONNECTION_LOST):
            return unreachable(path, error)
        case _:
            return None


def _reason(error: Exception) -> str:
    """Return the first line of what Postgres says, which never holds a password."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0][:_REASON_CHARACTERS]
