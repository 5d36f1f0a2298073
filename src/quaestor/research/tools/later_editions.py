"""What a later document of a name says: beside the timetable of last season stands that of this one.

A document is later than another one where its file is called so but for a later year or version: "plan_2024-25.md" is
followed by "plan_2025-26.md", "2024/fees.csv" by "2025/fees.csv", and "cast_v1.csv" by "cast_v2.csv".
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePath

from quaestor.contracts.library import Library
from quaestor.contracts.source import DateRange, Hit, Quote, Source
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tables import DATA_SUFFIXES
from quaestor.evidence.tokenization import content_terms, sentence_spans, terms
from quaestor.research.brief.document_status import document_status
from quaestor.research.brief.record_items import find_items, item_around
from quaestor.research.contracts.tools import Correction, QuoteContext
from quaestor.research.offline.fields.editions import file_edition, names_edition
from quaestor.research.offline.words.correction_words import REPLACES_ANOTHER
from quaestor.research.offline.words.wording import asked_terms

_MAX_DOCUMENTS = 8
"""Cited documents for which is searched, those first that are cited first."""
_HITS = 20
"""Passages with the words of a name, and with what is asked, that are read for each."""
_SHARED = 2
"""Words that a sentence of a later document shares with what is shown; a row may share the first alone."""
_LONGEST = 400
"""Characters of a line that says something of what is shown; a longer row tells of all and sundry."""
_LONGEST_ITEM = 600
"""Characters of an item that may be on one thing alone; a longer section is on much."""
_ROWS = frozenset({BlockKind.TABLE, BlockKind.CODE})
"""Blocks whose lines each say something."""
_LEADER = re.compile(r"\w *\.{4,} *[\w€$£]")
"""Dots that lead from a name to its value in a line: none of them ends a sentence."""
_ROW = re.compile(r"[^\s|](?:.*[^\s|])?")
"""A line without the bars around it."""


class LaterEditions:
    """Looks in a corpus for the last document that is called as a cited one but for its year or version."""

    def __init__(self, library: Library, corpus: str, dates: DateRange) -> None:
        self._library = library
        self._corpus = corpus
        self._dates = dates

    async def find(
        self, question: str, contexts: Sequence[QuoteContext], cited: Sequence[Source]
    ) -> tuple[Correction, ...]:
        """Return for each quote of a document with a later one what that says with the same words of the question.

        Where it has none of them, rows of the older one, as of a timetable, stand beside what it is called, and so does
        anything if it says there that it replaces others. A question that names a year asks for what was said then.
        """
        if not self._corpus or names_edition(question):
            return ()
        asked = asked_terms(question)
        found: list[Correction] = []
        for source in cited[:_MAX_DOCUMENTS]:
            quotes = [one for one in contexts if one.quote.source == source.sha256]
            last = await self._last(source, asked) if quotes else None
            found += await self._on(last, source, quotes, asked) if last else ()
        return tuple(found)

    async def _on(
        self, last: Hit, cited: Source, quotes: Sequence[QuoteContext], asked: AbstractSet[str]
    ) -> list[Correction]:
        """Return what a later document says of quotes of a cited one; a draft is said to be one."""
        source, path = last.passage.source, PurePath(last.uri)
        text, own = await self._library.text(source) or "", await self._library.text(cited.sha256) or ""
        status = document_status(text, path.stem)
        name = path.name if path.name != PurePath(cited.uri).name else f"{path.parent.name}/{path.name}"
        lines = [*_lines(text, path.suffix)]
        said = ((one, _said(text, own, lines, one, asked)) for one in quotes)
        return [
            Correction(
                quote=one.quote,
                said=Quote(source=source, start=span[0], end=span[1], text=text[slice(*span)]),
                title=f"{name}: {status}" if status else name,
                is_later=True,
            )
            for one, span in said
            if span and terms(text[slice(*span)]) != terms(one.quote.text)
        ]

    async def _last(self, source: Source, asked: AbstractSet[str]) -> Hit | None:
        """Return a passage of the last document that is called as a source but for later ones, if there is one."""
        own = file_edition(source.title, PurePath(source.uri))
        if own is None:
            return None
        called = content_terms(" ".join(word for words in own.called for word in words))
        hits = [
            hit
            for sought in (called, (*called, *sorted(asked)))
            for hit in await self._library.search(self._corpus, sought, _HITS, (), self._dates)
        ]
        editions = [file_edition(hit.title, PurePath(hit.uri)) for hit in hits]
        later = [(one.marks, -place) for place, one in enumerate(editions) if one and own.is_before(one)]
        return hits[-max(later)[1]] if later else None


def _said(
    text: str, own: str, lines: Sequence[tuple[int, int]], shown: QuoteContext, asked: AbstractSet[str]
) -> tuple[int, int] | None:
    """Return the line of a later text with the asked words of what is shown, else the item with the same label there.

    Where it has neither, its first line beside a row, and where that says that it replaces others.
    """
    words = frozenset(content_terms(shown.quote.text))
    held = asked & words
    needed = 1 if shown.in_table else _SHARED
    shared: dict[tuple[int, int], int] = {}
    for line in (line for line in lines if line[1] - line[0] <= _LONGEST):
        said = frozenset(content_terms(text[slice(*line)]))
        if held and held <= said and len(words & said) >= needed:
            shared[line] = len(words & said)
    if not shared and not shown.in_table and (item := _same_item(text, own, shown.quote)):
        return item
    first = next(iter(lines), None)
    replaces = first is not None and REPLACES_ANOTHER.search(text[slice(*first)]) is not None
    return max(shared, key=shared.__getitem__, default=first if shown.in_table or replaces else None)


def _same_item(text: str, own: str, quote: Quote) -> tuple[int, int] | None:
    """Return the short item of a later text with the label of that of a quote, whatever its number there."""
    item = item_around(own, quote.start, quote.end)
    called = _words_of(item.label) if item else frozenset()
    alike = [one for one in find_items(text) if called and _words_of(one.label) == called]
    return next(
        ((one.start, one.end) for one in alike if len(alike) == 1 and one.end - one.start <= _LONGEST_ITEM), None
    )


def _words_of(label: Sequence[str]) -> frozenset[str]:
    """Return the terms of a label without its number, as a new edition counts anew."""
    return frozenset(term for term in label if term.isalpha())


def _lines(text: str, suffix: str) -> Iterator[tuple[int, int]]:
    """Yield where the headings, sentences, items and rows of a text stand, in order."""
    if suffix.casefold() in DATA_SUFFIXES:
        yield from _rows(text, 0, len(text))
        return
    for block in parse_blocks(text):
        if block.kind in _ROWS or _LEADER.search(text, block.top, block.bottom):
            yield from _rows(text, block.top, block.bottom)
        else:
            spans = sentence_spans(text[block.top : block.bottom])
            yield from ((block.top + start, block.top + end) for start, end in spans)


def _rows(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    return (found.span() for found in _ROW.finditer(text, start, end))
