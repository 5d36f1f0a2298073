"""The sentences of a corpus that correct what a brief shows: an old price is not shown without its correction."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.tables import find_tables
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.corrections import announcement, correcting_spans
from quaestor.research.brief.marked_sentence import MarkedSentence
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import (
    AMENDMENT_TERMS,
    ANNOUNCING_TERMS,
    CORRECTION_TERMS,
    TAKEN_BACK_TERMS,
)
from quaestor.research.offline.words.dates import find_dates

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 10
"""Passages with a word for a correction that are read for each."""
_MAX_CHARACTERS = 20_000
"""Of a document that corrects others."""
_SUFFIX = re.compile(r"\.\w{2,4}\Z")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+\u2022][ \t]+\S|\d+(?:\.\d+)*[a-z]?[.)]?[ \t])", re.MULTILINE)
"""The mark of an item of a list, or the number of a paragraph."""
_BLANK = re.compile(r"\n[ \t]*\n")
_ABOVE = 1_000
"""Characters above a sentence in which the mark of its item stands."""
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
        announcing = [one async for one in self._announcing()] if self._corpus and contexts else []
        found = [
            one
            for source in (cited[:_MAX_DOCUMENTS] if self._corpus else ())
            async for one in self._of_document(
                source, [one for one in contexts if one.quote.source == source.sha256], announcing
            )
        ]
        return tuple({one.quote: one for one in reversed(found)}.values())

    async def _of_document(
        self, source: Source, contexts: Sequence[QuoteContext], announcing: Sequence["_Text"]
    ) -> AsyncIterator[Correction]:
        own = await self._library.text(source.sha256) or ""
        marked = {one.quote: _marked(one, source, own) for one in contexts}
        texts = [*announcing, *[one async for one in self._texts([*marked.values()], announcing)]]
        rows = _rows(own, PurePath(source.uri).suffix) if any(one.is_row for one in marked.values()) else []
        for quote, sentence in marked.items():
            for text in texts:
                for said in text.correcting(sentence, source):
                    if not (sentence.is_row and _is_of_other_row(sentence.text, said.text, rows)):
                        yield Correction(quote=quote, said=said, title=text.called(source))

    async def _announcing(self) -> AsyncIterator["_Text"]:
        """Yield whole the documents that are there to correct others, whatever words they share with these."""
        read: set[str] = set()
        for hit in await self._library.search(self._corpus, ANNOUNCING_TERMS, _HITS, (), self._dates):
            whole = "" if hit.passage.source in read else await self._whole(hit)
            if announcement(whole, hit.title):
                read.add(hit.passage.source)
                yield _Text(hit, 0, whole)

    async def _texts(self, marked: Sequence[MarkedSentence], announcing: Sequence["_Text"]) -> AsyncIterator["_Text"]:
        """Yield the passages that may correct something, and whole the documents that are there to correct others."""
        read = {one.hit.passage.source for one in announcing}
        asked = [term for one in marked for term in content_terms(one.text)]
        named = [
            term for one in marked for term in (*sorted(one.title_terms), *content_terms(" ".join(one.identifiers)))
        ]
        for among in (CORRECTION_TERMS, AMENDMENT_TERMS, TAKEN_BACK_TERMS):
            terms = dict.fromkeys((*asked, *named) if among is TAKEN_BACK_TERMS else asked)
            for hit in await self._library.search(self._corpus, [*terms], _HITS, among, self._dates) if terms else ():
                if hit.passage.source in read:
                    continue
                whole = await self._whole(hit)
                if announcement(whole, hit.title):
                    read.add(hit.passage.source)
                    yield _Text(hit, 0, whole)
                else:
                    yield _Text(hit, hit.passage.start, hit.passage.text)

    async def _whole(self, hit: Hit) -> str:
        return (await self._library.text(hit.passage.source) or "")[:_MAX_CHARACTERS]


def _marked(one: QuoteContext, source: Source, text: str) -> MarkedSentence:
    """Return the sentence of a context, with the days and the names of its document."""
    # The paragraph that is shown may begin behind the number of its item.
    shown = _BLANK.split(text[max(one.quote.start - _ABOVE, 0) : one.quote.end])[-1]
    marks = [found.start() for found in _ITEM.finditer(shown)]
    return MarkedSentence(
        text=one.quote.text,
        heading=one.heading,
        title=f"{_bare(source.title)} {PurePath(source.uri).stem}",
        days=tuple(day for day in find_dates(f"{one.heading}\n{source.title}\n{text[:_TOP]}") if day.day),
        is_row=one.in_table is not None,
        item=shown[marks[-1] :] if marks else "",
    )


class _Text(NamedTuple):
    """Words of a found document from a place on."""

    hit: Hit
    start: int
    words: str

    def correcting(self, marked: MarkedSentence, cited: Source) -> Iterator[Quote]:
        """Yield what corrects a marked sentence of a source."""
        is_beside = self.hit.passage.source == cited.sha256
        is_near = PurePath(self.hit.uri).parent == PurePath(cited.uri).parent
        title = _bare(self.hit.title)
        for start, end in correcting_spans(self.words, title, marked, is_beside=is_beside, is_near=is_near):
            said, at = self.words[start:end], self.start + start
            yield Quote(source=self.hit.passage.source, start=at, end=at + len(said), text=said)

    def called(self, cited: Source) -> str:
        """Return what it is called beside a source; one with the title of the source by the name of its file."""
        own = self.hit.title
        return own if own and own != cited.title else PurePath(self.hit.uri).name


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
