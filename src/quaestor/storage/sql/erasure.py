"""The erasure of sessions: a tombstone first, in one transaction, then everything else in pieces.

With its tombstone a session is gone for every reader. What it leaves is deleted piece by piece, so that nobody waits
long for a lock; the tombstone says what is left to do, and whoever opens the home after a kill goes on.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import partial

from pydantic import JsonValue

from quaestor.contracts.errors import LogCorrupt
from quaestor.contracts.session import LOCAL_TENANT, Remains, Tombstone
from quaestor.storage.chain import GENESIS
from quaestor.storage.encoding import format_timestamp, parse_timestamp, unpack
from quaestor.storage.sql.blobs import fetch_text
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.dialect import Dialect
from quaestor.storage.sql.vectors import delete_vectors, embedded_texts

_PIECE = 500
"""Rows that are deleted in one transaction."""

_OWN_CORPORA = """
SELECT corpus FROM session_corpora AS own WHERE session_id = ?1
AND NOT EXISTS (SELECT 1 FROM session_corpora WHERE corpus = own.corpus AND session_id <> ?1)
"""
_OWN_WORKSPACES = """
SELECT name FROM session_workspaces AS own WHERE session_id = ?1
AND NOT EXISTS (SELECT 1 FROM session_workspaces WHERE name = own.name AND session_id <> ?1)
"""
_TABLES = ("session_corpora", "session_workspaces", "session_sources", "commands", "leases", "requests", "snapshots")
_ENTOMB = """
INSERT INTO tombstones (session_id, tenant, created_at, erased_at, events, head, corpora, workspaces)
SELECT id, tenant, created_at, ?2, events, head, ?3, ?4 FROM sessions WHERE id = ?1
"""
_SHRED_BLOBS = """
DELETE FROM blobs WHERE sha256 IN (SELECT value FROM json_each(?))
AND NOT EXISTS (SELECT 1 FROM events WHERE blob = blobs.sha256)
AND NOT EXISTS (SELECT 1 FROM texts WHERE texts.sha256 = blobs.sha256)
"""
_SHRED_TEXTS = """
DELETE FROM texts WHERE sha256 NOT IN (SELECT source FROM documents WHERE source IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM session_sources WHERE source = sha256) RETURNING sha256
"""

_ENTOMB_COPY = """
INSERT INTO tombstones (session_id, tenant, created_at, erased_at, events, head, corpora, workspaces)
VALUES (?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (session_id) DO NOTHING
"""


def entomb(database: Database, session_id: str, at: datetime) -> None:
    """Put a tombstone in the place of a session, or of an incomplete copy, inside the caller's transaction."""
    corpora = [number for (number,) in database.rows(_OWN_CORPORA, (session_id,))]
    workspaces = [name for (name,) in database.rows(_OWN_WORKSPACES, (session_id,))]
    # What this session alone uses is noted while it can still be found out: afterwards nothing says whose it was.
    erased_at, shared = format_timestamp(at), (json.dumps(corpora), json.dumps(workspaces))
    if not database.run(_ENTOMB, (session_id, erased_at, *shared)):
        database.run(_ENTOMB_COPY, (session_id, LOCAL_TENANT, erased_at, erased_at, GENESIS, *shared))
    database.run(
        "DELETE FROM corpora WHERE number IN (SELECT CAST(value AS INTEGER) FROM json_each(?))", (json.dumps(corpora),)
    )
    for table in ("session_corpora", "session_workspaces"):
        database.run(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))  # noqa: S608 -- named above
    database.run("DELETE FROM sessions WHERE id = ?", (session_id,))


def fetch_tombstone(database: Database, session_id: str) -> Tombstone | None:
    """Return the tombstone of a session that was erased, or None."""
    row = database.row(
        "SELECT tenant, created_at, erased_at, events, head FROM tombstones WHERE session_id = ?", (session_id,)
    )
    if not row:
        return None
    tenant, created_at, erased_at, events, head = row
    return Tombstone(
        session_id=session_id,
        tenant=tenant,
        created_at=parse_timestamp(created_at),
        erased_at=parse_timestamp(erased_at),
        events=events,
        head=head,
    )


def forget_incomplete(database: Database, session_id: str) -> None:
    """Delete the tombstone of an import that was cut off and shredded, so that it can be made again."""
    database.run(
        "DELETE FROM tombstones WHERE session_id = ? AND events = 0 AND finished_at IS NOT NULL", (session_id,)
    )


def fetch_remains(database: Database) -> Sequence[Remains]:
    """Return the sessions whose erasure has not come to its end."""
    rows = database.rows("SELECT session_id, workspaces FROM tombstones WHERE finished_at IS NULL ORDER BY session_id")
    return [Remains(session_id=session_id, workspaces=json.loads(workspaces)) for session_id, workspaces in rows]


def shred(database: Database, dialect: Dialect) -> list[str]:
    """Delete what sessions with a tombstone have left; return their ids, for `finish`."""
    due = database.rows("SELECT session_id, corpora FROM tombstones WHERE finished_at IS NULL")
    for session_id, corpora in due:
        _shred_events(database, dialect, session_id)
        for number in json.loads(corpora):
            _shred_corpus(database, dialect, number)
        with database.writing():
            for table in _TABLES:
                database.run(f"DELETE FROM {table} WHERE session_id = ?", (session_id,))  # noqa: S608 -- named above
    _shred_texts(database)
    return [session_id for session_id, _ in due]


def finish(database: Database, sessions: Iterable[str], at: datetime) -> None:
    """Note that nothing is left of sessions but their tombstones."""
    with database.writing():
        for session_id in sessions:
            database.run(
                "UPDATE tombstones SET finished_at = ?, workspaces = '[]' WHERE session_id = ?",
                (format_timestamp(at), session_id),
            )


def _shred_events(database: Database, dialect: Dialect, session_id: str) -> None:
    # From the end: what a kill between two pieces leaves is the beginning of a log, with its chain whole.
    while rows := database.rows(
        "SELECT seq, type, body, blob, size, data FROM events LEFT JOIN blobs ON sha256 = blob "
        "WHERE session_id = ? ORDER BY seq DESC LIMIT ?",
        (session_id, _PIECE),
    ):
        bodies = [body or unpack(size or 0, data or b"") for _, _, body, _, size, data in rows]
        strings = {text for body in bodies for text in _texts_in(body)}
        with database.writing():
            database.run(dialect.delete_events, (session_id, rows[-1][0]))
            database.run(_SHRED_BLOBS, (json.dumps([row[3] for row in rows if row[3]]),))
            delete_vectors(database, strings)
            dialect.delete_replies(database, {text for text in strings if text})


def _texts_in(body: str | bytes) -> Sequence[str]:
    """Return every text in the stored body of an event; none of one beyond reading.

    Whoever opens the home next goes on with an erasure that was cut off, so one that a damaged event stopped would stop
    every command from then on.
    """
    try:
        return tuple(find_texts(json.loads(body or "null")))
    except (ValueError, RecursionError):
        return ()


def find_texts(value: JsonValue, without: Collection[str] = ()) -> Iterator[str]:
    """Yield every text in a value, but for what is under some keys.

    In an event these are its queries, which may have vectors, and the replies it got, among others.
    """
    match value:
        case str():
            yield value
        case list():
            for part in value:
                yield from find_texts(part, without)
        case dict():
            for key, part in value.items():
                if key not in without:
                    yield from find_texts(part, without)
        case _:
            pass


def _shred_corpus(database: Database, dialect: Dialect, number: int) -> None:
    for texts in embedded_texts(database, number, partial(_readable_text, database)):
        with database.writing():
            delete_vectors(database, texts)
    with database.writing():
        dialect.term_index(database, number).drop()
    for table in ("passages", "documents"):
        while database.rows(f"SELECT 1 FROM {table} WHERE corpus = ? LIMIT 1", (number,)):  # noqa: S608 -- named above
            with database.writing():
                key = "id" if table == "passages" else "uri"
                database.run(
                    f"DELETE FROM {table} WHERE corpus = ?1 AND {key} IN "  # noqa: S608 -- named above
                    f"(SELECT {key} FROM {table} WHERE corpus = ?1 LIMIT ?2)",
                    (number, _PIECE),
                )


def _readable_text(database: Database, name: str) -> str:
    try:
        return fetch_text(database, name) or ""
    except LogCorrupt:  # its passages have other vectors than what is stored would have
        return ""


def _shred_texts(database: Database) -> None:
    """Delete the texts that no document and no session has."""
    with database.writing():
        gone = [name for (name,) in database.rows(_SHRED_TEXTS)]
        database.run(_SHRED_BLOBS, (json.dumps(gone),))
