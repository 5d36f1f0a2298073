"""The sentences of a corpus that correct what a brief shows: an old price is not shown without its correction."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.tables import find_tables
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.corrections import MarkedSentence, announcement, correcting_spans
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import AMENDMENT_TERMS, CORRECTION_TERMS
from quaestor.research.offline.words.dates import find_dates

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 10
"""Passages with a word for a correction that are read for each."""
_MAX_CHARACTERS = 20_000
"""Of a document that corrects others."""
_SUFFIX = re.compile(r"\.\w{2,4}\Z")
_TOP = 400
"""Characters at the top of a document in which its day stands."""


class CorrectionSearch:
    """Looks for sentences that correct marked ones, in the passages of a corpus."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(self, contexts: Sequence[QuoteContext], cited: Sequence[Source]) -> tuple[Correction, ...]:
        """Return the first sentence that corrects each quote, where there is one."""
        found = [
            one
            for source in (cited[:_MAX_DOCUMENTS] if self._corpus else ())
            async for one in self._of_document(source, [one for one in contexts if one.quote.source == source.sha256])
        ]
        return tuple({one.quote: one for one in reversed(found)}.values())

    async def _of_document(self, source: Source, contexts: Sequence[QuoteContext]) -> AsyncIterator[Correction]:
        asked = [term for one in contexts for term in content_terms(one.quote.text)]
        texts = [one async for one in self._texts(asked, source)]
        own = await self._library.text(source.sha256) or "" if texts else ""
        top, rows = own[:_TOP], _rows(own, PurePath(source.uri).suffix)
        name = f"{_bare(source.title)} {PurePath(source.uri).stem}"
        for one in contexts:
            days = tuple(day for day in find_dates(f"{one.heading}\n{top}\n{source.title}") if day.day)
            marked = MarkedSentence(
                text=one.quote.text, heading=one.heading, title=name, days=days, is_row=one.in_table is not None
            )
            for text in texts:
                for said in text.correcting(marked, is_beside=text.source == source.sha256):
                    if marked.is_row and _is_of_other_row(marked.text, said.text, rows):
                        continue
                    yield Correction(quote=one.quote, said=said, title=text.called)

    async def _texts(self, asked: Sequence[str], cited: Source) -> AsyncIterator["_Text"]:
        """Yield the passages that may correct something, and whole the documents that are there to correct others."""
        read: set[str] = set()
        for among in (CORRECTION_TERMS, AMENDMENT_TERMS):
            for hit in await self._library.search(self._corpus, asked, _HITS, among, self._dates) if asked else ():
                passage, called = hit.passage, _called(hit, cited)
                if passage.source in read:
                    continue
                whole = (await self._library.text(passage.source) or "")[:_MAX_CHARACTERS]
                if announcement(whole, hit.title):
                    read.add(passage.source)
                    yield _Text(passage.source, 0, whole, hit.title, called)
                else:
                    yield _Text(passage.source, passage.start, passage.text, hit.title, called)


class _Text(NamedTuple):
    """Words of a source from a place on, and what their document is called in it and in a brief."""

    source: str
    start: int
    words: str
    title: str
    called: str

    def correcting(self, marked: MarkedSentence, *, is_beside: bool) -> Iterator[Quote]:
        """Yield what corrects a marked sentence."""
        for start, end in correcting_spans(self.words, _bare(self.title), marked, is_beside=is_beside):
            said = self.words[start:end]
            yield Quote(source=self.source, start=self.start + start, end=self.start + end, text=said)


def _rows(text: str, suffix: str) -> list[frozenset[str]]:
    """Return the index terms of the rows of the tables of a text."""
    tables = find_tables(text, suffix)
    return [frozenset(content_terms(" ".join(row.cells))) for table in tables for row in table.rows]


def _is_of_other_row(marked: str, said: str, rows: Iterable[frozenset[str]]) -> bool:
    """Return whether another row holds more of what is said than the marked one: pine boards are no oak boards."""
    told = frozenset(content_terms(said))
    shared = told.intersection(content_terms(marked))
    return any(shared < told & row for row in rows)


def _bare(title: str) -> str:
    """Return a title without the ending of a file name: "txt" names no document."""
    return _SUFFIX.sub("", title)


def _called(hit: Hit, source: Source) -> str:
    """Return what a document is called; one with the title of the other by the name of its file."""
    return hit.title if hit.title and hit.title != source.title else PurePath(hit.uri).name
