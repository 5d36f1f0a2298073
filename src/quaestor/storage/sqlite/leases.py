"""The table `leases`: one row a session, changed only by comparing its epoch first; an epoch never comes again."""

from datetime import datetime

from quaestor.contracts.errors import LeaseLost
from quaestor.contracts.session import Lease, LeaseOwner
from quaestor.storage.sqlite.connection import Database, format_timestamp, parse_timestamp
from quaestor.storage.sqlite.errors import quote_for_message

_RELEASED_AT = "1970-01-01T00:00:00.000000Z"
"""When a lease that was given back is said to have expired."""


def fetch_lease(database: Database, session_id: str) -> Lease | None:
    """Give the last lease of a session."""
    row = database.row("SELECT epoch, host, pid, started, expires_at FROM leases WHERE session_id = ?", (session_id,))
    if not row:
        return None
    epoch, host, pid, started, expires_at = row
    owner = LeaseOwner(host=host, pid=pid, started=started)
    return Lease(session_id=session_id, epoch=epoch, owner=owner, expires_at=parse_timestamp(expires_at))


def insert_lease(database: Database, lease: Lease) -> bool:
    """Store a lease if the last one has the epoch before it, or, for epoch 1, if there is none."""
    owner = lease.owner
    changed = database.run(
        "INSERT INTO leases (session_id, epoch, host, pid, started, expires_at) "
        "SELECT ?1, ?2, ?3, ?4, ?5, ?6 "
        "WHERE ?2 - 1 = coalesce((SELECT epoch FROM leases WHERE session_id = ?1), 0) "
        "ON CONFLICT (session_id) DO UPDATE SET epoch = excluded.epoch, host = excluded.host, "
        "pid = excluded.pid, started = excluded.started, expires_at = excluded.expires_at",
        (lease.session_id, lease.epoch, owner.host, owner.pid, owner.started, format_timestamp(lease.expires_at)),
    )
    return changed == 1


def renew_lease(database: Database, lease: Lease, now: datetime) -> bool:
    """Store a lease's new end if it is still held and has not expired by `now`."""
    changed = database.run(
        "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ? AND expires_at > ?",
        (format_timestamp(lease.expires_at), lease.session_id, lease.epoch, format_timestamp(now)),
    )
    return changed == 1


def release_lease(database: Database, lease: Lease) -> None:
    """Let a lease expire, if it is still held. Its row stays, so that its epoch is not given again."""
    database.run(
        "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ?",
        (_RELEASED_AT, lease.session_id, lease.epoch),
    )


def require_lease(database: Database, lease: Lease, at: datetime) -> None:
    """Raise LeaseLost unless a lease is the last of its session and has not expired by `at`."""
    row = database.row("SELECT epoch, expires_at FROM leases WHERE session_id = ?", (lease.session_id,))
    epoch, expires_at = row or (0, "")
    if epoch != lease.epoch:
        raise LeaseLost(
            f"session {quote_for_message(lease.session_id)} was appended to with a lease of epoch {lease.epoch}, "
            f"but is at epoch {epoch}: "
            "another process took the session, so this one must stop"
        )
    if expires_at <= format_timestamp(at):
        raise LeaseLost(
            f"the lease of session {quote_for_message(lease.session_id)} ended at {expires_at}, not after "
            f"{format_timestamp(at)}; "
            "take it anew and read what was appended since"
        )
