"""Copies of a whole store: taken while others write to it, and put back into one that is empty."""

import asyncio
from contextlib import ExitStack, closing
from pathlib import Path

import apsw

from quaestor.contracts.errors import UsageError
from quaestor.contracts.session import RELEASED_AT
from quaestor.storage.encoding import format_timestamp
from quaestor.storage.sqlite.connection import BUSY_MILLISECONDS, SqliteDatabase, open_database
from quaestor.storage.sqlite.errors import ErrorTranslator
from quaestor.storage.sqlite.migrations import migrate, open_migrated

_ACTING = "SELECT type, name, sql FROM sqlite_schema WHERE type IN ('view', 'trigger')"
_PAGES = 1_000
"""Pages copied at a time, 4 MB; between two pieces the event loop goes on."""


async def copy_store(place: Path, target: Path) -> None:
    """Copy a store as it is at this moment into a new file, whoever writes to it meanwhile.

    The copy holds no lease, as no process carries its sessions on, and no snapshot of a session. Raises StoreFull and
    other errors of a store.
    """
    with ExitStack() as undo, ErrorTranslator(str(target)):
        source = undo.enter_context(closing(apsw.Connection(str(place))))
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_schema").fetchall()  # one snapshot for all pieces
        copy = undo.enter_context(closing(apsw.Connection(str(target))))
        with copy.backup("main", source, "main") as pieces:
            while not pieces.done:
                pieces.step(_PAGES)
                await asyncio.sleep(0)
    with closing(open_database(target)) as copied:
        # Nobody carries the sessions of a copy on, so nobody must wait there for the holders of their leases.
        copied.run("UPDATE leases SET expires_at = ?", (format_timestamp(RELEASED_AT),))
        copied.run("DELETE FROM snapshots")
        copied.keep_wal_on_close(False)


def require_own_schema(place: Path) -> None:
    """Raise UsageError for a store with a view or a trigger that no release makes, which would act by itself."""
    with closing(open_database(":memory:")) as fresh, closing(open_database(place)) as found:
        migrate(fresh)
        foreign = {str(row) for row in found.rows(_ACTING)} - {str(row) for row in fresh.rows(_ACTING)}
        found.keep_wal_on_close(False)
    if foreign:
        raise UsageError("this is no store of this program: its database has views or triggers that no release makes")


def require_empty(place: Path) -> None:
    """Raise UsageError for a store that has sessions; one that is not there yet is made."""
    with closing(open_migrated(place)) as database:
        _require_no_sessions(database)


def fill_store(place: Path, source: Path) -> None:
    """Copy a store into an empty one, in one transaction. Raises UsageError where that has sessions by now."""
    with ExitStack() as undo:
        database = undo.enter_context(closing(open_migrated(place)))
        undo.enter_context(ErrorTranslator(str(place)))
        copied = undo.enter_context(closing(apsw.Connection(str(source), flags=apsw.SQLITE_OPEN_READONLY)))
        target = undo.enter_context(closing(apsw.Connection(str(place))))
        target.set_busy_timeout(BUSY_MILLISECONDS)
        with target.backup("main", copied, "main") as pieces:
            pieces.step(0)  # the lock alone: nobody begins a session from here on, and whoever has is seen
            _require_no_sessions(database)
            pieces.step(-1)


def _require_no_sessions(database: SqliteDatabase) -> None:
    if database.rows("SELECT 1 FROM sessions UNION ALL SELECT 1 FROM tombstones LIMIT 1"):
        raise UsageError(f"{database.path} has sessions, which would be lost; restore into an empty home")
