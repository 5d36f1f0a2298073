"""The table `events`: one row an event, chained; a large body is a blob."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from quaestor.contracts.codec import parse_payload, serialize_payload
from quaestor.contracts.errors import LogCorrupt, StoreCorrupt, UsageError
from quaestor.contracts.event import Event, SessionFinished, SessionStarted
from quaestor.storage.sqlite.blobs import decompress, put_blob
from quaestor.storage.sqlite.chain import GENESIS, EventRow, event_hash, find_breaks, rechain
from quaestor.storage.sqlite.connection import Database, ResultRow, format_timestamp, parse_timestamp
from quaestor.storage.sqlite.errors import quote_for_message

_MAX_INLINE_BYTES = 1024
"""The most bytes of a body that stay in the row itself."""


@dataclass(frozen=True, slots=True)
class LogHead:
    """Where a session's log ends: what its row holds beside what never changes."""

    session_id: str
    events: int = 0
    cycle: int = 1
    last_at: str | None = None
    outcome: str | None = None
    hash: str = GENESIS


def append_events(database: Database, head: LogHead, events: Sequence[Event]) -> None:
    """Append events after the head and move the head, inside the caller's transaction.

    Raises UsageError for events of another session, and for numbers that do not go on from the head.
    """
    _insert_rows(database, list(_build_rows(database, head, events)), _latest_outcome(head, events))


def copy_events(database: Database, origin: LogHead, session_id: str, upto: int) -> None:
    """Return a session without events those of another one up to a number, inside the caller's transaction.

    They are stored as they were, of whatever version, under a chain of their own. Raises UsageError when the origin
    has no event `upto`, and LogDamaged when its chain does not hold: the new one would vouch for what was changed.
    """
    if not 1 <= upto <= origin.events:
        raise UsageError(
            f"session {quote_for_message(origin.session_id)} has the events 1 to {origin.events}, so it cannot be "
            "copied "
            f"up to event {upto}; name one of these"
        )
    for fault in find_faults(database, origin):
        raise LogCorrupt(
            f"session {quote_for_message(origin.session_id)} cannot be copied: {fault}; restore a backup of "
            f"{database.path}"
        )
    rows = rechain(_fetch_rows(database, origin.session_id)[:upto], session_id)
    copied = fetch_events(database, origin.session_id, after=0, limit=upto)
    _insert_rows(database, list(rows), _latest_outcome(LogHead(session_id), copied))


def fetch_events(database: Database, session_id: str, after: int, limit: int | None) -> list[Event]:
    """Return the events of a session with a number above `after`. Raises StoreCorrupt for one beyond reading."""
    rows = database.rows(
        "SELECT seq, cycle, at, state, type, version, todo_id, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, -1 if limit is None else limit),
    )
    return [_parse_event(session_id, row) for row in rows]


def fetch_latest(database: Database, session_id: str, types: Collection[str]) -> Event | None:
    """Return the last event of one of these types, or None. Raises StoreCorrupt when it is beyond reading."""
    row = database.row(
        "SELECT seq, cycle, at, state, type, version, todo_id, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob "
        "WHERE session_id = ? AND type IN (SELECT value FROM json_each(?)) ORDER BY seq DESC LIMIT 1",
        (session_id, json.dumps(sorted(types))),
    )
    return _parse_event(session_id, row) if row else None


def find_faults(database: Database, head: LogHead) -> Iterator[str]:
    """Name what is wrong with the chain of a session and with the blobs that it uses."""
    yield from find_breaks(_fetch_rows(database, head.session_id), head.events, head.hash)
    blobs = database.rows(
        "SELECT seq, blob, size, data FROM events LEFT JOIN blobs ON sha256 = blob "
        "WHERE session_id = ? AND blob IS NOT NULL ORDER BY seq",
        (head.session_id,),
    )
    for seq, name, size, data in blobs:
        if data is None:
            yield f"the blob {name} of event {seq} is missing"
        elif decompress(name, size, data) is None:
            yield f"the blob {name} of event {seq} was changed"


def _fetch_rows(database: Database, session_id: str) -> list[EventRow]:
    rows = database.rows(
        "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash, todo_id "
        "FROM events WHERE session_id = ? ORDER BY seq",
        (session_id,),
    )
    return [EventRow(*row) for row in rows]


def _insert_rows(database: Database, rows: Sequence[EventRow], outcome: str | None) -> None:
    """Store rows of one session and move its head behind the last of them."""
    last = rows[-1]
    database.execute_many("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    database.run(
        "UPDATE sessions SET events = ?, cycle = ?, last_at = ?, outcome = ?, head = ? WHERE id = ?",
        (last.seq, last.cycle, last.at, outcome, last.hash, last.session_id),
    )


def _build_rows(database: Database, head: LogHead, events: Sequence[Event]) -> Iterator[EventRow]:
    previous = head.hash
    for due, event in enumerate(events, head.events + 1):
        if (event.session_id, event.seq) != (head.session_id, due):
            raise UsageError(
                f"event {event.seq} of session {quote_for_message(event.session_id)} cannot be appended as number "
                f"{due} "
                f"of session {quote_for_message(head.session_id)}; read the events after {head.events}, then append"
            )
        kind, version, text = serialize_payload(event.payload)
        body = text.encode()
        blob = put_blob(database, body) if len(body) > _MAX_INLINE_BYTES else None
        at = format_timestamp(event.at)
        content = (event.session_id, event.seq, event.cycle, at, event.state, kind, version)
        own = event_hash(previous, content, event.todo_id, blob or sha256(body).hexdigest())
        yield EventRow(*content, None if blob else text, blob, previous, own, event.todo_id)
        previous = own


def _latest_outcome(head: LogHead, events: Sequence[Event]) -> str | None:
    """Return the outcome of the newest cycle; None while it goes on."""
    outcome, cycle = head.outcome, head.cycle
    for event in events:
        if isinstance(event.payload, SessionFinished):
            outcome = event.payload.outcome
        elif isinstance(event.payload, SessionStarted) or event.cycle > cycle:
            outcome = None
        cycle = event.cycle
    return outcome


def _parse_event(session_id: str, row: ResultRow) -> Event:
    seq, cycle, at, state, kind, version, todo_id, *body = row
    try:
        payload, todo_id = parse_payload(kind, version, _body_text(*body), todo_id)
        return Event(
            session_id=session_id,
            seq=seq,
            cycle=cycle,
            at=parse_timestamp(at),
            state=state,
            todo_id=todo_id,
            payload=payload,
        )
    except ValueError as error:
        raise StoreCorrupt(
            f"event {seq} of session {quote_for_message(session_id)} cannot be read: {error}. The file is left as "
            "it is; "
            "verify the session, and restore a backup"
        ) from error


def _body_text(body: str | None, blob: str | None, size: int | None, data: bytes | None) -> str:
    if body is not None:
        return body
    content = decompress(blob, size, data) if blob and size is not None and data is not None else None
    if content is None:
        raise ValueError(f"its body, the blob {blob}, is missing or was changed")
    return content.decode()
