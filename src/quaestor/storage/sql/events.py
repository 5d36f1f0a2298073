"""The table `events`: one row an event, chained; a large body is a blob."""

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from operator import itemgetter

from quaestor.contracts.event import Event, Forked
from quaestor.contracts.session import LogStatus
from quaestor.contracts.signature import LogRecord
from quaestor.storage.chain import EventRow, find_breaks
from quaestor.storage.encoding import decompress, format_timestamp
from quaestor.storage.event_rows import LogHead, StoredEvent, build_record, build_rows, latest_outcome, parse_event
from quaestor.storage.references import named_hashes
from quaestor.storage.sql.blobs import put_blob
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.provenance import note_options, note_sources

PAGE_SIZE = 1_000
"""Rows read at a time."""
_NO_LIMIT = 2**63 - 1
_BEFORE_ALL = -(2**63)
"""Below every number that a row can have, also one that somebody changed."""


def append_events(database: Database, head: LogHead, events: Sequence[Event], status: LogStatus | None) -> None:
    """Append events after the head and move the head, with the status after them, inside the caller's transaction.

    Raises UsageError for events of another session, and for numbers that do not go on from the head.
    """
    bodies: list[str] = []

    def put_body(content: bytes) -> str:
        bodies.append(content.decode())
        return put_blob(database, content)

    rows = list(build_rows(head, events, put_body))
    bodies += (row.body for row in rows if row.body)
    insert_rows(database, rows)
    last = rows[-1]
    move_head(
        database,
        LogHead(head.session_id, last.seq, last.cycle, last.at, latest_outcome(head, events), last.hash),
        status,
    )
    # In the transaction of the events: an erasure that begins right after it must find what this session uses, or it
    # would shred a text that is cited here.
    if head.events == 0 or any(isinstance(event.payload, Forked) for event in events):
        note_options(database, head.session_id, "".join(bodies))
    note_sources(database, head.session_id, set().union(*map(named_hashes, bodies)))


def fetch_events(database: Database, session_id: str, after: int, limit: int | None) -> list[Event]:
    """Return the events of a session with a number above `after`. Raises StoreCorrupt for one beyond reading."""
    rows = database.rows(
        "SELECT seq, cycle, at, state, type, version, todo_id, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, _NO_LIMIT if limit is None else limit),
    )
    return [parse_event(session_id, StoredEvent(*row)) for row in rows]


def fetch_records(database: Database, session_id: str, after: int, limit: int) -> list[LogRecord]:
    """Return the events of a session with a number above `after` word for word, with their links.

    Raises StoreCorrupt for one whose body is missing or was changed.
    """
    rows = database.rows(
        "SELECT previous, hash, seq, cycle, at, state, type, version, todo_id, body, blob, size, data "
        "FROM events LEFT JOIN blobs ON sha256 = blob WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, limit),
    )
    return [build_record(session_id, StoredEvent(*row[2:]), previous=row[0], own=row[1]) for row in rows]


def fetch_events_of(
    database: Database, session_id: str, types: Collection[str], after: int, limit: int | None
) -> list[Event]:
    """Return the events of these types with a number above `after`. Raises StoreCorrupt for one beyond reading.

    Each type is a query of its own, whose numbers the index of types has in order; asked for whole rows, SQLite would
    read them all by their key.
    """
    most = _NO_LIMIT if limit is None else limit
    rows = [
        row
        for each in sorted(types)
        for row in database.rows(
            "SELECT seq, cycle, at, state, type, version, todo_id, body, blob, size, data "
            "FROM (SELECT seq AS number FROM events WHERE session_id = ? AND type = ? AND seq > ? ORDER BY seq LIMIT ?)"
            " AS found JOIN events ON session_id = ? AND seq = number LEFT JOIN blobs ON sha256 = blob",
            (session_id, each, after, most, session_id),
        )
    ]
    return [parse_event(session_id, StoredEvent(*row)) for row in sorted(rows, key=itemgetter(0))[:most]]


def fetch_latest(database: Database, session_id: str, types: Collection[str]) -> Event | None:
    """Return the last event of one of these types, or None. Raises StoreCorrupt when it is beyond reading."""
    newest = [
        seq
        for each in types
        for (seq,) in database.rows(
            "SELECT seq FROM events WHERE session_id = ? AND type = ? ORDER BY seq DESC LIMIT 1", (session_id, each)
        )
    ]
    found = fetch_events(database, session_id, max(newest) - 1, 1) if newest else ()
    return found[0] if found else None


def find_faults(database: Database, head: LogHead) -> Iterator[str]:
    """Name what is wrong with the chain of a session and with the blobs that it uses."""
    yield from find_breaks(partial(read_rows, database, head.session_id), head.events, head.hash)
    for row in read_rows(database, head.session_id):
        if row.blob is None:
            continue
        stored = database.row("SELECT size, data FROM blobs WHERE sha256 = ?", (row.blob,))
        if stored is None:
            yield f"the blob {row.blob} of event {row.seq} is missing"
        elif decompress(row.blob, *stored) is None:
            yield f"the blob {row.blob} of event {row.seq} was changed"


def read_rows(database: Database, session_id: str, after: int = _BEFORE_ALL) -> Iterator[EventRow]:
    """Iterate over the rows of a session with a number above `after`, read page by page."""
    while page := database.rows(
        "SELECT session_id, seq, cycle, at, state, type, version, body, blob, previous, hash, todo_id "
        "FROM events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
        (session_id, after, PAGE_SIZE),
    ):
        rows = [EventRow(*row) for row in page]
        yield from rows
        after = rows[-1].seq


def insert_rows(database: Database, rows: Sequence[EventRow]) -> None:
    """Store rows of one session."""
    database.execute_many("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)


def move_head(database: Database, head: LogHead, status: LogStatus | None = None) -> None:
    """Note in the row of a session where its log ends."""
    database.run(
        "UPDATE sessions SET events = ?, cycle = ?, last_at = ?, outcome = ?, head = ?, status = ?, progress = ?, "
        "due_at = ?, dollars = ? WHERE id = ?",
        (*(head.events, head.cycle, head.last_at, head.outcome, head.hash), *status_row(status), head.session_id),
    )


def status_row(status: LogStatus | None) -> tuple[str | None, str | None, str | None, str | None]:
    """Return the status of a session as its row has it: state, progress, when it goes on by itself, and dollars."""
    if status is None:
        return None, None, None, None
    due_at = format_timestamp(status.due_at) if status.due_at else None
    return status.state, status.progress, due_at, None if status.dollars is None else format(status.dollars, "f")
