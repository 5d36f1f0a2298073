"""The Postgres store: everything in one schema of one database, from as many machines as there are."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import ExitStack, asynccontextmanager
from datetime import datetime
from functools import partial

from typing_extensions import override

from quaestor.contracts.command import Command, InboxEntry
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Event
from quaestor.contracts.ports import LeaseRenewer
from quaestor.contracts.session import Lease, Session
from quaestor.storage.postgres.announcements import announce, listen
from quaestor.storage.postgres.connection import PostgresDatabase
from quaestor.storage.postgres.migrations import migrate
from quaestor.storage.postgres.terms import PostgresTermIndex
from quaestor.storage.sql import erasure
from quaestor.storage.sql.coordination import renew_lease
from quaestor.storage.sql.database import Database, performed
from quaestor.storage.sql.dialect import Dialect
from quaestor.storage.sql.store import SqlStore

_PAGE_SIZE = 1_000
_NOT_CONTENT = ("ref", "tool")
"""Keys of a reply whose values are no text of a model."""


class _LeaseRenewer:
    """The `LeaseRenewer` port: all leases of a process are prolonged over one connection, which stays open."""

    exclusive = False

    def __init__(self, database: PostgresDatabase) -> None:
        self._database = database

    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        """Prolong a lease, also one that has expired; False when it was taken or given back."""
        return self._database.submit(partial(renew_lease, self._database, lease, expires_at))

    def close(self) -> None:
        """Leave the connection to the others."""


class PostgresStore(SqlStore):
    """The `Store` port over one Postgres database; `url` is its address."""

    def __init__(self, database: PostgresDatabase, url: str) -> None:
        super().__init__(database, _DIALECT)
        self._conninfo = database.conninfo
        self._renewing = PostgresDatabase(url, connections=1)

    @override
    async def create_session(self, session: Session, first: Sequence[Event]) -> None:
        await super().create_session(session, first)
        await self._announce_work()

    @override
    async def create_session_after(self, newest: str | None, session: Session, first: Sequence[Event]) -> bool:
        created = await super().create_session_after(newest, session, first)
        if created:
            await self._announce_work()
        return created

    @override
    async def send(self, session_id: str, order: Command, at: datetime) -> InboxEntry:
        entry = await super().send(session_id, order, at)
        await self._announce_work()
        return entry

    @override
    @asynccontextmanager
    async def hearing_of_work(self, announced: asyncio.Event) -> AsyncIterator[None]:
        listening = asyncio.create_task(listen(self._conninfo, announced))
        try:
            yield
        finally:
            listening.cancel()
            await asyncio.gather(listening, return_exceptions=True)

    @override
    def open_renewer(self) -> LeaseRenewer:
        """Open what prolongs leases from other threads, over a connection that no other work keeps busy."""
        return _LeaseRenewer(self._renewing)

    @override
    @performed
    def shred(self, at: datetime) -> None:
        """Delete what erased sessions have left, each part of it unless another session uses it.

        What Postgres keeps of deleted rows until its next VACUUM FULL, in its log and in backups is not overwritten.
        """
        erasure.finish(self._database, erasure.shred(self._database, self._dialect), at)

    @override
    async def close(self) -> None:
        self._renewing.close()
        await super().close()

    @performed
    def _announce_work(self) -> None:
        announce(self._database)


def open_store(url: str) -> PostgresStore:
    """Open the store at a URL; its tables are made, or brought up to date, by whoever comes first.

    Raises UsageError for an address that is none, StoreUnavailable where no server answers, HomeNotWritable where the
    role may not do what is needed, and SetupError for a store of a newer release.
    """
    database = PostgresDatabase(url)
    with ExitStack() as undo:
        undo.callback(database.close)
        database.submit(lambda: migrate(database))
        undo.pop_all()
    return PostgresStore(database, url)


def describe_server(url: str) -> str:
    """Return which server is at a URL, and how large its database is, without changing anything.

    Raises StoreUnavailable where none answers, SetupError for one that a crash may cost commits.
    """
    database = PostgresDatabase(url)
    try:
        [[version, size, fsync, pages]] = database.rows(
            "SELECT current_setting('server_version'), pg_database_size(current_database()), "
            "current_setting('fsync'), current_setting('full_page_writes')"
        )
    finally:
        database.close()
    if (fsync, pages) != ("on", "on"):
        raise SetupError(f"{database.path} runs with fsync {fsync} and full_page_writes {pages}; set both to on")
    return f"{database.path}, Postgres {version}, {size / 1e6:,.1f} MB"


def _delete_replies(database: Database, texts: AbstractSet[str]) -> None:
    """Delete the cached replies that hold one of the texts: the text itself, or an argument of a call."""
    last = ""
    while page := database.rows(
        "SELECT call, reply FROM replies WHERE call > ? ORDER BY call LIMIT ?", (last, _PAGE_SIZE)
    ):
        last = page[-1][0]
        for call, reply in page:
            if not texts.isdisjoint(erasure.find_texts(json.loads(reply), _NOT_CONTENT)):
                database.run("DELETE FROM replies WHERE call = ?", (call,))


_DIALECT = Dialect(
    term_index=PostgresTermIndex, delete_events="SELECT delete_erased_events(?, ?)", delete_replies=_delete_replies
)
