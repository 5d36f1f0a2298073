"""The table `leases`: one row a session, changed only by comparing its epoch first; an epoch never comes again."""

from datetime import datetime

from quaestor.contracts.errors import LeaseLost
from quaestor.contracts.session import Lease, Owner
from quaestor.storage.sqlite.connection import Database
from quaestor.storage.sqlite.instant import moment, stamp
from quaestor.storage.sqlite.naming import shown

_GIVEN_BACK = "1970-01-01T00:00:00.000000Z"
"""When a lease that was given back is said to have expired."""


def current(database: Database, session_id: str) -> Lease | None:
    """Give the last lease of a session."""
    row = database.row("SELECT epoch, host, pid, started, expires_at FROM leases WHERE session_id = ?", (session_id,))
    if not row:
        return None
    epoch, host, pid, started, expires_at = row
    owner = Owner(host=host, pid=pid, started=started)
    return Lease(session_id=session_id, epoch=epoch, owner=owner, expires_at=moment(expires_at))


def take(database: Database, lease: Lease) -> bool:
    """Store a lease if the last one has the epoch before it, or, for epoch 1, if there is none."""
    owner = lease.owner
    changed = database.run(
        "INSERT INTO leases (session_id, epoch, host, pid, started, expires_at) "
        "SELECT ?1, ?2, ?3, ?4, ?5, ?6 "
        "WHERE ?2 - 1 = coalesce((SELECT epoch FROM leases WHERE session_id = ?1), 0) "
        "ON CONFLICT (session_id) DO UPDATE SET epoch = excluded.epoch, host = excluded.host, "
        "pid = excluded.pid, started = excluded.started, expires_at = excluded.expires_at",
        (lease.session_id, lease.epoch, owner.host, owner.pid, owner.started, stamp(lease.expires_at)),
    )
    return changed == 1


def renew(database: Database, lease: Lease, now: datetime) -> bool:
    """Store a lease's new end if it is still held and has not expired by `now`."""
    changed = database.run(
        "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ? AND expires_at > ?",
        (stamp(lease.expires_at), lease.session_id, lease.epoch, stamp(now)),
    )
    return changed == 1


def give_back(database: Database, lease: Lease) -> None:
    """Let a lease expire, if it is still held. Its row stays, so that its epoch is not given again."""
    database.run(
        "UPDATE leases SET expires_at = ? WHERE session_id = ? AND epoch = ?",
        (_GIVEN_BACK, lease.session_id, lease.epoch),
    )


def cover(database: Database, lease: Lease, at: datetime) -> None:
    """Raise LeaseLost unless a lease is the last of its session and has not expired by `at`."""
    row = database.row("SELECT epoch, expires_at FROM leases WHERE session_id = ?", (lease.session_id,))
    epoch, expires_at = row or (0, "")
    if epoch != lease.epoch:
        raise LeaseLost(
            f"session {shown(lease.session_id)} was appended to with a lease of epoch {lease.epoch}, "
            f"but is at epoch {epoch}: "
            "another process took the session, so this one must stop"
        )
    if expires_at <= stamp(at):
        raise LeaseLost(
            f"the lease of session {shown(lease.session_id)} ended at {expires_at}, not after {stamp(at)}; "
            "take it anew and read what was appended since"
        )
