"""The sentences of a corpus that correct what a brief shows: an old price is not shown without its correction."""

from collections.abc import AsyncIterator, Sequence
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.corrections import MarkedSentence, correcting_spans
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import CORRECTION_TERMS
from quaestor.research.offline.words.dates import find_dates

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 10
"""Passages with a word for a correction that are read for each."""
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
        hits = await self._library.search(self._corpus, asked, _HITS, CORRECTION_TERMS, self._dates) if asked else ()
        top = (await self._library.text(source.sha256) or "")[:_TOP] if hits else ""
        name = f"{source.title} {PurePath(source.uri).stem}"
        for one in contexts:
            days = tuple(day for day in find_dates(f"{one.heading}\n{top}\n{source.title}") if day.day)
            marked = MarkedSentence(text=one.quote.text, title=name, days=days)
            for hit in hits:
                for said in _correcting(hit, marked, is_beside=hit.passage.source == source.sha256):
                    yield Correction(quote=one.quote, said=said, title=_called(hit, source))


def _called(hit: Hit, source: Source) -> str:
    """Return what a document is called; one with the title of the other by the name of its file."""
    return hit.title if hit.title and hit.title != source.title else PurePath(hit.uri).name


def _correcting(hit: Hit, marked: MarkedSentence, *, is_beside: bool) -> Sequence[Quote]:
    passage = hit.passage
    return [
        Quote(
            source=passage.source,
            start=passage.start + start,
            end=passage.start + end,
            text=passage.text[start:end],
        )
        for start, end in correcting_spans(passage.text, marked, is_beside=is_beside)
    ]
