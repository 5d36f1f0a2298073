"""The port of a library: documents, their passages and vectors, and the texts that citations refer to."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.source import ANY_DATE, DateRange, Hit, Quote, Source
from quaestor.contracts.tools import InputT, OutputT, Tool

Vector = Sequence[float]
"""The embedding of a text: numbers whose squares sum to 1."""


class Document(Contract):
    """One file as it was read: its stored text, ready to be split, or the reason it was skipped."""

    uri: str
    title: str = ""
    media_type: str = ""
    text: str = ""
    published: date | None = None
    pages: tuple[int, ...] = Field(default=(), description="Where each page starts in the text.")
    skipped: str | None = None


KeptDocument = tuple[Document, datetime]
"""A document outside any corpus, and when it was retrieved."""


INDEX_FORM = 22
"""What passages and terms the index makes of a text: raised whenever the same text would come to others.

1 is that of release 0.1.0.
"""


class FileFingerprint(Contract):
    """What was known of a file when it was last read; equal marks mean that it need not be read again."""

    uri: str
    size: int
    modified_ns: int
    form: int = Field(default=INDEX_FORM, description="In which its passages and terms were stored.")


class IndexedDocument(Contract):
    """A document with its passages, each (start, end, heading) with offsets into the text."""

    mark: FileFingerprint
    document: Document
    spans: tuple[tuple[int, int, str], ...] = ()
    terms: tuple[str, ...] = Field(default=(), description="For every passage its index terms, joined by blanks.")


class CorpusState(Contract):
    """What a corpus holds after indexing."""

    corpus: str = Field(description="The id by which it is searched.")
    roots: tuple[str, ...]
    documents: int = Field(ge=0)
    passages: int = Field(ge=0)
    changed: int = Field(default=0, ge=0, description="Documents that were read again.")
    removed: int = Field(default=0, ge=0)
    skipped: tuple[tuple[str, str], ...] = Field(default=(), description="Path and reason.")


class TermFrequencies(Contract):
    """How common index terms are in a corpus."""

    passages: int = Field(ge=0, description="Passages in the corpus.")
    of: dict[str, int] = Field(description="For each term, lower case in ASCII, the passages that hold it.")


class Library(Protocol):
    """The store of sources, their passages and the search index over them; one suite tests every implementation.

    A text is stored once. Its title, path and time are kept for each session that saw it, and shown to that one alone.
    """

    def of_session(self, session_id: str) -> "Library":
        """Return the library as one session sees it: what it keeps is named, and what it looks up was named, there."""

    async def open_corpus(self, roots: Sequence[str]) -> str:
        """Return the id of the corpus over these roots, made if there is none; its index is its own."""

    async def marks(self, corpus: str) -> Sequence[FileFingerprint]:
        """Return the mark of every document of a corpus, skipped ones included."""

    async def put(self, corpus: str, documents: Iterable[IndexedDocument], at: datetime) -> None:
        """Add or replace documents, in one transaction."""

    async def drop(self, corpus: str, uris: Iterable[str]) -> None:
        """Take documents out of a corpus; their sources stay, for what cites them."""

    async def corpus_state(self, corpus: str) -> CorpusState:
        """Count what a corpus holds."""

    async def search(
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
        only filter. Its source must be dated within `dates`, as far as it is dated.
        """

    async def frequencies(self, corpus: str, terms: Iterable[str]) -> TermFrequencies:
        """Count the passages of a corpus that hold each index term; 0 for what none holds."""

    async def vocabulary(self, corpus: str, start: str, lengths: tuple[int, int]) -> Mapping[str, int]:
        """Return the index terms of a corpus that begin so and have so many characters, with the passages of each.

        `lengths` are the fewest and the most characters.
        """

    async def texts_without_vectors(self, corpus: str, model: str, limit: int) -> Sequence[str]:
        """Return the texts of passages of a corpus that have no vector by this embedding model, each once.

        Each is the title, the heading and the words of a passage; what is kept is no longer given.
        """

    async def put_vectors(self, model: str, made: Mapping[str, Vector]) -> None:
        """Keep the vectors of texts by an embedding model; the first of a text stays.

        Raises UsageError for a vector of another length than the model gave before; then none is kept.
        """

    async def vector(self, model: str, text: str) -> Vector | None:
        """Return the vector of a text by an embedding model, or None."""

    async def nearest(
        self, corpus: str, model: str, vector: Vector, limit: int, dates: DateRange = ANY_DATE
    ) -> Sequence[Hit]:
        """Return the passages nearest to a vector by their cosine, above 0, best first; ties in order of path.

        Their source must be dated within `dates`, as far as it is dated.
        """

    async def keep(self, document: Document, at: datetime) -> Source:
        """Store the text of a document outside any corpus and return its source, as this session saw it first."""

    async def adopt(self, origin: str) -> None:
        """Let this session see what another one saw, which it replays."""

    async def source(self, sha256: str) -> Source | None:
        """Return a source as this session saw it; None for one that it did not see and none of its corpora has."""

    async def texts_of(self, corpus: str) -> Sequence[str]:
        """Return the hashes of the texts of a corpus, each once, in order of the first path that has it."""

    async def sessions_of(self, sha256: str) -> Sequence[str]:
        """Return the ids of the sessions that saw a source, the newest first."""

    async def held(self, corpus: str, sources: Iterable[str]) -> frozenset[str]:
        """Return those of these sources, by their hashes, that are the text of a document of the corpus."""

    async def text(self, sha256: str) -> str | None:
        """Return the stored text of a source, or None."""

    async def damaged(self, quotes: Sequence[Quote]) -> Sequence[str]:
        """Name the quotes that are not where they should be, and the sources whose hash does not match."""


class LibraryTool(Tool[InputT, OutputT]):
    """A tool that only reads the library and computes: it costs nothing and may run again at any time."""

    repeatable = True
    pure = True
    computes = True
    spend = Spend()

    def __init__(self, library: Library) -> None:
        self._library = library


class IndexProgress(Immutable):
    """How far the indexing has come: documents done of those that are new or changed, and the last one's path."""

    done: int
    total: int
    uri: str


ProgressCallback = Callable[[IndexProgress], None]
