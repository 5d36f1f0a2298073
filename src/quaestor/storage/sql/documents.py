"""What a corpus holds: its documents, and one set of passages for every text among them.

Documents with the same text share its passages, which are those of the document that was put last.
"""

from datetime import datetime

from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import IndexedDocument
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.blobs import put_text
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.provenance import document_names, note_departing
from quaestor.storage.sql.terms import TermIndex


def put_document(database: Database, corpus: int, index: TermIndex, indexed: IndexedDocument, at: datetime) -> None:
    """Add a document to a corpus, or replace the one with its path; a skipped one leaves its mark and reason."""
    mark, document = indexed.mark, indexed.document
    remove_document(database, corpus, index, mark.uri)
    source = put_text(database, mark.uri, document.text) if document.skipped is None else None
    title, _, *names = document_names(document, at)
    database.run(
        "INSERT INTO documents (corpus, uri, title, size, modified_ns, source, skipped, media_type, retrieved_at, "
        "published, pages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (corpus, mark.uri, title, mark.size, mark.modified_ns, source, document.skipped, *names),
    )
    if source:
        _remove_passages(database, corpus, index, source)
        _index_passages(database, corpus, index, source, indexed)


def remove_document(database: Database, corpus: int, index: TermIndex, uri: str) -> None:
    """Take a document out of a corpus, and its passages unless another one has the same text."""
    note_departing(database, corpus, uri)
    gone = database.rows("DELETE FROM documents WHERE corpus = ? AND uri = ? RETURNING source", (corpus, uri))
    for (source,) in gone:
        if source and not database.rows("SELECT 1 FROM documents WHERE corpus = ? AND source = ?", (corpus, source)):
            _remove_passages(database, corpus, index, source)


def _index_passages(database: Database, corpus: int, index: TermIndex, source: str, indexed: IndexedDocument) -> None:
    _validate(indexed)
    database.lock("passages")
    [[last]] = database.rows("SELECT coalesce(max(id), 0) FROM passages")
    numbered = list(enumerate(indexed.spans, last + 1))
    database.execute_many(
        'INSERT INTO passages (id, corpus, source, start, "end", heading) VALUES (?, ?, ?, ?, ?, ?)',
        ((own, corpus, source, *span) for own, span in numbered),
    )
    index.add(enumerate(indexed.terms, last + 1))


def _remove_passages(database: Database, corpus: int, index: TermIndex, source: str) -> None:
    gone = database.rows("DELETE FROM passages WHERE corpus = ? AND source = ? RETURNING id", (corpus, source))
    index.remove(own for (own,) in gone)


def _validate(indexed: IndexedDocument) -> None:
    uri, size = quote_for_message(indexed.mark.uri), len(indexed.document.text)
    if len(indexed.spans) != len(indexed.terms):
        raise UsageError(
            f"{uri} has {len(indexed.spans)} passages but terms for {len(indexed.terms)}; give terms for each"
        )
    for start, end, _ in indexed.spans:
        if not 0 <= start < end <= size:
            raise UsageError(f"{uri}: the passage {start}..{end} is not within its {size} characters")
