"""The copy of a session in pieces: others append between them, and nobody sees the copy before it is whole.

Until its last transaction a copy has events, but no row in `sessions`. The lease on its id names the process that makes
it: where that has died, the copy is erased like a session.
"""

from dataclasses import replace
from itertools import islice

from quaestor.contracts.errors import UnknownSession
from quaestor.contracts.session import Lease
from quaestor.storage.chain import rechain
from quaestor.storage.errors import quote_for_message, session_exists
from quaestor.storage.event_rows import LogHead, latest_outcome
from quaestor.storage.sql import coordination
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.events import PAGE_SIZE, fetch_events, insert_rows, move_head, read_rows
from quaestor.storage.sql.provenance import adopt_references


def read_piece(database: Database, end: LogHead, upto: int) -> LogHead:
    """Read some events behind a place in a log; return the next place, with the outcome up to there.

    Raises StoreCorrupt for an event that is beyond reading.
    """
    events = fetch_events(database, end.session_id, end.events, min(PAGE_SIZE, upto - end.events))
    if not events:
        raise _erased_origin(end.session_id)
    last = events[-1]
    return replace(end, events=last.seq, cycle=last.cycle, outcome=latest_outcome(end, events))


def begin_copy(database: Database, origin: str, lease: Lease) -> None:
    """Claim the id of a copy, and keep for it what its origin saw, inside the caller's transaction.

    Raises UsageError for an id that is in use.
    """
    if not coordination.insert_lease(database, lease):
        raise session_exists(lease.session_id)
    adopt_references(database, lease.session_id, origin)


def copy_piece(database: Database, lease: Lease, origin: str, end: LogHead, upto: int) -> LogHead:
    """Copy some events behind the end of a copy, inside the caller's transaction; return its new end.

    They are stored as they were, of whatever version, under a chain of their own. Raises LeaseLost where another
    process has erased the copy as one that nobody makes, and UnknownSession where its origin was erased meanwhile.
    """
    coordination.require_lease(database, lease)
    count = min(PAGE_SIZE, upto - end.events)
    rows = list(rechain(islice(read_rows(database, origin, end.events), count), end.session_id, end.hash))
    if len(rows) < count:
        raise _erased_origin(origin)
    insert_rows(database, rows)
    last = rows[-1]
    return replace(end, events=last.seq, cycle=last.cycle, last_at=last.at, hash=last.hash)


def end_copy(database: Database, lease: Lease, end: LogHead) -> None:
    """Show a copy, whose row is there by now, with all its events, inside the caller's transaction."""
    coordination.require_lease(database, lease)
    move_head(database, end)
    coordination.forget_lease(database, lease)


def _erased_origin(origin: str) -> UnknownSession:
    return UnknownSession(f"session {quote_for_message(origin)} was erased while it was copied")
