"""The table `session_sources`: under which name, path and time each session saw a text that is stored once.

A text of a corpus gets its names there in the transaction of the first event that refers to it; what a session fetched
or made itself, when it is kept. Whatever another session called the same text is never looked at.
"""

import json
from collections.abc import Collection
from datetime import date, datetime

from quaestor.contracts.library import Document
from quaestor.contracts.source import Source
from quaestor.storage.encoding import format_timestamp, parse_timestamp
from quaestor.storage.references import named_corpora, named_workspaces
from quaestor.storage.sql.blobs import put_text
from quaestor.storage.sql.database import Database

_COLUMNS = "source, title, uri, media_type, retrieved_at, published, pages"

_KEEP = "INSERT INTO session_sources (session_id, $columns) $what ON CONFLICT (session_id, source) DO NOTHING"
_ONE = "VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_OF_CORPORA = """
SELECT ?1, $columns FROM session_corpora CROSS JOIN documents
WHERE session_id = ?1 AND documents.corpus = session_corpora.corpus
AND source IN (SELECT value FROM json_each(?2)) ORDER BY uri
"""
_DEPARTING = """
SELECT sessions.id, $columns
FROM documents JOIN session_corpora USING (corpus) JOIN sessions ON sessions.id = session_id
WHERE corpus = ? AND uri = ? AND source IS NOT NULL AND outcome IS NULL
"""
_OF_SESSION = "SELECT ?, $columns FROM session_sources WHERE session_id = ?"
_SEEN = """
SELECT $columns, characters FROM (
  SELECT $columns, 0 AS place FROM session_sources WHERE session_id = ?1 AND source = ?2
  UNION ALL
  SELECT $columns, 1 FROM documents WHERE source = ?2
  AND (?1 = '' OR corpus IN (SELECT corpus FROM session_corpora WHERE session_id = ?1))
) AS seen JOIN texts ON sha256 = source ORDER BY place, uri LIMIT 1
"""
_ADOPT = (
    "INSERT INTO session_corpora SELECT ?, corpus FROM session_corpora WHERE session_id = ? ON CONFLICT DO NOTHING",
    "INSERT INTO session_workspaces SELECT ?, name FROM session_workspaces WHERE session_id = ? ON CONFLICT DO NOTHING",
)


def keep_source(database: Database, session_id: str, document: Document, at: datetime) -> str:
    """Store the text of a document as one session saw it, and return its hash; its first names stay.

    The empty id is for what no session keeps.
    """
    name = put_text(database, document.uri, document.text)
    database.run(_keep(_ONE), (session_id, name, *document_names(document, at)))
    return name


def document_names(document: Document, at: datetime) -> tuple[str | None, ...]:
    """Return what is kept of a document beside its text: title, path, type, time, date and pages."""
    published = document.published.isoformat() if document.published else None
    pages = json.dumps(document.pages)
    return document.title, document.uri, document.media_type, format_timestamp(at), published, pages


def fetch_source(database: Database, session_id: str, name: str) -> Source | None:
    """Return a stored source as a session saw it, or would see it in its corpora; None where it did not.

    With the empty id these are all corpora.
    """
    row = database.row(_SEEN.replace("$columns", _COLUMNS), (session_id, name))
    if not row:
        return None
    _, title, uri, media_type, retrieved_at, published, pages, characters = row
    return Source(
        sha256=name,
        title=title,
        uri=uri,
        media_type=media_type,
        characters=characters,
        retrieved_at=parse_timestamp(retrieved_at),
        published=date.fromisoformat(published) if published else None,
        pages=tuple(json.loads(pages)),
    )


def note_options(database: Database, session_id: str, body: str) -> None:
    """Note the corpora and the workspaces that the options of a session name."""
    database.execute_many(
        "INSERT INTO session_corpora (session_id, corpus) SELECT ?, number FROM corpora WHERE number = ? "
        "ON CONFLICT DO NOTHING",
        [(session_id, number) for number in sorted(named_corpora(body))],
    )
    database.execute_many(
        "INSERT INTO session_workspaces (session_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING",
        [(session_id, name) for name in sorted(named_workspaces(body))],
    )


def note_sources(database: Database, session_id: str, names: Collection[str]) -> None:
    """Keep the names under which the corpora of a session have the sources among these hashes."""
    if names:
        database.run(_keep(_OF_CORPORA), (session_id, json.dumps(sorted(names))))


def note_departing(database: Database, corpus: int, uri: str) -> None:
    """Keep the names of a document that leaves a corpus for its unfinished sessions, which may have just found it."""
    database.run(_keep(_DEPARTING), (corpus, uri))


def adopt_references(database: Database, session_id: str, origin: str) -> None:
    """Let a session see what another one, of which it is a copy or a replay, saw by now."""
    for sql in (_keep(_OF_SESSION), *_ADOPT):
        database.run(sql, (session_id, origin))


def _keep(what: str) -> str:
    return _KEEP.replace("$what", what).replace("$columns", _COLUMNS)
