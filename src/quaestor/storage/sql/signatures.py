"""The table `signatures`: the heads of logs as they were signed. A signature outlives its session."""

from collections.abc import Sequence

from quaestor.contracts.signature import ChainLink, LogHead, SignedHead
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.sql.database import Database


def put_signature(database: Database, signed: SignedHead) -> None:
    """Keep a signed head; the same head signed again by the same key stays as it is."""
    head = signed.head
    database.run(
        "INSERT INTO signatures (session_id, events, head, key, signed_at, signature) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (head.session_id, head.events, head.hash, signed.key, format_timestamp(signed.signed_at), signed.signature),
    )


def fetch_signatures(database: Database, session_id: str) -> Sequence[SignedHead]:
    """Return the signed heads of a session, the oldest first."""
    rows = database.rows(
        "SELECT events, head, key, signed_at, signature FROM signatures WHERE session_id = ? "
        "ORDER BY events, signed_at",
        (session_id,),
    )
    return [
        SignedHead(
            head=LogHead(session_id=session_id, events=events, hash=head),
            key=key,
            signed_at=parse_timestamp(signed_at),
            signature=signature,
        )
        for events, head, key, signed_at, signature in rows
    ]


def fetch_links(database: Database, session_id: str, after: int, limit: int) -> Sequence[ChainLink]:
    """Return the hashes of events with a number above `after`, in order."""
    rows = database.rows(
        "SELECT seq, previous, hash FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, limit),
    )
    return [ChainLink(seq=seq, previous=previous, hash=own) for seq, previous, own in rows]
