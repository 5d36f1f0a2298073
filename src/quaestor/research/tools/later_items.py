"""What later records of a folder say under the label of a shown item: that a ban was lifted in the autumn."""

from collections.abc import AsyncIterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePath
from typing import NamedTuple

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Quote, Source
from quaestor.evidence.retrieval.document_names import file_name
from quaestor.evidence.tokenization import content_terms
from quaestor.research.brief.document_status import document_status
from quaestor.research.brief.record_items import (
    Day,
    RecordItem,
    asks_about,
    find_items,
    is_same_series,
    item_around,
    record_day,
)
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.fields.editions import names_edition
from quaestor.research.offline.words.dates import find_partial_dates
from quaestor.research.offline.words.wording import asked_terms

_HITS = 20
"""Passages with the words of a label that are read for it."""
_MAX_LABELS = 12
"""Labels that are searched for."""


class _Later(NamedTuple):
    """What a record of a day says, and what it is called."""

    day: Day
    said: Quote
    called: str


class LaterItems:
    """Looks in the records of a corpus that are later than those of a brief."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(
        self,
        question: str,
        contexts: Sequence[QuoteContext],
        cited: Sequence[Source],
        common: AbstractSet[str] = frozenset(),
    ) -> tuple[Correction, ...]:
        """Return for each quote in an item that is asked about the last one with its label.

        It is asked about by its label, or by words of it which the later one holds as well; not by index terms that are
        `common` to the documents. A question that names a day, a month or a year asks for what was said then.
        """
        if not self._corpus or names_edition(question) or _names_month(question):
            return ()
        asked = frozenset(asked_terms(question)) - common
        sources = {one.sha256: one for one in cited}
        found: list[Correction] = []
        labels: set[tuple[str, ...]] = set()
        for one in contexts:
            source = sources[one.quote.source]
            day = record_day(source.title, file_name(source.uri))
            if day is None:  # no record: its text need not be taken apart
                continue
            text = await self._library.text(source.sha256) or ""
            item = item_around(text, one.quote.start, one.quote.end)
            if item is None:
                continue
            # The label of a section stands above it.
            held = asked.intersection((*item.label, *content_terms(text[item.start : item.end])))
            if not held:
                continue
            labels.add(item.label)
            if len(labels) > _MAX_LABELS:
                break
            needed = frozenset[str]() if asks_about(item.label, asked) else held
            later = [each async for each in self._later(item, needed, asked, source, day)]
            last = max(later, key=lambda each: (each.day, each.said.start), default=None)
            if last:
                found.append(Correction(quote=one.quote, said=last.said, title=last.called, is_later=True))
        return tuple(found)

    async def _later(
        self, item: RecordItem, needed: AbstractSet[str], asked: AbstractSet[str], source: Source, day: Day
    ) -> AsyncIterator["_Later"]:
        """Yield the items with a label and these words in later records of the series of a source, beside it.

        "Solar" goes on with what "Solar panels" was about, where that word is asked.

        The latest minutes are mostly a draft, which is said with what they are called.
        """
        path = PurePath(source.uri)
        for hit in await self._library.search(self._corpus, item.label, _HITS, (), self._dates):
            other = PurePath(hit.uri)
            is_near = other.parent == path.parent and is_same_series((source.title, path.stem), (hit.title, other.stem))
            when = record_day(hit.title, other.stem) if is_near else None
            if when is None or when <= day:
                continue
            text = await self._library.text(hit.passage.source) or ""
            called = _called(hit.title, other, source)
            status = document_status(text, other.stem)
            for one in find_items(text):
                said = text[one.start : one.end]
                if _is_on(one.label, item.label, asked) and needed <= frozenset(content_terms(said)):
                    place = Quote(source=hit.passage.source, start=one.start, end=one.end, text=said)
                    yield _Later(when, place, f"{called}: {status}" if status and status not in called else called)


def _is_on(label: Sequence[str], shown: Sequence[str], asked: AbstractSet[str]) -> bool:
    """Return whether a label is that of an item, or one of them is a part of the other that is asked.

    "Concert 2026" is another one than "Concert".
    """
    alike = frozenset(label) & frozenset(shown)
    is_numbered = any(term.isdigit() for term in label if term not in alike)
    is_part = len(alike) in {len(label), len(shown)} and not is_numbered
    return label == shown or (is_part and not alike.isdisjoint(asked))


def _names_month(question: str) -> bool:
    """Return whether a question names a month or a day of one; a small "may" is a verb."""
    return any(one.text != "may" for one in find_partial_dates(question))


def _called(title: str, path: PurePath, source: Source) -> str:
    return title if title and title != source.title else path.name
