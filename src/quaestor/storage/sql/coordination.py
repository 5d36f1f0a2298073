"""The tables by which processes share a session: `leases`, its one writer, and `commands`, its inbox.

Anybody adds a command; it is settled once and kept.
"""

from collections.abc import Sequence
from datetime import datetime

from pydantic_core import PydanticSerializationError

from quaestor.contracts.command import (
    Command,
    InboxEntry,
    Settlement,
    UnreadableCommand,
    parse_command,
    serialize_command,
)
from quaestor.contracts.errors import LeaseLost, UsageError
from quaestor.contracts.session import RELEASED_AT, Lease, LeaseOwner, reject_credentials
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.database import Database, ResultRow

_RELEASED_AT = format_timestamp(RELEASED_AT)
PENDING_SQL = (
    "SELECT number, at, body FROM sessions LEFT JOIN commands ON session_id = sessions.id AND settled IS NULL "
    "WHERE sessions.id = ? ORDER BY number"
)
"""Of a session without a waiting command one row of nothing, so that one that does not exist is told from it.

Answered from the index `commands_waiting`, which holds no settled command, however many there were.
"""


_LEASES = "SELECT session_id, epoch, host, pid, started, expires_at FROM leases "
_OF_NO_SESSION = (
    "WHERE expires_at <> ? AND NOT EXISTS (SELECT 1 FROM sessions WHERE id = leases.session_id) "
    "AND NOT EXISTS (SELECT 1 FROM tombstones WHERE tombstones.session_id = leases.session_id)"
)


def fetch_lease(database: Database, session_id: str) -> Lease | None:
    """Return the last lease of a session."""
    row = database.row(_LEASES + "WHERE session_id = ?", (session_id,))
    return _parse_lease(row) if row else None


def held_leases(database: Database) -> list[Lease]:
    """Return every lease that was not given back."""
    return [_parse_lease(row) for row in database.rows(_LEASES + "WHERE expires_at <> ?", (_RELEASED_AT,))]


def incomplete_copies(database: Database) -> list[Lease]:
    """Return the leases of sessions that there are not: those of copies that are not complete."""
    return [_parse_lease(row) for row in database.rows(_LEASES + _OF_NO_SESSION, (_RELEASED_AT,))]


def _parse_lease(row: ResultRow) -> Lease:
    session_id, epoch, host, pid, started, expires_at = row
    owner = LeaseOwner(host=host, pid=pid, started=started)
    return Lease(session_id=session_id, epoch=epoch, owner=owner, expires_at=parse_timestamp(expires_at))


def insert_lease(database: Database, lease: Lease) -> bool:
    """Store a lease if the last one has the epoch before it, or, for epoch 1, if there is none."""
    owner = lease.owner
    # The epoch is compared in the statement that raises it: of two that take at once, one changes no row. It only ever
    # grows, so a process that slept through several owners can never match again.
    changed = database.run(
        "INSERT INTO leases (session_id, epoch, host, pid, started, expires_at) "
        "SELECT ?1, ?2, ?3, ?4, ?5, ?6 "
        "WHERE ?2 - 1 = coalesce((SELECT epoch FROM leases WHERE session_id = ?1), 0) "
        "ON CONFLICT (session_id) DO UPDATE SET epoch = excluded.epoch, host = excluded.host, "
        "pid = excluded.pid, started = excluded.started, expires_at = excluded.expires_at",
        (lease.session_id, lease.epoch, owner.host, owner.pid, owner.started, format_timestamp(lease.expires_at)),
    )
    return changed == 1


def renew_lease(database: Database, lease: Lease, expires_at: datetime) -> bool:
    """Prolong a lease, also one that has expired, unless it was taken or given back."""
    return bool(
        database.run(
            "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ? AND expires_at != ?",
            (format_timestamp(expires_at), lease.session_id, lease.epoch, _RELEASED_AT),
        )
    )


def release_lease(database: Database, lease: Lease) -> None:
    """Release a lease if it is still held. Its row stays, so that its epoch is not used again."""
    database.run(
        "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ?",
        (_RELEASED_AT, lease.session_id, lease.epoch),
    )


def forget_lease(database: Database, lease: Lease) -> None:
    """Delete a lease that nobody else has seen."""
    database.run("DELETE FROM leases WHERE session_id = ?", (lease.session_id,))


def require_lease(database: Database, lease: Lease) -> None:
    """Raise LeaseLost unless a lease is the last of its session and was not given back.

    The epoch alone fences: whoever takes a session raises it, and every append compares it in its own transaction. A
    lease that has expired and was not taken still covers an append, because no second writer can exist; a laptop that
    slept, or a clock that stepped, ends no run.
    """
    row = database.row("SELECT epoch, expires_at FROM leases WHERE session_id = ?", (lease.session_id,))
    epoch, expires_at = row or (0, "")
    if epoch != lease.epoch:
        raise LeaseLost(
            f"session {quote_for_message(lease.session_id)} was appended to with a lease of epoch {lease.epoch}, "
            f"but is at epoch {epoch}: another process took the session, so this one must stop"
        )
    if expires_at == _RELEASED_AT:
        raise LeaseLost(
            f"the lease of session {quote_for_message(lease.session_id)} was given back; take it again and read what "
            "was appended since"
        )


def insert_command(database: Database, session_id: str, order: Command, at: datetime) -> InboxEntry:
    """Add a command to the inbox of a session that exists, inside the caller's transaction."""
    [[number]] = database.rows(
        "INSERT INTO commands (session_id, number, at, body) "
        "SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3 FROM commands WHERE session_id = ?1 RETURNING number",
        (session_id, format_timestamp(at), _serialize(order)),
    )
    return InboxEntry(session_id=session_id, number=number, at=at, order=order)


def pending_commands(database: Database, session_id: str) -> list[InboxEntry] | None:
    """Return the commands of a session that are not settled, in order; None when the session does not exist.

    One beyond reading is an `UnreadableCommand`.
    """
    rows = database.rows(PENDING_SQL, (session_id,))
    return [_parse_entry(session_id, row) for row in rows if row[0] is not None] if rows else None


def settle_commands(database: Database, session_id: str, settled: Sequence[Settlement]) -> None:
    """Write what became of commands, inside the caller's transaction.

    Raises UsageError for a command that is not there, and for one that was settled before.
    """
    for end in settled:
        changed = database.run(
            "UPDATE commands SET settled = ?, refusal = ? WHERE session_id = ? AND number = ? AND settled IS NULL",
            ("obeyed" if end.refused is None else "refused", end.refused, session_id, end.number),
        )
        if not changed:
            raise UsageError(
                f"no command {end.number} waits in the inbox of session {quote_for_message(session_id)}; "
                "settle each command that waits there, and each once"
            )


def fetch_settlement(database: Database, session_id: str, number: int) -> Settlement | None:
    """Return what became of a command of a session that exists, None while it waits.

    Raises UsageError for a number that no command of the session has.
    """
    row = database.row(
        "SELECT settled, refusal FROM commands WHERE session_id = ? AND number = ?", (session_id, number)
    )
    if not row:
        raise UsageError(
            f"session {quote_for_message(session_id)} was never sent a command {number}; ask for a number that "
            "`send` gave"
        )
    end, refusal = row
    return Settlement(number=number, refused=refusal) if end else None


def _serialize(order: Command) -> str:
    try:
        body = serialize_command(order)
    except PydanticSerializationError as error:
        raise UsageError(
            f"the order {quote_for_message(repr(order))} cannot be stored: it is not valid Unicode"
        ) from error
    reject_credentials(body)
    return body


def _parse_entry(session_id: str, row: ResultRow) -> InboxEntry:
    number, at, body = row
    try:
        sent, order = parse_timestamp(at), parse_command(body)
    except ValueError as error:
        sent, order = RELEASED_AT, UnreadableCommand(body=body, reason=f"its time: {error}")
    return InboxEntry(session_id=session_id, number=number, at=sent, order=order)
