"""The sentences of a corpus that correct what a brief shows: an old price is not shown without its correction."""

import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tables import DATA_SUFFIXES, find_tables
from quaestor.evidence.tokenization import content_terms, sentence_spans
from quaestor.research.brief.announcements import find_announcements, is_erratum
from quaestor.research.brief.corrected_documents import CorrectingText
from quaestor.research.brief.corrections import correcting_spans
from quaestor.research.brief.document_status import is_draft
from quaestor.research.brief.item_names import replaces_before
from quaestor.research.brief.later_changes import later_changes
from quaestor.research.brief.later_notes import later_notes
from quaestor.research.brief.marked_sentence import NUMBER, MarkedSentence
from quaestor.research.brief.named_values import names_value_of
from quaestor.research.brief.record_items import Day, is_before, record_day
from quaestor.research.brief.removals import is_done, removed_literals
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.words.correction_words import (
    AMENDMENT_TERMS,
    ANNOUNCING_TERMS,
    CORRECTION_TERMS,
    REMOVAL_TERMS,
    REPLACING_TERMS,
    TAKEN_BACK_TERMS,
)
from quaestor.research.offline.words.dates import PartialDate, find_dates

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 10
"""Passages with a word for a correction that are read for each."""
_MAX_CHARACTERS = 20_000
"""Of a document that corrects others."""
_SUFFIX = re.compile(r"\.\w{2,4}\Z")
_ITEM = re.compile(r"^[ \t>]*(?:[-*+\u2022][ \t]+\S|\d+(?:\.\d+)*[a-z]?[.)]?[ \t]|\(\d{1,2}\)[ \t])", re.MULTILINE)
"""The mark of an item of a list, or the number of a paragraph."""
_DIGITS = re.compile(r"\d+")
_PARTING = re.compile(r"[\W_]+")
_BLANK = re.compile(r"\n[ \t]*\n")
_ABOVE = 1_000
"""Characters above a sentence in which the mark of its item stands."""
_MAX_BESIDE = 8
"""Sentences with a number beside a quote for whose corrections is looked too."""
_COMMON_NAMES = frozenset(["readme", "index"])
"""Of files that stand in many folders."""
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
        """Return what a document itself says against quotes of it, in later notes and in entries of later releases."""
        whole = await self._library.text(source.sha256) or ""
        text = _Text(source, 0, whole)
        return [
            Correction(quote=one.quote, said=text.quote(*place), title=text.called(source))
            for one in contexts
            for marked in [_marked(one, source, whole)]
            for place in (
                *later_notes(whole, one.paragraph.end, marked),
                *later_changes(whole, source.media_type, one.quote.start, marked),
            )
        ]

    async def _announcing(self) -> AsyncIterator["_Text"]:
        """Yield whole the documents that are there to correct others, whatever words they share with these."""
        read: set[str] = set()
        for hit in await self._library.search(self._corpus, ANNOUNCING_TERMS, _HITS, (), self._dates):
            whole = None if hit.passage.source in read else await self._whole(hit)
            if whole and whole.announces:
                read.add(hit.passage.source)
                yield whole

    async def _texts(self, marked: Sequence[MarkedSentence], announcing: Sequence["_Text"]) -> AsyncIterator["_Text"]:
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
            (REPLACING_TERMS, named if any(one.days or one.called for one in marked) else ()),
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
                    yield _Text(whole.source, hit.passage.start, hit.passage.text)

    async def _whole(self, hit: Hit) -> "_Text | None":
        """Return the document of a hit, as far as is read of one; None for one that says nothing of others.

        So do files of cells, whose rows are no sentences, and drafts.
        """
        if hit.uri.casefold().endswith(tuple(DATA_SUFFIXES)):
            return None
        source, text = await self._library.source(hit.passage.source), await self._library.text(hit.passage.source)
        # A text that stands in several files is called as the one that was found.
        named = source and source.revised(title=hit.title, uri=hit.uri)
        whole = _Text(named, 0, text[:_MAX_CHARACTERS]) if named and text else None
        return None if whole is None or whole.only_proposes else whole


def _ending(marked: Iterable[MarkedSentence]) -> Iterator[str]:
    """Yield the first names of code that sentences tell to be gone some day: by now they may be."""
    yield from islice(dict.fromkeys(one for sentence in marked for one in sorted(sentence.ending)), _MAX_ENDING)


def _of_document(
    source: Source, own: str, marked: Mapping[Quote, MarkedSentence], texts: Sequence["_Text"]
) -> Iterator[Correction]:
    """Yield what corrects the marked sentences of a document, which says `own`."""
    rows = _rows(own, PurePath(source.uri).suffix) if any(one.is_row for one in marked.values()) else []
    for quote, sentence in marked.items():
        for text in texts:
            for said in text.correcting(sentence, source):
                if not (sentence.is_row and _is_of_other_row(sentence.text, said.text, rows)):
                    yield Correction(quote=quote, said=said, title=text.called(source))


def _beside(
    source: Source, own: str, contexts: Iterable[QuoteContext], texts: Sequence["_Text"], told: Iterable[Correction]
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
    # The paragraph that is shown may begin behind the number of its item.
    shown = _BLANK.split(text[max(one.quote.start - _ABOVE, 0) : one.quote.end])[-1]
    marks = [found.start() for found in _ITEM.finditer(shown)]
    return MarkedSentence(
        text=one.quote.text,
        around=one.paragraph.text,
        heading=one.heading,
        title=f"{_bare(source.title)} {PurePath(source.uri).stem}",
        days=tuple(_own_days(f"{one.heading}\n{source.title}\n{text[:_TOP]}")),
        is_row=one.in_table is not None,
        item=shown[marks[-1] :] if marks else "",
    )


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


class _Text(NamedTuple):
    """Words of a found document from a place on."""

    source: Source
    start: int
    words: str

    @property
    def announces(self) -> bool:
        """Whether it says that it, or a section of it, is there to correct others."""
        return bool(find_announcements(self.words, _named(self.source), self.source.media_type))

    @property
    def only_proposes(self) -> bool:
        """Whether it is a draft that corrects nothing; what minutes tell is so before they are agreed."""
        stem = PurePath(self.source.uri).stem
        is_record = record_day(self.source.title, stem) is not None and not self.announces
        return not is_record and is_draft(self.words, stem)

    def correcting(self, marked: MarkedSentence, cited: Source) -> Iterator[Quote]:
        """Yield what corrects a marked sentence of a source."""
        text = CorrectingText(
            self.words,
            _named(self.source),
            self.source.media_type,
            is_beside=self.source.sha256 == cited.sha256,
            is_near=PurePath(self.source.uri).parent == PurePath(cited.uri).parent,
            is_earlier=_is_earlier(self.source, cited),
        )
        for start, end in correcting_spans(text, marked):
            yield self.quote(start, end)

    def quote(self, start: int, end: int) -> Quote:
        """Return words from an offset on up to another one, with their place in the document."""
        at = self.start + start
        return Quote(source=self.source.sha256, start=at, end=at + end - start, text=self.words[start:end])

    def called(self, cited: Source) -> str:
        """Return what it is called beside a source; one with the title of the source by the name of its file.

        A name that many files have, as README, is told with that of its folder.
        """
        own, path = self.source.title, PurePath(self.source.uri)
        if own and own != cited.title:
            return own
        return f"{path.parent.name}/{path.name}" if path.stem.casefold() in _COMMON_NAMES else path.name


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


def _is_earlier(one: Source, other: Source) -> bool:
    """Return whether a document is dated before another one; where one has no day nobody knows."""
    own, its = _day(one), _day(other)
    return own is not None and its is not None and is_before(own, its)


def _day(source: Source) -> Day | None:
    """Return the day that a document is called by, or the one that it says that it is of."""
    when = source.published
    own = (when.year, when.month, when.day) if when else None
    return record_day(source.title, PurePath(source.uri).stem) or own


def _rows(text: str, suffix: str) -> list[frozenset[str]]:
    """Return the index terms of the rows of the tables of a text."""
    tables = find_tables(text, suffix)
    return [frozenset(content_terms(" ".join(row.cells))) for table in tables for row in table.rows]


def _is_of_other_row(marked: str, said: str, rows: Iterable[frozenset[str]]) -> bool:
    """Return whether another row holds more of what is said than the marked one: pine boards are no oak boards."""
    told = frozenset(content_terms(said))
    shared = told.intersection(content_terms(marked))
    return any(shared < told & row for row in rows)


def _named(source: Source) -> str:
    """Return what a document is called; with the name of its file, if that says that it is an erratum."""
    title, stem = _bare(source.title), _PARTING.sub(" ", PurePath(source.uri).stem)
    return f"{stem}\n{title}" if is_erratum(stem) and _PARTING.sub(" ", title) != stem else title


def _bare(title: str) -> str:
    """Return a title without the ending of a file name: "txt" names no document."""
    return _SUFFIX.sub("", title)
