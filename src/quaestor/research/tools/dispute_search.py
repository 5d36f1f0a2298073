"""The sentences of a corpus that may dispute a date: a brief gives none directly that another text denies."""

from collections.abc import AsyncIterator, Iterable, Sequence
from itertools import pairwise
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Quote, Source
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.disputed_dates import AskedEvent, asked_event, may_dispute
from quaestor.research.offline.words.correction_words import CORRECTION_TERMS
from quaestor.research.offline.words.dates import holds_day
from quaestor.research.offline.words.language import AnswerKind
from quaestor.research.offline.words.question import parse_question

_HITS = 20
"""Passages that are read of those that hold a word of the question, and of those that correct something."""
_MAX_CHARACTERS = 100_000
"""Of a cited document that are read."""
_MAX_SENTENCES = 300


class DisputeSearch:
    """Looks for sentences that may dispute a date, in the stored documents of a library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    async def find(self, question: str, corpus: str, cited: Sequence[Source], dates: DateRange) -> tuple[Quote, ...]:
        """Return sentences of the cited documents and of passages of the corpus; none where no date is asked for."""
        if parse_question(question).wanted is not AnswerKind.DATE:
            return ()
        event = asked_event(question)
        titles = [f"{source.title} {PurePath(source.uri).stem}" for source in cited]
        found = [
            quote
            async for source, start, text in self._texts(event, titles, corpus, cited, dates)
            for quote in _disputing(source, start, text, event, titles)
        ]
        return tuple(dict.fromkeys(found))[:_MAX_SENTENCES]

    async def _texts(
        self, event: AskedEvent, titles: Iterable[str], corpus: str, cited: Sequence[Source], dates: DateRange
    ) -> AsyncIterator[tuple[str, int, str]]:
        """Yield each text with its source and its place there."""
        for source in cited:
            yield source.sha256, 0, (await self._library.text(source.sha256) or "")[:_MAX_CHARACTERS]
        if not corpus:
            return
        about = [term for word in event.words for term in sorted(word.terms)]
        named = [term for title in titles for term in content_terms(title)]
        for asked, among in ((about, ()), ([*about, *named], CORRECTION_TERMS)):
            for hit in await self._library.search(corpus, asked, _HITS, among, dates, only_filters=True):
                yield hit.passage.source, hit.passage.start, hit.passage.text


def _disputing(source: str, start: int, text: str, event: AskedEvent, titles: Sequence[str]) -> Iterable[Quote]:
    """Yield the sentences that may dispute a date, each with the one behind it if that has a date as well."""
    for (first, last), (_, end) in pairwise([*sentence_spans(text), (len(text), len(text))]):
        if may_dispute(text[first:last], event, titles):
            until = end if holds_day(text[last:end]) else last
            yield Quote(source=source, start=start + first, end=start + until, text=text[first:until])
