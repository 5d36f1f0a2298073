"""The library: sources, and corpora that are searched by their terms."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from datetime import datetime
from functools import lru_cache
from typing import Self

from quaestor.contracts.errors import LogCorrupt, UsageError
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.library import CorpusState, Document, FileFingerprint, IndexedDocument, TermFrequencies, Vector
from quaestor.contracts.source import ANY_DATE, DateRange, Hit, Passage, Quote, Source
from quaestor.storage.errors import quote_for_message
from quaestor.storage.sql import blobs, provenance, vectors
from quaestor.storage.sql import documents as shelf
from quaestor.storage.sql.database import Database, ResultRow, performed
from quaestor.storage.sql.terms import TermIndex
from quaestor.storage.sql.vectors import VectorIndex

_TEXT_CACHE_SIZE = 64
"""How many source texts are kept unpacked for cutting passages out of them."""
_CORPUS_ID = re.compile(r"corpus_([1-9][0-9]{0,8})")
"""The id of a corpus, with its number; one of more digits than every database takes for a number is nobody's."""


class _Corpus(Immutable):
    number: int
    generation: int
    index: TermIndex


class SqlLibrary:
    """The `Library` port over one database, as the owner of the home sees it or as one session does."""

    def __init__(self, database: Database, term_index: Callable[[Database, int], TermIndex]) -> None:
        self._database = database
        self._term_index = term_index
        self._session_id = ""
        self._index = lru_cache(maxsize=None)(self._index_of)
        self._vectors = lru_cache(maxsize=None)(self._vectors_of)
        self._text = lru_cache(maxsize=_TEXT_CACHE_SIZE)(self._text_of)

    def of_session(self, session_id: str) -> Self:
        """Return this library, with its caches, as one session sees it."""
        scoped = copy(self)
        scoped._session_id = session_id  # noqa: SLF001 -- of its own class
        return scoped

    @performed
    def open_corpus(self, roots: Sequence[str]) -> str:
        """Return the id of the corpus over these roots, in whatever order; it is made if there is none.

        The number of a corpus that was erased is not given again: processes may still know it.
        """
        canonical = json.dumps(sorted(set(roots)), ensure_ascii=False)
        with self._database.writing():
            self._database.lock("corpora")
            row = self._database.row("SELECT number FROM corpora WHERE roots = ?", (canonical,))
            if row:
                return _corpus_id(*row)
            [[number]] = self._database.rows(
                "INSERT INTO corpora (number, roots, generation) "
                "SELECT 1 + coalesce(max(used), 0), ?, 0 FROM (SELECT number AS used FROM corpora "
                "UNION ALL SELECT CAST(value AS INTEGER) FROM tombstones, json_each(corpora)) AS numbers "
                "RETURNING number",
                (canonical,),
            )
            self._index(number).create()
            return _corpus_id(number)

    @performed
    def marks(self, corpus: str) -> Sequence[FileFingerprint]:
        """Return the mark of every document of a corpus in order of path, skipped ones included."""
        rows = self._database.rows(
            "SELECT uri, size, modified_ns, form FROM documents WHERE corpus = ? ORDER BY uri",
            (self._corpus(corpus).number,),
        )
        return [
            FileFingerprint(uri=uri, size=size, modified_ns=modified, form=form) for uri, size, modified, form in rows
        ]

    async def put(self, corpus: str, documents: Iterable[IndexedDocument], at: datetime) -> None:
        """Add or replace documents, in one transaction, so give them in batches.

        Raises UsageError for passages outside their text; then nothing of the batch is kept.
        """
        await self._put(corpus, tuple(documents), at)

    @performed
    def _put(self, corpus: str, documents: Sequence[IndexedDocument], at: datetime) -> None:
        with self._database.writing():
            held = self._begin_change(corpus)
            shelf.put_documents(self._database, held.number, held.index, documents, at)

    async def drop(self, corpus: str, uris: Iterable[str]) -> None:
        """Take documents out of a corpus; their sources stay, for what cites them."""
        await self._drop(corpus, tuple(uris))

    @performed
    def _drop(self, corpus: str, uris: Sequence[str]) -> None:
        with self._database.writing():
            held = self._begin_change(corpus)
            for uri in uris:
                shelf.remove_document(self._database, held.number, held.index, uri)

    @performed
    def corpus_state(self, corpus: str) -> CorpusState:
        """Count what a corpus holds; skipped documents are listed, not counted."""
        number = self._corpus(corpus).number
        [[roots, documents, passages]] = self._database.rows(
            "SELECT roots, (SELECT count(source) FROM documents WHERE corpus = number), "
            "(SELECT count(*) FROM passages WHERE corpus = number) FROM corpora WHERE number = ?",
            (number,),
        )
        skipped = self._database.rows(
            "SELECT uri, skipped FROM documents WHERE corpus = ? AND skipped IS NOT NULL ORDER BY uri",
            (number,),
        )
        return CorpusState(
            corpus=corpus,
            roots=tuple(json.loads(roots)),
            documents=documents,
            passages=passages,
            skipped=tuple((uri, reason) for uri, reason in skipped),
        )

    @performed
    def search(
        self,
        corpus: str,
        terms: Sequence[str],
        limit: int,
        among: Sequence[str] = (),
        dates: DateRange = ANY_DATE,
        *,
        only_filters: bool = False,
    ) -> Sequence[Hit]:
        """Return the best passages for any of these index terms by BM25, best first; ties in order of path.

        With `among` a passage must hold one of these terms too, which count twice in its score; not at all where they
        only filter. Its source must be dated within `dates`. A text that several documents share is found once, under
        the first of their paths. Raises LogCorrupt when the text of a hit is no longer what was stored.
        """
        held = self._corpus(corpus)
        found = held.index.search(terms, limit, held.generation, among, dates, only_filters=only_filters)
        return [self._hit(row) for row in found]

    async def frequencies(self, corpus: str, terms: Iterable[str]) -> TermFrequencies:
        """Count the passages of a corpus that hold each index term; 0 for what none holds."""
        return await self._frequencies(corpus, tuple(terms))

    @performed
    def _frequencies(self, corpus: str, terms: Sequence[str]) -> TermFrequencies:
        held = self._corpus(corpus)
        counts = held.index.frequencies(terms, held.generation)
        return TermFrequencies(passages=held.index.passages(held.generation), of=dict(counts))

    @performed
    def vocabulary(self, corpus: str, start: str, lengths: tuple[int, int]) -> Mapping[str, int]:
        """Return the index terms of a corpus that begin so and have so many characters, with the passages of each."""
        return self._corpus(corpus).index.vocabulary(start, lengths)

    @performed
    def texts_without_vectors(self, corpus: str, model: str, limit: int) -> Sequence[str]:
        """Return the texts of passages of a corpus that have no vector by this embedding model, each once.

        They are in order of path. Raises LogCorrupt when the text of a source is no longer what was stored.
        """
        held = self._corpus(corpus)
        return self._vectors(held.number, model).missing(held.generation, limit)

    @performed
    def put_vectors(self, model: str, made: Mapping[str, Vector]) -> None:
        """Keep the vectors of texts by an embedding model; the first of a text stays.

        Raises UsageError for a vector of another length than the model gave before; then none is kept.
        """
        with self._database.writing():
            vectors.put_vectors(self._database, model, made)

    @performed
    def vector(self, model: str, text: str) -> Vector | None:
        """Return the vector of a text by an embedding model, or None."""
        return vectors.fetch_vector(self._database, model, text)

    @performed
    def nearest(
        self, corpus: str, model: str, vector: Vector, limit: int, dates: DateRange = ANY_DATE
    ) -> Sequence[Hit]:
        """Return the passages nearest to a vector by their cosine, best first; ties in order of path.

        Over more than 2,000 passages the cosine is taken with those alone whose numbers agree with the vector in the
        most signs. Raises LogCorrupt when the text of a hit is no longer what was stored.
        """
        held = self._corpus(corpus)
        found = self._vectors(held.number, model).nearest(vector, limit, held.generation, dates)
        return [self._hit(row) for row in found]

    @performed
    def keep(self, document: Document, at: datetime) -> Source:
        """Store the text of a document outside any corpus and return its source, as this session saw it first."""
        # What a session learns from the text is an event that is written later, and durable with all before it.
        with self._database.writing(durable=False):
            name = provenance.keep_source(self._database, self._session_id, document, at)
        kept = provenance.fetch_source(self._database, self._session_id, name)
        if kept is None:
            raise LogCorrupt(f"source {name} was stored and cannot be read; restore a backup")
        return kept

    @performed
    def adopt(self, origin: str) -> None:
        """Let this session see what another one saw, which it replays."""
        with self._database.writing():
            provenance.adopt_references(self._database, self._session_id, origin)

    @performed
    def source(self, sha256: str) -> Source | None:
        """Return a source as this session saw it, or None; its title and uri are those of the first document it saw."""
        return provenance.fetch_source(self._database, self._session_id, sha256)

    @performed
    def texts_of(self, corpus: str) -> Sequence[str]:
        """Return the hashes of the texts of a corpus, each once, in order of the first path that has it."""
        rows = self._database.rows(
            "SELECT source FROM documents WHERE corpus = ? AND source IS NOT NULL GROUP BY source ORDER BY min(uri)",
            (self._corpus(corpus).number,),
        )
        return [source for (source,) in rows]

    @performed
    def sessions_of(self, sha256: str) -> Sequence[str]:
        """Return the ids of the sessions that saw a source, the newest first; ids are in order of time."""
        rows = self._database.rows(
            "SELECT session_id FROM session_sources JOIN sessions ON id = session_id WHERE source = ? "
            "ORDER BY session_id DESC",
            (sha256,),
        )
        return [session_id for (session_id,) in rows]

    async def held(self, corpus: str, sources: Iterable[str]) -> frozenset[str]:
        """Return those of these sources, by their hashes, that are the text of a document of the corpus."""
        return await self._held(corpus, tuple(sources))

    @performed
    def _held(self, corpus: str, sources: Sequence[str]) -> frozenset[str]:
        rows = self._database.rows(
            "SELECT DISTINCT source FROM documents WHERE corpus = ? AND source IN (SELECT value FROM json_each(?))",
            (self._corpus(corpus).number, json.dumps(sources)),
        )
        return frozenset(source for (source,) in rows)

    @performed
    def text(self, sha256: str) -> str | None:
        """Return the stored text of a source, or None. Raises LogCorrupt when it no longer has its hash."""
        return blobs.fetch_text(self._database, sha256)

    @performed
    def damaged(self, quotes: Sequence[Quote]) -> Sequence[str]:
        """Name the quotes that are not where they should be, and the sources whose hash does not match."""
        return list(blobs.find_damage(self._database, quotes))

    def _begin_change(self, corpus: str) -> _Corpus:
        self._database.run(
            "UPDATE corpora SET generation = generation + 1 WHERE number = ?", (self._corpus(corpus).number,)
        )
        return self._corpus(corpus)

    def _corpus(self, corpus: str) -> _Corpus:
        named = _CORPUS_ID.fullmatch(corpus)
        row = named and self._database.row("SELECT number, generation FROM corpora WHERE number = ?", (int(named[1]),))
        if not row:
            raise UsageError(
                f"there is no corpus {quote_for_message(corpus)}; open the corpus of its roots to get its id"
            )
        number, generation = row
        return _Corpus(number, generation, self._index(number))

    def _index_of(self, number: int) -> TermIndex:
        return self._term_index(self._database, number)

    def _vectors_of(self, number: int, model: str) -> VectorIndex:
        return VectorIndex(self._database, number, model, self._text)

    def _hit(self, row: ResultRow) -> Hit:
        source, start, end, heading, uri, title, score = row
        words = self._text(source)[start:end]
        passage = Passage(source=source, start=start, end=end, text=words, heading=heading)
        return Hit(passage=passage, title=title, uri=uri, score=score)

    def _text_of(self, source: str) -> str:
        text = blobs.fetch_text(self._database, source)
        if text is None:
            raise LogCorrupt(f"source {source} has passages but is not stored; restore a backup")
        return text


def _corpus_id(number: int) -> str:
    return f"corpus_{number}"
