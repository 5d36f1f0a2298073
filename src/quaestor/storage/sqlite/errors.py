"""SQLite's errors in the words of the error tree."""

import errno
from types import TracebackType

import apsw

from quaestor.contracts.errors import (
    HomeNotWritable,
    QuaestorError,
    SetupError,
    StoreCorrupt,
    StoreFull,
    UsageError,
)
from quaestor.storage.errors import quote_for_message

_NO_SPACE_ERRNOS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_NAMES_THAT_ARE_MISSING = ("no such column", "no such table")
"""What SQLite says where a bad disk changed the text of the schema; the statements themselves are fixed."""


class ErrorTranslator:
    """A context that turns what SQLite raises inside it into a QuaestorError; it may be entered again."""

    def __init__(self, path: str, connection: apsw.Connection | None = None) -> None:
        self._path = path
        self._connection = connection

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, apsw.Error):
            number = self._connection.system_errno if self._connection else 0
            named = _translate(error, self._path, number)
            if named:
                raise named from error
        if isinstance(error, UnicodeDecodeError):  # a bad disk changed a byte of a text
            raise store_corrupt(self._path, f"a text in it is not UTF-8: {error}") from error
        if isinstance(error, UnicodeEncodeError):
            raise UsageError(f"{quote_for_message(error.object)} cannot be stored: it is not valid Unicode") from error


def store_corrupt(path: str, reason: str) -> StoreCorrupt:
    """Build the error for a file that cannot be used as a store and was not changed."""
    return StoreCorrupt(
        f"{path} is not a readable Quaestor store: {reason}. The original is kept at {path}, as it was found. "
        "Put a backup in its place, or move it away to begin an empty store; "
        "`sqlite3 FILE .recover` can rescue rows from a copy of it"
    )


def _translate(error: apsw.Error, path: str, number: int) -> QuaestorError | None:
    match error:
        case apsw.FullError():
            return _store_full(path, error)
        case apsw.IOError() if number in _NO_SPACE_ERRNOS:
            return _store_full(path, error)
        case apsw.IOError():
            return SetupError(f"the disk under {path} failed: {error}; check the disk, then resume")
        case apsw.CorruptError() | apsw.NotADBError():
            return store_corrupt(path, str(error))
        case apsw.SQLError() if str(error).startswith(_NAMES_THAT_ARE_MISSING):
            return store_corrupt(path, f"its tables are not those of a store ({error})")
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError() | apsw.AuthError():
            return HomeNotWritable(
                f"the store {path} cannot be written: {error}; make the folder writable or use another home"
            )
        case apsw.BusyError() | apsw.ProtocolError():
            return SetupError(
                f"another process kept the store {path} locked for too long; end it or wait, then try again"
            )
        case _:
            return None


def _store_full(path: str, error: apsw.Error) -> StoreFull:
    return StoreFull(f"no room to write {path} ({error}); what was acknowledged is safe. Free some space, then resume")
