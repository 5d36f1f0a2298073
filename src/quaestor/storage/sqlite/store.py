from collections.abc import Collection, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime

from quaestor.contracts.command import Command, Order, Settled
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, Owner, Session
from quaestor.storage.sqlite import commands as inbox
from quaestor.storage.sqlite import events as log
from quaestor.storage.sqlite import leases
from quaestor.storage.sqlite.chain import GENESIS
from quaestor.storage.sqlite.connection import Columns, Database, Place, open_database
from quaestor.storage.sqlite.events import Head
from quaestor.storage.sqlite.instant import moment, stamp
from quaestor.storage.sqlite.library import SqliteLibrary
from quaestor.storage.sqlite.migrations import migrate
from quaestor.storage.sqlite.naming import shown
from quaestor.storage.sqlite.replies import SqliteReplies

_SESSIONS = "SELECT id, task_key, workflow, question, created_at, events, last_at, outcome FROM sessions "

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)
"""When a lease that was given back ended. What is settled without an event has no time by which to tell more."""


class SqliteStore:
    """The `Store` port over one SQLite connection, with the `Library` and the `Replies` beside it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.library = SqliteLibrary(database)
        self.replies = SqliteReplies(database)

    async def create_session(self, session: Session, first: Sequence[Event]) -> None:
        """Add a session with its first events; what it says of its events is taken from these."""
        with self._database.writing():
            self._create(session)
            if first:
                log.add(self._database, Head(session.id), first)

    async def copy_session(self, session: Session, origin: str, upto: int) -> None:
        """Add a session with the events 1 to `upto` of another one; what it says of its events is taken from these.

        Raises UsageError when the origin has no event `upto`, LogDamaged when the chain of the origin does not hold.
        """
        with self._database.writing():
            head = self._head(origin)
            self._create(session)
            log.copy(self._database, head, session.id, upto)

    async def append(self, lease: Lease, events: Sequence[Event], settled: Sequence[Settled] = ()) -> None:
        """Append events and settle commands in one transaction.

        Raises LeaseLost when the lease was taken or has expired by `events[0].at`, or, without events, when it was
        taken or given back. Raises UsageError when the events do not go on from the last one, for a command that
        does not wait, and when there are neither events nor commands.
        """
        if not events and not settled:
            raise UsageError(
                f"nothing to append to session {shown(lease.session_id)}; give at least one event, or settle a command"
            )
        with self._database.writing():
            head = self._head(lease.session_id)
            leases.cover(self._database, lease, events[0].at if events else _LONG_AGO)
            if events:
                log.add(self._database, head, events)
            inbox.settle(self._database, lease.session_id, settled)

    async def send(self, session_id: str, order: Order, at: datetime) -> Command:
        """Put an order into a session's inbox; it is durable when this returns."""
        with self._database.writing():
            self._head(session_id)
            return inbox.send(self._database, session_id, order, at)

    async def commands(self, session_id: str) -> Sequence[Command]:
        """Give the commands that are not settled, in order; two look-ups in an index when there are none."""
        found = inbox.waiting(self._database, session_id)
        if not found:
            self._head(session_id)
        return found

    async def settled(self, session_id: str, number: int) -> Settled | None:
        """Give what became of a command, None while it waits. Raises UsageError for a number nobody was given."""
        self._head(session_id)
        return inbox.settled(self._database, session_id, number)

    async def events(self, session_id: str, after: int = 0, limit: int | None = None) -> Sequence[Event]:
        """Give the events with a number above `after`, in order."""
        found = log.fetch(self._database, session_id, after, limit)
        if not found:
            self._head(session_id)
        return found

    async def latest(self, session_id: str, types: Collection[str]) -> Event | None:
        """Give the last event of one of these types, or None."""
        return log.latest(self._database, session_id, types)

    async def session(self, session_id: str) -> Session:
        """Give one session."""
        row = self._database.row(_SESSIONS + "WHERE id = ?", (session_id,))
        if not row:
            raise _unknown(session_id)
        return _session(row)

    async def sessions(self) -> Sequence[Session]:
        """Give all sessions, the newest first."""
        rows = self._database.rows(_SESSIONS + "ORDER BY created_at DESC, id DESC")
        return [_session(row) for row in rows]

    async def find_session(self, task_key: str) -> Session | None:
        """Give the newest session with this task key that has not finished, or None."""
        row = self._database.row(
            _SESSIONS + "WHERE task_key = ? AND outcome IS NULL ORDER BY created_at DESC, id DESC LIMIT 1",
            (task_key,),
        )
        return _session(row) if row else None

    async def lease(self, session_id: str) -> Lease | None:
        """Give the last lease of a session, expired or not; one given back ended in 1970."""
        self._head(session_id)
        return leases.current(self._database, session_id)

    async def take_lease(self, session_id: str, owner: Owner, after_epoch: int, expires_at: datetime) -> Lease | None:
        """Take the lease with epoch `after_epoch` + 1; None when somebody else did so first."""
        lease = Lease(session_id=session_id, epoch=after_epoch + 1, owner=owner, expires_at=expires_at)
        with self._database.writing():
            self._head(session_id)
            return lease if leases.take(self._database, lease) else None

    async def renew_lease(self, lease: Lease, now: datetime, expires_at: datetime) -> Lease | None:
        """Prolong a lease; None when it has expired by `now` or was taken."""
        longer = lease.model_copy(update={"expires_at": expires_at})
        with self._database.writing():
            return longer if leases.renew(self._database, longer, now) else None

    async def release_lease(self, lease: Lease) -> None:
        """Give a lease back, if it is still held."""
        with self._database.writing():
            leases.give_back(self._database, lease)

    async def verify_chain(self, session_id: str) -> Sequence[str]:
        """Name every changed, missing or moved event of a session, and every blob that is not what it was.

        A cut tail is found by the count and head in the session's own row. Whoever rewrites all hashes up to that
        row, and the row, leaves no trace in this file.
        """
        return list(log.faults(self._database, self._head(session_id)))

    async def close(self) -> None:
        """Close the store and its library."""
        self._database.close()

    def _create(self, session: Session) -> None:
        created = (session.id, session.task_key, session.workflow, session.question, stamp(session.created_at))
        added = self._database.run(
            "INSERT INTO sessions (id, task_key, workflow, question, created_at, events, cycle, head) "
            "VALUES (?, ?, ?, ?, ?, 0, 1, ?) ON CONFLICT (id) DO NOTHING",
            (*created, GENESIS),
        )
        if not added:
            raise UsageError(f"there is a session {shown(session.id)} already; give the new one another id")

    def _head(self, session_id: str) -> Head:
        row = self._database.row(
            "SELECT events, cycle, last_at, outcome, head FROM sessions WHERE id = ?", (session_id,)
        )
        if not row:
            raise _unknown(session_id)
        return Head(session_id, *row)


def open_store(place: Place) -> SqliteStore:
    """Open the store at a path, made if there is none, or one in memory.

    Raises HomeNotWritable, StoreCorrupt for a file that is no store (it is not changed), and SetupError for a
    store of a newer release.
    """
    database = open_database(place)
    with ExitStack() as undo:
        undo.callback(database.close)
        migrate(database)
        database.keep_log(False)
        undo.pop_all()
    return SqliteStore(database)


def _unknown(session_id: str) -> UnknownSession:
    return UnknownSession(f"there is no session {shown(session_id)}; list the sessions to find its id")


def _session(row: Columns) -> Session:
    name, task_key, workflow, question, created_at, events, last_at, outcome = row
    return Session(
        id=name,
        task_key=task_key,
        workflow=workflow,
        question=question,
        created_at=moment(created_at),
        events=events,
        last_at=moment(last_at) if last_at else None,
        outcome=outcome,
    )
