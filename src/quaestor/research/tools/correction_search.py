"""The sentences of a corpus that correct what a brief shows: an old price is not shown without its correction."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tables import DATA_SUFFIXES, find_tables
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.document_notices import heading_notices, section_notice
from quaestor.research.brief.footnotes import footnotes
from quaestor.research.brief.item_names import replaces_before
from quaestor.research.brief.later_changes import later_changes
from quaestor.research.brief.later_notes import ended_below, later_notes
from quaestor.research.brief.marked_sentence import NUMBER, MarkedSentence
from quaestor.research.brief.named_values import names_value_of
from quaestor.research.brief.removals import is_done, removed_literals
from quaestor.research.brief.thread_replies import replies_to
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import (
    AMENDMENT_TERMS,
    ANNOUNCING_TERMS,
    CORRECTION_TERMS,
    DECISION_TERMS,
    PROPOSED,
    REPLACING_TERMS,
    TAKEN_BACK_TERMS,
)
from quaestor.research.offline.words.dates import PartialDate, find_dates
from quaestor.research.offline.words.removal_words import REMOVAL_TERMS
from quaestor.research.tools.endnotes import Endnotes
from quaestor.research.tools.found_text import FoundText, bare_title

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 10
"""Passages with a word for a correction that are read for each."""
_MAX_CHARACTERS = 20_000
"""Of a document that corrects others."""
_ITEM = re.compile(r"^[ \t>]*(?:[-*+\u2022][ \t]+\S|\d+(?:\.\d+)*[a-z]?[.)]?[ \t]|\(\d{1,2}\)[ \t])", re.MULTILINE)
"""The mark of an item of a list, or the number of a paragraph."""
_DIGITS = re.compile(r"\d+")
_BLANK = re.compile(r"\n[ \t]*\n")
_ABOVE = 1_000
"""Characters above a sentence in which the mark of its item stands."""
_MAX_BESIDE = 8
"""Sentences with a number beside a quote for whose corrections is looked too."""
_MAX_ENDING = 3
"""Names of code of a document of whose removal is looked for."""
_TOP = 400
"""Characters at the top of a document in which its day stands."""


class CorrectionSearch:
    """Looks for sentences that correct marked ones, in the passages of a corpus."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(self, contexts: Sequence[QuoteContext], cited: Sequence[Source]) -> tuple[Correction, ...]:
        """Return the later notes on each quote, and one sentence that corrects it, where there are any."""
        announcing = [one async for one in self._announcing()] if self._corpus and contexts else []
        found: list[Correction] = []
        for source in cited[:_MAX_DOCUMENTS] if self._corpus else ():
            shown = [one for one in contexts if one.quote.source == source.sha256]
            notes = await self._notes(source, shown)
            shown_by = {one.quote: one for one in shown}
            own = await self._library.text(source.sha256) or ""
            marked = {quote: _marked(one, source, own) for quote, one in shown_by.items()}
            texts = [*announcing, *[one async for one in self._texts([*marked.values()], announcing)]]
            corrected = list(_of_document(source, own, marked, texts))
            nearest = [nearest for one in shown_by.values() if (nearest := _nearest(corrected, one))]
            others = _beside(source, own, shown_by.values(), texts, nearest)
            found += (
                *notes,
                *(one for one in (*nearest, *others) if not any(_holds(note.said, one.said) for note in notes)),
            )
        return tuple(found)

    async def _notes(self, source: Source, contexts: Sequence[QuoteContext]) -> list[Correction]:
        """Return what a document itself says of quotes of it: in notices, footnotes, later notes, later releases."""
        whole = await self._library.text(source.sha256) or ""
        text = FoundText(source, 0, whole)
        found = [
            Correction(quote=one.quote, said=text.quote(*place), title=text.under(place[0]).called(source))
            for one in contexts
            for marked in [_marked(one, source, whole)]
            for notice in [section_notice(whole, source.media_type, one.paragraph.start)]
            for place in (
                *([notice] if notice else ()),
                *heading_notices(whole, source.media_type, one.quote.start),
                *footnotes(whole, one.quote.start, one.quote.end),
                *later_notes(whole, _paragraph_end(whole, one), marked),
                *ended_below(whole, one.quote.end, marked),
                *later_changes(whole, source.media_type, one.quote.start, marked),
                *_replies(whole, source, one),
            )
        ]
        endnotes = Endnotes(self._library, self._corpus, self._dates)
        return [*found, *await endnotes.find(contexts, source, whole)]

    async def _announcing(self) -> AsyncIterator[FoundText]:
        """Yield whole the documents that are there to correct others, whatever words they share with these."""
        read: set[str] = set()
        for hit in await self._library.search(self._corpus, ANNOUNCING_TERMS, _HITS, (), self._dates):
            whole = None if hit.passage.source in read else await self._whole(hit)
            if whole and whole.announces:
                read.add(hit.passage.source)
                yield whole

    async def _texts(
        self, marked: Sequence[MarkedSentence], announcing: Sequence[FoundText]
    ) -> AsyncIterator[FoundText]:
        """Yield the passages that may correct something, and whole the documents that are there to correct others."""
        read = {one.source.sha256 for one in announcing}
        asked = [term for one in marked for term in content_terms(one.text)]
        named = [
            term for one in marked for term in (*sorted(one.title_terms), *content_terms(" ".join(one.identifiers)))
        ]
        searches = (
            (CORRECTION_TERMS, asked),
            (AMENDMENT_TERMS, asked),
            (TAKEN_BACK_TERMS, (*asked, *named)),
            (REPLACING_TERMS, named if any(one.days or one.edition or one.called for one in marked) else ()),
            (DECISION_TERMS, [term for one in marked if PROPOSED.search(one.text) for term in content_terms(one.text)]),
            *((REMOVAL_TERMS, content_terms(literal)) for literal in _ending(marked)),
        )
        for among, sought in searches:
            terms = dict.fromkeys(sought)
            for hit in await self._library.search(self._corpus, [*terms], _HITS, among, self._dates, only_filters=True):
                is_read = hit.passage.source in read and hit.passage.start < _MAX_CHARACTERS
                whole = None if is_read else await self._whole(hit)
                if whole is None:
                    continue
                if whole.announces and hit.passage.source not in read:
                    read.add(hit.passage.source)
                    yield whole
                if not whole.announces or hit.passage.start >= _MAX_CHARACTERS:
                    yield FoundText(whole.source, hit.passage.start, hit.passage.text, hit.passage.heading)

    async def _whole(self, hit: Hit) -> FoundText | None:
        """Return the document of a hit, as far as is read of one; None for one that says nothing of others.

        So do files of cells, whose rows are no sentences, and drafts.
        """
        if hit.uri.casefold().endswith(tuple(DATA_SUFFIXES)):
            return None
        source, text = await self._library.source(hit.passage.source), await self._library.text(hit.passage.source)
        # A text that stands in several files is called as the one that was found.
        named = source and source.revised(title=hit.title, uri=hit.uri)
        whole = FoundText(named, 0, text[:_MAX_CHARACTERS]) if named and text else None
        return None if whole is None or whole.only_proposes else whole


def _replies(text: str, source: Source, shown: QuoteContext) -> Iterator[tuple[int, int]]:
    """Yield where a later letter of the same text answers a quote, or else a sentence with a value beside it."""
    asked = (shown, *_shown_beside(shown))
    yield from islice(
        (place for one in asked for place in replies_to(text, one.quote.start, _marked(one, source, text))), 1
    )


def _ending(marked: Iterable[MarkedSentence]) -> Iterator[str]:
    """Yield the first names of code that sentences tell to be gone some day: by now they may be."""
    yield from islice(dict.fromkeys(one for sentence in marked for one in sorted(sentence.ending)), _MAX_ENDING)


def _of_document(
    source: Source, own: str, marked: Mapping[Quote, MarkedSentence], texts: Sequence[FoundText]
) -> Iterator[Correction]:
    """Yield what corrects the marked sentences of a document, which says `own`."""
    rows = _rows(own, PurePath(source.uri).suffix) if any(one.is_row for one in marked.values()) else []
    for quote, sentence in marked.items():
        for text in texts:
            for said in text.correcting(sentence, source):
                if not (sentence.is_row and _is_of_other_row(sentence.text, said.text, rows)):
                    yield Correction(quote=quote, said=said, title=text.called(source))


def _beside(
    source: Source, own: str, contexts: Iterable[QuoteContext], texts: Sequence[FoundText], told: Iterable[Correction]
) -> Iterator[Correction]:
    """Yield what corrects a number or a day of a sentence that is shown around a quote and is not marked itself."""
    said_of = {(one.quote, one.said) for one in told}
    numbered = [(text, _numbers(text.words)) for text in texts]
    for one in contexts:
        for marked in (_marked(near, source, own) for near in _shown_beside(one)):
            values = _numbers(marked.text)
            for text in (text for text, numbers in numbered if not numbers.isdisjoint(values)):
                for said in text.correcting(marked, source):
                    if names_value_of(said.text, marked) and (one.quote, said) not in said_of:
                        said_of.add((one.quote, said))
                        yield Correction(quote=one.quote, said=said, title=text.called(source))


def _numbers(text: str) -> frozenset[str]:
    """Return the digits of each number of a text, also within dates and amounts, without the zeros before them."""
    return frozenset(found.lstrip("0") for found in _DIGITS.findall(text))


def _marked(one: QuoteContext, source: Source, text: str) -> MarkedSentence:
    """Return the sentence of a context, with the days and the names of its document."""
    opening = f"{one.heading}\n{source.title}\n{text[:_TOP]}"
    days = tuple(_own_days(opening))
    # The paragraph that is shown may begin behind the number of its item.
    shown = _BLANK.split(text[max(one.quote.start - _ABOVE, 0) : one.quote.end])[-1]
    marks = [found.start() for found in _ITEM.finditer(shown)]
    return MarkedSentence(
        text=one.quote.text,
        around=one.paragraph.text,
        heading=one.heading,
        title=f"{bare_title(source.title)} {PurePath(source.uri).stem}",
        days=days,
        edition=None if days else next((one for one in find_dates(opening) if not one.day), None),
        is_row=one.in_table is not None,
        item=shown[marks[-1] :] if marks else "",
    )


def _paragraph_end(text: str, one: QuoteContext) -> int:
    """Return where the paragraph of a quote ends, of which a short section is shown with others."""
    blank = _BLANK.search(text, one.quote.end, one.paragraph.end)
    return blank.start() if blank else one.paragraph.end


def _shown_beside(context: QuoteContext) -> Iterator[QuoteContext]:
    """Yield the sentences with a number or a day in the text or item of a quote, each as if it were the quote.

    What corrects another item of a list that is shown says nothing of this one.
    """
    quote, shown = context.quote, context.paragraph
    place = quote.start - shown.start
    blocks = parse_blocks(shown.text)
    own = next((one for one in blocks if one.top <= place < one.bottom), None)
    if context.in_table is not None or own is None:
        return
    near = [one for one in blocks if one.kind is own.kind] if own.kind is BlockKind.PROSE else [own]
    spans = [(shown.start + start, shown.start + end) for start, end in sentence_spans(shown.text)]
    apart = (
        (start, end)
        for start, end in spans
        if (end <= quote.start or quote.end <= start)
        and any(one.top <= start - shown.start < one.bottom for one in near)
    )
    words = ((start, end, shown.text[start - shown.start : end - shown.start]) for start, end in apart)
    for start, end, text in islice((one for one in words if NUMBER.search(one[2])), _MAX_BESIDE):
        yield context.revised(quote=quote.revised(start=start, end=end, text=text))


def _own_days(opening: str) -> Iterator[PartialDate]:
    """Yield the days at the top of a document but for that of another one, which it says to replace."""
    yield from (day for day in find_dates(opening) if day.day and not any(replaces_before(opening, day)))


def _nearest(corrections: Iterable[Correction], context: QuoteContext) -> Correction | None:
    """Return of the first text that corrects a quote the sentence with most words of it and of what is above it.

    Of the items of an erratum that one is on the same. What tells that something is gone goes before what only tells
    that it will be.
    """
    of_quote = [one for one in corrections if one.quote == context.quote]
    of_quote.sort(key=lambda one: not is_done(one.said.text) and bool(removed_literals(one.said.text)))
    own = frozenset(content_terms(f"{context.heading}\n{context.quote.text}"))
    of_first = (one for one in of_quote if one.said.source == of_quote[0].said.source)
    return max(of_first, key=lambda one: len(own.intersection(content_terms(one.said.text))), default=None)


def _holds(one: Quote, other: Quote) -> bool:
    return one.source == other.source and one.start <= other.start and other.end <= one.end


def _rows(text: str, suffix: str) -> list[frozenset[str]]:
    """Return the index terms of the rows of the tables of a text."""
    tables = find_tables(text, suffix)
    return [frozenset(content_terms(" ".join(row.cells))) for table in tables for row in table.rows]


def _is_of_other_row(marked: str, said: str, rows: Iterable[frozenset[str]]) -> bool:
    """Return whether another row holds more of what is said than the marked one: pine boards are no oak boards."""
    told = frozenset(content_terms(said))
    shared = told.intersection(content_terms(marked))
    return any(shared < told & row for row in rows)
