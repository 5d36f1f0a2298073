"""What a corpus holds: its documents, and one set of passages for every text among them.

Documents with the same text share its passages, which are those of the document that was put last. The terms of new
passages are gathered for a whole batch, and added to the index at its end.
"""

from collections.abc import Iterable
from datetime import datetime

from quaestor.contracts.errors import UsageError
from quaestor.contracts.library import IndexedDocument
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql.blobs import put_text
from quaestor.storage.sql.database import Database
from quaestor.storage.sql.provenance import document_names, note_departing
from quaestor.storage.sql.terms import TermIndex

AddedTerms = dict[int, str]
"""The terms of passages by their ids, for the index."""


def put_documents(
    database: Database, corpus: int, index: TermIndex, documents: Iterable[IndexedDocument], at: datetime
) -> None:
    """Add documents to a corpus, or replace those with their paths; a skipped one leaves its mark and reason."""
    added: AddedTerms = {}
    for document in documents:
        remove_document(database, corpus, index, document.mark.uri, added)
        source = _insert_document(database, corpus, document, at)
        if source:
            _remove_passages(database, corpus, index, added, source)
            _insert_passages(database, corpus, added, source, document)
    index.add(added.items())


def _insert_document(database: Database, corpus: int, indexed: IndexedDocument, at: datetime) -> str | None:
    """Insert a document and return the hash of its text; None for a skipped one."""
    mark, document = indexed.mark, indexed.document
    source = put_text(database, mark.uri, document.text) if document.skipped is None else None
    title, _, *names = document_names(document, at)
    database.run(
        "INSERT INTO documents (corpus, uri, title, size, modified_ns, form, source, skipped, media_type, "
        "retrieved_at, published, pages) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (corpus, mark.uri, title, mark.size, mark.modified_ns, mark.form, source, document.skipped, *names),
    )
    return source


def remove_document(
    database: Database, corpus: int, index: TermIndex, uri: str, added: AddedTerms | None = None
) -> None:
    """Take a document out of a corpus, and its passages unless another one has the same text.

    `added` are terms of the same batch that are not yet in the index.
    """
    note_departing(database, corpus, uri)
    gone = database.rows("DELETE FROM documents WHERE corpus = ? AND uri = ? RETURNING source", (corpus, uri))
    for (source,) in gone:
        if source and not database.rows("SELECT 1 FROM documents WHERE corpus = ? AND source = ?", (corpus, source)):
            _remove_passages(database, corpus, index, {} if added is None else added, source)


def _insert_passages(database: Database, corpus: int, added: AddedTerms, source: str, indexed: IndexedDocument) -> None:
    _validate(indexed)
    database.lock("passages")
    [[last]] = database.rows("SELECT coalesce(max(id), 0) FROM passages")
    numbered = list(enumerate(indexed.spans, last + 1))
    database.execute_many(
        'INSERT INTO passages (id, corpus, source, start, "end", heading) VALUES (?, ?, ?, ?, ?, ?)',
        ((own, corpus, source, *span) for own, span in numbered),
    )
    added.update(enumerate(indexed.terms, last + 1))


def _remove_passages(database: Database, corpus: int, index: TermIndex, added: AddedTerms, source: str) -> None:
    gone = database.rows("DELETE FROM passages WHERE corpus = ? AND source = ? RETURNING id", (corpus, source))
    indexed = [own for (own,) in gone if added.pop(own, None) is None]
    if indexed:
        index.remove(indexed)


def _validate(indexed: IndexedDocument) -> None:
    uri, size = quote_for_message(indexed.mark.uri), len(indexed.document.text)
    if len(indexed.spans) != len(indexed.terms):
        raise UsageError(
            f"{uri} has {len(indexed.spans)} passages but terms for {len(indexed.terms)}; give terms for each"
        )
    for start, end, _ in indexed.spans:
        if not 0 <= start < end <= size:
            raise UsageError(f"{uri}: the passage {start}..{end} is not within its {size} characters")
