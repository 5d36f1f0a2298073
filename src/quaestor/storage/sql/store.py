"""The store: sessions, events, leases and commands in one database, each method one transaction."""

import asyncio
from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from datetime import datetime

from typing_extensions import override

from quaestor.contracts.command import Command, InboxEntry, Settlement
from quaestor.contracts.errors import UnknownSession
from quaestor.contracts.event import Event
from quaestor.contracts.session import (
    LOCAL_TENANT,
    Lease,
    LeaseOwner,
    LogStatus,
    Remains,
    Session,
    SessionQuery,
    Tombstone,
)
from quaestor.contracts.signature import ChainLink, LogHead, LogRecord, SignedHead
from quaestor.storage.chain import GENESIS
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.errors import (
    erased_session,
    nothing_to_append,
    session_exists,
    unknown_session,
)
from quaestor.storage.event_rows import LogHead as LogEnd
from quaestor.storage.sql import coordination, erasure, listing, signatures, transfer
from quaestor.storage.sql import events as log
from quaestor.storage.sql.access import SqlAccess
from quaestor.storage.sql.copying import SqlCopies
from quaestor.storage.sql.database import Database, ResultRow, performed
from quaestor.storage.sql.dialect import Dialect
from quaestor.storage.sql.library import SqlLibrary
from quaestor.storage.sql.limits import SqlLimits
from quaestor.storage.sql.snapshots import SqlSnapshotCache
from quaestor.storage.sql.workers import SqlWorkers

_COLUMNS = (
    "id, task_key, workflow, question, created_at, events, last_at, outcome, tenant, status, progress, "
    "dollars, folder, queued_at, due_at"
)
_SESSIONS = f"SELECT {_COLUMNS} FROM sessions "  # noqa: S608 -- named above
_NO_LIMIT = 2**31 - 1
_RUNNABLE = f"SELECT {_COLUMNS} FROM {listing.RUNNABLE}"  # noqa: S608 -- named above


class SqlLeaseRenewer:
    """The `LeaseRenewer` port: one UPDATE a beat, a transaction of its own."""

    def __init__(self, database: Database, *, owned: bool, exclusive: bool) -> None:
        self._database = database
        self._owned = owned
        self.exclusive = exclusive

    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        """Prolong a lease, also one that has expired; False when it was taken or given back."""
        return coordination.renew_lease(self._database, lease, expires_at)

    def close(self) -> None:
        """Close its connection."""
        if self._owned:
            self._database.close()


class SqlStore(SqlCopies):
    """The `Store` port over one database, with the library, the replies and the snapshots beside it."""

    def __init__(self, database: Database, dialect: Dialect) -> None:
        self._database = database
        self._dialect = dialect
        self.library = SqlLibrary(database, dialect.term_index)
        self.replies = SqlReplyCache(database)
        self.access = SqlAccess(database)
        self.snapshots = SqlSnapshotCache(database)
        self.workers = SqlWorkers(database)
        self.limits = SqlLimits(database)

    @override
    @performed
    def create_session(self, session: Session, first: Sequence[Event]) -> None:
        with self._database.writing():
            self._create_with(session, first)

    @override
    @performed
    def create_session_after(self, newest: str | None, session: Session, first: Sequence[Event]) -> bool:
        with self._database.writing():
            # Looking for a session and making one are one step: ten processes with the same question would make ten
            # sessions, all of them paid, if each looked before the first had made its own.
            self._database.lock(f"task {session.tenant} {session.task_key}")
            found = self._find(session.task_key, session.tenant)
            if (found.id if found else None) != newest:
                return False
            self._create_with(session, first)
            return True

    @override
    @performed
    def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        if not events and not settled:
            raise nothing_to_append(lease.session_id)
        with self._database.writing():
            # Locked first and compared then: with a look before the lock another process could take the lease between
            # the comparison and the insert, and both would write.
            head = self._lock_head(lease.session_id)
            coordination.require_lease(self._database, lease)
            if events:
                log.append_events(self._database, head, events, status)
            coordination.settle_commands(self._database, lease.session_id, settled)

    @override
    @performed
    def send(self, session_id: str, order: Command, at: datetime) -> InboxEntry:
        with self._database.writing():
            self._lock_head(session_id)
            return coordination.insert_command(self._database, session_id, order, at)

    @override
    @performed
    def commands(self, session_id: str) -> Sequence[InboxEntry]:
        found = coordination.pending_commands(self._database, session_id)
        if found is None:
            raise self._missing(session_id)
        return found

    @override
    @performed
    def settled(self, session_id: str, number: int) -> Settlement | None:
        self._head(session_id)
        return coordination.fetch_settlement(self._database, session_id, number)

    @override
    @performed
    def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        found = log.fetch_events(self._database, session_id, after, limit)
        if not found:
            self._head(session_id)
        return found

    @override
    @performed
    def events_of(
        self, session_id: str, types: Collection[str], after: int = 0, limit: int | None = None
    ) -> Sequence[Event]:
        return log.fetch_events_of(self._database, session_id, types, after, limit)

    @override
    @performed
    def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        return log.fetch_latest(self._database, session_id, types)

    @override
    @performed
    def session(self, session_id: str) -> Session:
        row = self._database.row(_SESSIONS + "WHERE id = ?", (session_id,))
        if not row:
            raise self._missing(session_id)
        return _parse_session(row)

    @override
    @performed
    def sessions(self) -> Sequence[Session]:
        return [_parse_session(row) for row in self._database.rows(_SESSIONS + "ORDER BY created_at DESC, id DESC")]

    @override
    @performed
    def put_status(self, session_id: str, events: int, status: LogStatus, folder: str) -> None:
        with self._database.writing():
            self._database.run(
                # Of that number of events: a status that was folded while others appended would hide a newer one.
                "UPDATE sessions SET status = ?, progress = ?, due_at = ?, dollars = ?, folder = ? "
                "WHERE id = ? AND events = ?",
                (*log.status_row(status), folder, session_id, events),
            )

    @override
    @performed
    def select_sessions(self, query: SessionQuery) -> Sequence[Session]:
        where, bindings = listing.select_clause(query)
        return [_parse_session(row) for row in self._database.rows(_SESSIONS + where, bindings)]

    @override
    @performed
    def runnable_sessions(self, limit: int, now: datetime, tenant_limit: int | None = None) -> Sequence[Session]:
        bindings = (format_timestamp(now), _NO_LIMIT if tenant_limit is None else tenant_limit, limit)
        return [_parse_session(row) for row in self._database.rows(_RUNNABLE, bindings)]

    @override
    def hearing_of_work(self, announced: asyncio.Event) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    @override
    @performed
    def find_session(self, task_key: str, tenant: str = LOCAL_TENANT) -> Session | None:
        return self._find(task_key, tenant)

    @override
    @performed
    def lease(self, session_id: str) -> Lease | None:
        self._head(session_id)
        return coordination.fetch_lease(self._database, session_id)

    @override
    @performed
    def held_leases(self) -> Sequence[Lease]:
        return coordination.held_leases(self._database)

    @override
    @performed
    def take_lease(self, session_id: str, owner: LeaseOwner, after_epoch: int, expires_at: datetime) -> Lease | None:
        lease = Lease(session_id=session_id, epoch=after_epoch + 1, owner=owner, expires_at=expires_at)
        with self._database.writing():
            self._lock_head(session_id)
            return lease if coordination.insert_lease(self._database, lease) else None

    @override
    @performed
    def release_lease(self, lease: Lease) -> None:
        with self._database.writing():
            coordination.release_lease(self._database, lease)

    @override
    @performed
    def head(self, session_id: str) -> LogHead:
        head = self._head(session_id)
        return LogHead(session_id=session_id, events=head.events, hash=head.hash)

    @override
    @performed
    def links(self, session_id: str, after: int, limit: int) -> Sequence[ChainLink]:
        return signatures.fetch_links(self._database, session_id, after, limit)

    @override
    @performed
    def records(self, session_id: str, after: int, limit: int) -> Sequence[LogRecord]:
        return log.fetch_records(self._database, session_id, after, limit)

    @override
    @performed
    def put_signature(self, signed: SignedHead) -> None:
        with self._database.writing():
            signatures.put_signature(self._database, signed)

    @override
    @performed
    def signatures(self, session_id: str) -> Sequence[SignedHead]:
        return signatures.fetch_signatures(self._database, session_id)

    @override
    @performed
    def erase(self, lease: Lease, at: datetime) -> None:
        with self._erasing() as database, database.writing():
            self._lock_head(lease.session_id)
            coordination.require_lease(database, lease)
            erasure.entomb(database, lease.session_id, at)

    @override
    @performed
    def tombstone(self, session_id: str) -> Tombstone | None:
        return erasure.fetch_tombstone(self._database, session_id)

    @override
    @performed
    def remains(self) -> Sequence[Remains]:
        return erasure.fetch_remains(self._database)

    @override
    def _erasing(self) -> AbstractContextManager[Database]:
        """Return the connection by which rows are deleted, and which takes rows before those that they refer to."""
        return nullcontext(self._database)

    @override
    @performed
    def verify_chain(self, session_id: str) -> Sequence[str]:
        """Name every changed, missing or moved event of a session, and every blob that is not what it was.

        A cut tail is found by the count and head in the session's own row. Whoever rewrites all hashes up to that
        row, and the row, leaves no trace in this file.
        """
        return self._find_faults(session_id)

    async def copy_from(self, origin: "SqlStore", copied: Callable[[str], None]) -> None:
        """Copy everything that another store holds into this one; `copied` is called for each session.

        Raises UsageError where this one has other sessions or documents under the same names.
        """
        source, dialect = origin._database, origin._dialect  # noqa: SLF001 -- of its own class
        await asyncio.to_thread(transfer.copy_rows, source, dialect, self._database, self._dialect, copied)

    @override
    async def close(self) -> None:
        self._database.close()

    def _find_faults(self, session_id: str) -> Sequence[str]:
        with self._database.reading():
            return list(log.find_faults(self._database, self._head(session_id)))

    def _find(self, task_key: str, tenant: str) -> Session | None:
        row = self._database.row(
            _SESSIONS + "WHERE task_key = ? AND tenant = ? AND outcome IS NULL "
            "ORDER BY created_at DESC, id DESC LIMIT 1",
            (task_key, tenant),
        )
        return _parse_session(row) if row else None

    def _missing(self, session_id: str) -> UnknownSession:
        grave = erasure.fetch_tombstone(self._database, session_id)
        return erased_session(grave) if grave else unknown_session(session_id)

    def _create_with(self, session: Session, first: Sequence[Event]) -> None:
        self._create(session)
        if first:
            log.append_events(self._database, LogEnd(session.id), first, session.status)

    @override
    def _create(self, session: Session) -> None:
        created = (
            session.id,
            session.task_key,
            session.workflow,
            session.question,
            format_timestamp(session.created_at),
            session.tenant,
            format_timestamp(session.queued_at) if session.queued_at else None,
            session.folder,
        )
        added = self._database.run(
            "INSERT INTO sessions "
            "(id, task_key, workflow, question, created_at, tenant, queued_at, folder, events, cycle, head) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, 1, ?) ON CONFLICT (id) DO NOTHING",
            (*created, GENESIS),
        )
        if not added:
            raise session_exists(session.id)

    def _lock_head(self, session_id: str) -> LogEnd:
        """Return where a log ends, with no other transaction at this session until the caller's one ends."""
        return self._head(session_id, self._database.row_lock)

    @override
    def _head(self, session_id: str, lock: str = "") -> LogEnd:
        row = self._database.row(
            f"SELECT events, cycle, last_at, outcome, head FROM sessions WHERE id = ?{lock}",  # noqa: S608 -- a clause
            (session_id,),
        )
        if not row:
            raise self._missing(session_id)
        return LogEnd(session_id, *row)


class SqlReplyCache:
    """The `ReplyCache` port over one database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @performed
    def recall(self, call: str) -> str | None:
        """Return the reply that was kept for this call, or None."""
        return next(
            (reply for (reply,) in self._database.rows("SELECT reply FROM replies WHERE call = ?", (call,))), None
        )

    @performed
    def put(self, call: str, reply: str) -> None:
        """Keep the reply to a call; the first one stays."""
        with self._database.writing():
            self._database.run(
                "INSERT INTO replies (call, reply) VALUES (?, ?) ON CONFLICT (call) DO NOTHING", (call, reply)
            )


def _parse_session(row: ResultRow) -> Session:
    name, task_key, workflow, question, created_at, events, last_at, outcome, tenant, status, progress, *more = row
    dollars, folder, *times = more
    queued_at, due_at = (parse_timestamp(each) if each else None for each in times)
    return Session(
        id=name,
        task_key=task_key,
        workflow=workflow,
        question=question,
        tenant=tenant,
        created_at=parse_timestamp(created_at),
        events=events,
        last_at=parse_timestamp(last_at) if last_at else None,
        outcome=outcome,
        queued_at=queued_at,
        folder=folder,
        status=LogStatus(state=status, progress=progress, due_at=due_at, dollars=dollars) if status else None,
    )
