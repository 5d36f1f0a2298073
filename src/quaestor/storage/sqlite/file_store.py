"""The SQLite store: everything in one file, one connection a thread."""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path

from typing_extensions import override

from quaestor.storage.sql import erasure
from quaestor.storage.sql.dialect import Dialect
from quaestor.storage.sql.store import SqlLeaseRenewer, SqlStore
from quaestor.storage.sqlite import overwriting
from quaestor.storage.sqlite.connection import DatabasePath, SqliteDatabase, open_database
from quaestor.storage.sqlite.migrations import open_migrated
from quaestor.storage.sqlite.terms import Fts5TermIndex

_DIALECT = Dialect(
    term_index=Fts5TermIndex, delete_events=overwriting.DELETE_EVENTS, delete_replies=overwriting.delete_replies
)


class SqliteStore(SqlStore):
    """The `Store` port over one SQLite file."""

    def __init__(self, database: SqliteDatabase) -> None:
        super().__init__(database, _DIALECT)
        self._database: SqliteDatabase = database

    @override
    def open_renewer(self) -> SqlLeaseRenewer:
        """Open what prolongs leases from another thread; a store in memory has one connection for all threads."""
        if self._database.path == ":memory:":
            return SqlLeaseRenewer(self._database, owned=False, exclusive=True)
        return SqlLeaseRenewer(open_database(Path(self._database.path)), owned=True, exclusive=True)

    @override
    async def verify_chain(self, session_id: str) -> Sequence[str]:
        """Name every fault of a log, from a thread: a long one takes a while; a store in memory has one connection."""
        if self._database.path == ":memory:":
            return self._find_faults(session_id)
        return await asyncio.to_thread(self._find_faults, session_id)

    @override
    async def shred(self, at: datetime) -> None:
        """Overwrite and delete what erased sessions have left, each part of it unless another session uses it.

        Raises SetupError where another process keeps the file from being written anew; nothing of it is lost then.
        """
        await asyncio.to_thread(self._shred, at)

    def _shred(self, at: datetime) -> None:
        with self._erasing() as database:
            due = erasure.shred(database, self._dialect)
            overwriting.rewrite(database)
        erasure.finish(self._database, due, at)

    @override
    def _erasing(self) -> AbstractContextManager[SqliteDatabase]:
        return overwriting.open_for_erasure(self._database)


def open_store(place: DatabasePath) -> SqliteStore:
    """Open the store at a path, made if there is none, or one in memory.

    Raises HomeNotWritable, StoreCorrupt for a file that is no store (it is not changed), and SetupError for a
    store of a newer release.
    """
    return SqliteStore(open_migrated(place))
