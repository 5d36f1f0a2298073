"""The event log as rows, the same in every store: where it ends, which events may follow, and how a row is read back.

A store adds what differs: the statements that read and write the rows, and where it puts large bodies.
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256

from quaestor.contracts.codec import parse_payload, serialize_payload
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event, SessionFinished, SessionStarted
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.signature import LogRecord
from quaestor.storage.chain import GENESIS, EventRow, event_hash
from quaestor.storage.encoding import MAX_INLINE_BYTES, decompress, format_timestamp, parse_timestamp
from quaestor.storage.errors import event_unreadable, quote_for_message

BlobWriter = Callable[[bytes], str]
"""Stores a content and returns its hash."""


class LogHead(Immutable):
    """Where a session's log ends: what its row holds beside what never changes."""

    session_id: str
    events: int = 0
    cycle: int = 1
    last_at: str | None = None
    outcome: str | None = None
    hash: str = GENESIS


class StoredEvent(Immutable):
    """A row of the log with its blob beside it, as a store selects them; the fields of a missing blob are None."""

    seq: int
    cycle: int
    at: str
    state: str
    type: str
    version: int
    todo_id: str | None
    body: str | None
    blob: str | None
    size: int | None
    data: bytes | None


def build_rows(head: LogHead, events: Sequence[Event], put_blob: BlobWriter) -> Iterator[EventRow]:
    """Build the rows of events that follow the head, each chained to the one before it.

    Raises UsageError for events of another session, and for numbers that do not go on from the head.
    """
    previous = head.hash
    for due, event in enumerate(events, head.events + 1):
        if (event.session_id, event.seq) != (head.session_id, due):
            raise UsageError(
                f"event {event.seq} of session {quote_for_message(event.session_id)} cannot be appended as number "
                f"{due} of session {quote_for_message(head.session_id)}; read the events after {head.events}, then "
                "append"
            )
        kind, version, text = serialize_payload(event.payload)
        body = text.encode()
        blob = put_blob(body) if len(body) > MAX_INLINE_BYTES else None
        content = (event.session_id, event.seq, event.cycle, format_timestamp(event.at), event.state, kind, version)
        # By the hash of the body, never by its place: an event has the same hash inline, as a blob, and in every store.
        own = event_hash(previous, content, event.todo_id, blob or sha256(body).hexdigest())
        yield EventRow(*content, None if blob else text, blob, previous, own, event.todo_id)
        previous = own


def latest_outcome(head: LogHead, events: Sequence[Event]) -> str | None:
    """Return the outcome of the newest cycle once these events follow the head; None while it goes on."""
    outcome, cycle = head.outcome, head.cycle
    for event in events:
        if isinstance(event.payload, SessionFinished):
            outcome = event.payload.outcome
        elif isinstance(event.payload, SessionStarted) or event.cycle > cycle:
            outcome = None
        cycle = event.cycle
    return outcome


def parse_event(session_id: str, row: StoredEvent) -> Event:
    """Parse a stored event. Raises StoreCorrupt for one that cannot be read."""
    try:
        payload, todo_id = parse_payload(row.type, row.version, _body_text(row), row.todo_id)
        return Event(
            session_id=session_id,
            seq=row.seq,
            cycle=row.cycle,
            at=parse_timestamp(row.at),
            state=row.state,
            todo_id=todo_id,
            payload=payload,
        )
    except ValueError as error:
        raise event_unreadable(session_id, row.seq, error) from error


def build_record(session_id: str, row: StoredEvent, *, previous: str, own: str) -> LogRecord:
    """Return a stored event word for word, with its link. Raises StoreCorrupt for one whose body cannot be read."""
    try:
        return LogRecord(
            session_id=session_id,
            seq=row.seq,
            cycle=row.cycle,
            at=row.at,
            state=row.state,
            type=row.type,
            version=row.version,
            todo_id=row.todo_id,
            body=_body_text(row),
            previous=previous,
            hash=own,
        )
    except ValueError as error:
        raise event_unreadable(session_id, row.seq, error) from error


def parse_record(record: LogRecord) -> Event:
    """Return the event of a record. Raises StoreCorrupt for one that cannot be read."""
    stored = record.model_dump(exclude={"session_id", "previous", "hash"})
    return parse_event(record.session_id, StoredEvent(**stored, blob=None, size=None, data=None))


def record_row(record: LogRecord) -> EventRow:
    """Return the row that the hash of a record covers."""
    content = (record.session_id, record.seq, record.cycle, record.at, record.state, record.type, record.version)
    return EventRow(*content, record.body, None, record.previous, record.hash, record.todo_id)


def _body_text(row: StoredEvent) -> str:
    if row.body is not None:
        return row.body
    content = None
    if row.blob is not None and row.size is not None and row.data is not None:
        content = decompress(row.blob, row.size, row.data)
    if content is None:
        raise ValueError(f"its body, the blob {row.blob}, is missing or was changed")
    return content.decode()
