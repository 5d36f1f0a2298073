"""The copy of a session, of this store or of another, in pieces: nobody sees it before it is whole.

Others append between the pieces. Until its last transaction a copy has events, but no row in `sessions`. The lease on
its id names the process that makes it: where that has died, the copy is erased like a session.
"""

import asyncio
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from itertools import islice

from typing_extensions import override

from quaestor.contracts.errors import LogCorrupt, UnknownSession
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import replace
from quaestor.contracts.library import KeptDocument
from quaestor.contracts.ports import Store
from quaestor.contracts.session import Lease, LeaseOwner, Session
from quaestor.contracts.signature import LogRecord
from quaestor.storage.chain import EventRow, rechain
from quaestor.storage.encoding import MAX_INLINE_BYTES
from quaestor.storage.errors import broken_origin, erased_session, no_such_prefix, quote_for_message, session_exists
from quaestor.storage.event_rows import LogHead, latest_outcome, parse_record, record_row
from quaestor.storage.sql import coordination, erasure
from quaestor.storage.sql.blobs import put_blob
from quaestor.storage.sql.database import Database, performed
from quaestor.storage.sql.events import PAGE_SIZE, append_events, fetch_events, insert_rows, move_head, read_rows
from quaestor.storage.sql.provenance import adopt_references, keep_source


class SqlCopies(Store):
    """The part of a store that copies sessions."""

    _database: Database

    @abstractmethod
    def _erasing(self) -> AbstractContextManager[Database]:
        """Return the connection which takes rows before those that they refer to."""

    @abstractmethod
    def _create(self, session: Session) -> None:
        """Add a session without events, inside the caller's transaction."""

    @abstractmethod
    def _head(self, session_id: str) -> LogHead:
        """Return where a log ends."""

    @override
    async def copy_session(self, session: Session, origin: str, upto: int, owner: LeaseOwner) -> None:
        known = await self._count(origin)
        if not 1 <= upto <= known:
            raise no_such_prefix(origin, known, upto)
        for fault in await self.verify_chain(origin):
            raise broken_origin(origin, fault, self._database.path)  # a copy would vouch for what was changed
        seen = LogHead(origin)
        while seen.events < upto:
            # Every event is parsed before one is written: what cannot be read must not be found in the middle of a
            # copy.
            seen = await self._read_piece(seen, upto)
            await asyncio.sleep(0)
        lease = Lease(session_id=session.id, epoch=1, owner=owner, expires_at=session.created_at)
        await self._begin_copy(origin, lease)
        end = LogHead(session.id)
        while end.events < upto:
            end = await self._copy_piece(lease, origin, end, upto)
            await asyncio.sleep(0)
        await self._end_copy(session, lease, replace(end, outcome=seen.outcome))

    @override
    async def import_session(
        self,
        session: Session,
        log: Iterable[LogRecord],
        documents: Iterable[KeptDocument],
        last: Event,
        owner: LeaseOwner,
    ) -> None:
        lease = Lease(session_id=session.id, epoch=1, owner=owner, expires_at=session.created_at)
        await self._begin_import(lease)
        for kept in documents:
            await self._keep_source(lease, kept)
        end, records = LogHead(session.id), iter(log)
        while piece := list(islice(records, PAGE_SIZE)):
            end = await self._import_piece(lease, piece, end)
            await asyncio.sleep(0)
        await self._end_import(session, lease, end, last)

    @override
    @performed
    def incomplete_copies(self) -> Sequence[Lease]:
        return coordination.incomplete_copies(self._database)

    @override
    @performed
    def erase_copy(self, lease: Lease, at: datetime) -> None:
        with self._erasing() as database, database.writing():
            coordination.require_lease(database, lease)
            coordination.forget_lease(database, lease)  # whoever still makes the copy finds that it is gone
            erasure.entomb(database, lease.session_id, at)

    @performed
    def _count(self, session_id: str) -> int:
        return self._head(session_id).events

    @performed
    def _read_piece(self, end: LogHead, upto: int) -> LogHead:
        return _read_piece(self._database, end, upto)

    @performed
    def _begin_copy(self, origin: str, lease: Lease) -> None:
        with self._erasing() as database, database.writing():
            self._require_unused(lease.session_id)
            _begin_copy(database, origin, lease)

    @performed
    def _copy_piece(self, lease: Lease, origin: str, end: LogHead, upto: int) -> LogHead:
        with self._erasing() as database, database.writing():
            return _copy_piece(database, lease, origin, end, upto)

    @performed
    def _end_copy(self, session: Session, lease: Lease, end: LogHead) -> None:
        with self._database.writing():
            self._create(session)
            _end_copy(self._database, lease, end)

    @performed
    def _begin_import(self, lease: Lease) -> None:
        with self._erasing() as database, database.writing():
            self._require_unused(lease.session_id)
            erasure.forget_incomplete(database, lease.session_id)
            if grave := erasure.fetch_tombstone(database, lease.session_id):
                raise erased_session(grave)
            _claim_id(database, lease)

    @performed
    def _keep_source(self, lease: Lease, kept: KeptDocument) -> None:
        with self._erasing() as database, database.writing():
            coordination.require_lease(database, lease)
            keep_source(database, lease.session_id, *kept)

    @performed
    def _import_piece(self, lease: Lease, records: Sequence[LogRecord], end: LogHead) -> LogHead:
        with self._erasing() as database, database.writing():
            coordination.require_lease(database, lease)
            return _import_piece(database, records, end)

    @performed
    def _end_import(self, session: Session, lease: Lease, end: LogHead, last: Event) -> None:
        with self._database.writing():
            self._create(session)
            _end_copy(self._database, lease, end)
            append_events(self._database, end, [last], session.status)

    def _require_unused(self, session_id: str) -> None:
        if self._database.row("SELECT 1 FROM sessions WHERE id = ?", (session_id,)):
            raise session_exists(session_id)


def _read_piece(database: Database, end: LogHead, upto: int) -> LogHead:
    """Read some events behind a place in a log; return the next place, with the outcome up to there.

    Raises StoreCorrupt for an event that is beyond reading.
    """
    events = fetch_events(database, end.session_id, end.events, min(PAGE_SIZE, upto - end.events))
    if not events:
        raise _erased_origin(end.session_id)
    last = events[-1]
    return replace(end, events=last.seq, cycle=last.cycle, outcome=latest_outcome(end, events))


def _begin_copy(database: Database, origin: str, lease: Lease) -> None:
    """Claim the id of a copy, and keep for it what its origin saw, inside the caller's transaction.

    Raises UsageError for an id that is in use.
    """
    _claim_id(database, lease)
    adopt_references(database, lease.session_id, origin)


def _claim_id(database: Database, lease: Lease) -> None:
    """Claim the id of a copy, inside the caller's transaction. Raises UsageError for an id that is in use."""
    if not coordination.insert_lease(database, lease):
        raise session_exists(lease.session_id)


def _copy_piece(database: Database, lease: Lease, origin: str, end: LogHead, upto: int) -> LogHead:
    """Copy some events behind the end of a copy, inside the caller's transaction; return its new end.

    They are stored as they were, of whatever version, under a chain of their own. Raises LeaseLost where another
    process has erased the copy as one that nobody makes, and UnknownSession where its origin was erased meanwhile.
    """
    # Whoever finds the lease of a dead maker erases the copy. If that was a mistake, as of a process that was only
    # suspended, this refuses to go on writing into a log that has a tombstone.
    coordination.require_lease(database, lease)
    count = min(PAGE_SIZE, upto - end.events)
    rows = list(rechain(islice(read_rows(database, origin, end.events), count), end.session_id, end.hash))
    if len(rows) < count:
        raise _erased_origin(origin)
    insert_rows(database, rows)
    last = rows[-1]
    return replace(end, events=last.seq, cycle=last.cycle, last_at=last.at, hash=last.hash)


def _import_piece(database: Database, records: Sequence[LogRecord], end: LogHead) -> LogHead:
    """Store records behind the end of an import, under the hashes that they have; return its new end.

    Raises LogCorrupt for one whose hash does not follow from the log before it.
    """
    rows = list(rechain(map(record_row, records), end.session_id, end.hash))
    for row, record in zip(rows, records, strict=True):
        if (row.hash, row.session_id) != (record.hash, record.session_id):
            raise LogCorrupt(
                f"event {record.seq} of session {quote_for_message(end.session_id)} is not what was hashed"
            )
    insert_rows(database, [_with_blob(database, row) for row in rows])
    last, outcome = rows[-1], latest_outcome(end, [parse_record(record) for record in records])
    return replace(end, events=last.seq, cycle=last.cycle, last_at=last.at, outcome=outcome, hash=last.hash)


def _with_blob(database: Database, row: EventRow) -> EventRow:
    """Return a row with its body inline as a blob, if the body is a large one."""
    body = (row.body or "").encode()
    return row._replace(body=None, blob=put_blob(database, body)) if len(body) > MAX_INLINE_BYTES else row


def _end_copy(database: Database, lease: Lease, end: LogHead) -> None:
    """Show a copy, whose row is there by now, with all its events, inside the caller's transaction."""
    coordination.require_lease(database, lease)
    move_head(database, end)
    coordination.forget_lease(database, lease)


def _erased_origin(origin: str) -> UnknownSession:
    return UnknownSession(f"session {quote_for_message(origin)} was erased while it was copied")
