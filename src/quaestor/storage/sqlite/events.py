"""The table `events`: one row an event, chained; a large body is a blob."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from quaestor.contracts.errors import LogDamaged, StoreCorrupt, UsageError
from quaestor.contracts.event import Event, SessionFinished, SessionStarted, read, write
from quaestor.storage.sqlite.blobs import keep, unpack
from quaestor.storage.sqlite.chain import GENESIS, Row, breaks, linked, seal
from quaestor.storage.sqlite.connection import Columns, Database
from quaestor.storage.sqlite.instant import moment, stamp
from quaestor.storage.sqlite.naming import shown

_INLINE = 1024
"""The most bytes of a body that stay in the row itself."""


@dataclass(frozen=True, slots=True)
class Head:
    """Where a session's log ends: what its row holds beside what never changes."""

    session_id: str
    events: int = 0
    cycle: int = 1
    last_at: str | None = None
    outcome: str | None = None
    hash: str = GENESIS


def add(database: Database, head: Head, events: Sequence[Event]) -> None:
    """Append events after the head and move the head, inside the caller's transaction.

    Raises UsageError for events of another session, and for numbers that do not go on from the head.
    """
    _put(database, list(_rows(database, head, events)), _outcome(head, events))


def copy(database: Database, origin: Head, session_id: str, upto: int) -> None:
    """Give a session without events those of another one up to a number, inside the caller's transaction.

    They are stored as they were, of whatever version, under a chain of their own. Raises UsageError when the origin
    has no event `upto`, and LogDamaged when its chain does not hold: the new one would vouch for what was changed.
    """
    if not 1 <= upto <= origin.events:
        raise UsageError(
            f"session {shown(origin.session_id)} has the events 1 to {origin.events}, so it cannot be copied "
            f"up to event {upto}; name one of these"
        )
    for fault in faults(database, origin):
        raise LogDamaged(
            f"session {shown(origin.session_id)} cannot be copied: {fault}; restore a backup of {database.path}"
        )
    rows = linked(_stored(database, origin.session_id)[:upto], session_id)
    copied = fetch(database, origin.session_id, after=0, limit=upto)
    _put(database, list(rows), _outcome(Head(session_id), copied))


def fetch(database: Database, session_id: str, after: int, limit: int | None) -> list[Event]:
    """Give the events of a session with a number above `after`. Raises StoreCorrupt for one beyond reading."""
    rows = database.rows(
        "SELECT seq, cycle, at, state, type, version, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, -1 if limit is None else limit),
    )
    return [_event(session_id, row) for row in rows]


def latest(database: Database, session_id: str, types: Collection[str]) -> Event | None:
    """Give the last event of one of these types, or None. Raises StoreCorrupt when it is beyond reading."""
    row = database.row(
        "SELECT seq, cycle, at, state, type, version, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob "
        "WHERE session_id = ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT 1",
        (session_id, json.dumps(sorted(types))),
    )
    return _event(session_id, row) if row else None


def faults(database: Database, head: Head) -> Iterator[str]:
    """Name what is wrong with the chain of a session and with the blobs that it uses."""
    yield from breaks(_stored(database, head.session_id), head.events, head.hash)
    blobs = database.rows(
        "SELECT seq, blob, size, data FROM events LEFT JOIN blobs ON sha256 = blob "
        "WHERE session_id = ? AND blob IS NOT NULL ORDER BY seq",
        (head.session_id,),
    )
    for seq, name, size, data in blobs:
        if data is None:
            yield f"the blob {name} of event {seq} is missing"
        elif unpack(name, size, data) is None:
            yield f"the blob {name} of event {seq} was changed"


def _stored(database: Database, session_id: str) -> list[Row]:
    rows = database.rows(
        "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash "
        "FROM events WHERE session_id = ? ORDER BY seq",
        (session_id,),
    )
    return [Row(*row) for row in rows]


def _put(database: Database, rows: Sequence[Row], outcome: str | None) -> None:
    """Store rows of one session and move its head behind the last of them."""
    last = rows[-1]
    database.run_each("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.run(
        "UPDATE sessions SET events = ?, cycle = ?, last_at = ?, outcome = ?, head = ? WHERE id = ?",
        (last.seq, last.cycle, last.at, outcome, last.hash, last.session_id),
    )


def _rows(database: Database, head: Head, events: Sequence[Event]) -> Iterator[Row]:
    previous = head.hash
    for due, event in enumerate(events, head.events + 1):
        if (event.session_id, event.seq) != (head.session_id, due):
            raise UsageError(
                f"event {event.seq} of session {shown(event.session_id)} cannot be appended as number {due} "
                f"of session {shown(head.session_id)}; read the events after {head.events}, then append"
            )
        kind, version, text = write(event.payload)
        body = text.encode()
        blob = keep(database, body) if len(body) > _INLINE else None
        at = stamp(event.at)
        content = (event.session_id, event.seq, event.cycle, at, event.state, kind, version)
        own = seal(previous, content, blob or sha256(body).hexdigest())
        yield Row(*content, None if blob else text, blob, previous, own)
        previous = own


def _outcome(head: Head, events: Sequence[Event]) -> str | None:
    """Give the outcome of the newest cycle; None while it goes on."""
    outcome, cycle = head.outcome, head.cycle
    for event in events:
        if isinstance(event.payload, SessionFinished):
            outcome = event.payload.outcome
        elif isinstance(event.payload, SessionStarted) or event.cycle > cycle:
            outcome = None
        cycle = event.cycle
    return outcome


def _event(session_id: str, row: Columns) -> Event:
    seq, cycle, at, state, kind, version, *body = row
    try:
        return Event(
            session_id=session_id,
            seq=seq,
            cycle=cycle,
            at=moment(at),
            state=state,
            payload=read(kind, version, _text(*body)),
        )
    except ValueError as error:
        raise StoreCorrupt(
            f"event {seq} of session {shown(session_id)} cannot be read: {error}. The file is left as it is; "
            "verify the session, and restore a backup"
        ) from error


def _text(body: str | None, blob: str | None, size: int | None, data: bytes | None) -> str:
    if body is not None:
        return body
    content = unpack(blob, size, data) if blob and size is not None and data is not None else None
    if content is None:
        raise ValueError(f"its body, the blob {blob}, is missing or was changed")
    return content.decode()
