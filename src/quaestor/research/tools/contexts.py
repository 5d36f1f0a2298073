"""The paragraphs around located quotes, read from the stored sources."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePath
from typing import TYPE_CHECKING

from typing_extensions import override

from quaestor.contracts.lazy import deferred
from quaestor.contracts.ledger import Finding
from quaestor.contracts.library import Library, LibraryTool, TermFrequencies
from quaestor.contracts.source import DateRange, Quote, Source, TablePlace
from quaestor.research.contracts.tools import (
    ContextInput,
    Contexts,
    Correction,
    DocumentStatus,
    FieldDispute,
    LaterRecords,
    LookedUp,
    QuoteContext,
    ToldChange,
)

if TYPE_CHECKING:
    from quaestor.research.brief.paragraphs import Paragraph
    from quaestor.research.tools.change_search import ChangeSearch
    from quaestor.research.tools.correction_search import CorrectionSearch
    from quaestor.research.tools.dispute_search import DisputeSearch
    from quaestor.research.tools.field_disputes import FactsOf
    from quaestor.research.tools.field_lookup import FieldLookup
    from quaestor.research.tools.indexed_status import IndexedStatus
    from quaestor.research.tools.later_editions import LaterEditions
    from quaestor.research.tools.later_items import LaterItems

_open_field_lookup: "Callable[[Library, str | None], FieldLookup]" = deferred(
    "quaestor.research.tools.field_lookup:FieldLookup"
)
_open_dispute_search: "Callable[[Library], DisputeSearch]" = deferred(
    "quaestor.research.tools.dispute_search:DisputeSearch"
)
_open_correction_search: "Callable[[Library, str, DateRange], CorrectionSearch]" = deferred(
    "quaestor.research.tools.correction_search:CorrectionSearch"
)
_open_change_search: "Callable[[Library, str, DateRange], ChangeSearch]" = deferred(
    "quaestor.research.tools.change_search:ChangeSearch"
)
_open_later_editions: "Callable[[Library, str, DateRange], LaterEditions]" = deferred(
    "quaestor.research.tools.later_editions:LaterEditions"
)
_open_later_items: "Callable[[Library, str, DateRange], LaterItems]" = deferred(
    "quaestor.research.tools.later_items:LaterItems"
)
_find_field_disputes: "Callable[[Library, FactsOf, str, DateRange], Awaitable[tuple[FieldDispute, ...]]]" = deferred(
    "quaestor.research.tools.field_disputes:find_field_disputes"
)
_fields_of: "Callable[[Sequence[Finding]], FactsOf]" = deferred("quaestor.research.tools.field_disputes:fields_of")
_document_status: Callable[[str, str, str], str | None] = deferred(
    "quaestor.research.brief.document_status:document_status"
)
_indexed_status: "Callable[[Library, str, Source, str, DateRange], Awaitable[IndexedStatus | None]]" = deferred(
    "quaestor.research.tools.indexed_status:indexed_status"
)
_find_successors: "Callable[[Library, str, Source, str, DateRange], Awaitable[tuple[str, ...]]]" = deferred(
    "quaestor.research.tools.successors:find_successors"
)
_paragraph_around: "Callable[[str, str, int, int, TablePlace | None], Paragraph]" = deferred(
    "quaestor.research.brief.paragraphs:paragraph_around"
)
_place_quotes: "Callable[[str, str, Sequence[Quote]], tuple[TablePlace | None, ...]]" = deferred(
    "quaestor.evidence.table_places:place_quotes"
)
_names_above: "Callable[[str, str, Paragraph, str], tuple[str, ...]]" = deferred(
    "quaestor.research.brief.names_above:names_above"
)
_names_beside: "Callable[[str, str, Paragraph, str, str], tuple[str, ...]]" = deferred(
    "quaestor.research.brief.names_above:names_beside"
)
_dated_heading_at: Callable[[str, str, int], str] = deferred("quaestor.research.brief.later_changes:dated_heading_at")
_asked_terms: "Callable[[str], Collection[str]]" = deferred("quaestor.research.offline.words.wording:asked_terms")
_other_languages: Callable[[Library, str, str, DateRange], Awaitable[tuple[str, ...] | None]] = deferred(
    "quaestor.research.tools.corpus_languages:other_languages"
)
_later_records: "Callable[[Library, str, Sequence[Source], Iterable[Source]], Awaitable[tuple[LaterRecords, ...]]]" = (
    deferred("quaestor.research.tools.later_records:later_records")
)
_SHORTEST = 3
"""Characters of a term that tells a word: the stem of "awful" is that of AWS."""
_COMMON = 4
"""A term in more than one of so many passages, and in many, is what the documents are all about."""
_MANY_PASSAGES = 20


class ReadContexts(LibraryTool[ContextInput, Contexts]):
    """Compares quotes with the stored sources, reads the paragraph around each, and looks fields up; a `Tool`."""

    name = "contexts"
    description = "Reads the paragraphs around located quotes, and the fields and tables that answer."

    @override
    async def run(self, given: ContextInput) -> Contexts:
        """Return the paragraph of every quote that is at its place, and what fields and tables answer.

        A quote that is not at its place is left out.
        """
        quotes = dict.fromkeys(quote for finding in given.findings for quote in finding.quotes)
        contexts: list[QuoteContext] = []
        statuses: list[DocumentStatus] = []
        cited: list[Source] = []
        for sha256 in dict.fromkeys(quote.source for quote in quotes):
            source, text = await self._library.source(sha256), await self._library.text(sha256)
            if source is None or text is None:
                continue
            cited.append(source)
            standing = [quote for quote in quotes if _stands(text, quote, sha256)]
            places = _place_quotes(text, source.uri, standing)
            contexts += [_context(source, text, given.question, *each) for each in zip(standing, places, strict=True)]
            if status := await self._status(given, source, text):
                statuses.append(DocumentStatus(source=sha256, status=status))
        held = await self._held_terms(given)
        others = await _other_languages(self._library, given.question, given.corpus, given.dates)
        many = max(_MANY_PASSAGES, held.passages // _COMMON)
        common = tuple(term for term, count in held.of.items() if count > many)
        corrections = await self._corrections(given, contexts, cited, frozenset(common))
        changes = await self._changes(given, contexts, cited)
        known = [*cited, *(one.source for one in changes), *await self._sources_of(corrections)]
        return Contexts(
            contexts=tuple(contexts),
            statuses=tuple(statuses),
            looked_up=await self._look_up(given),
            disputes=await _open_dispute_search(self._library).find(given.question, given.corpus, cited, given.dates),
            corrections=corrections,
            changes=changes,
            field_disputes=await _find_field_disputes(
                self._library, _fields_of(given.findings), given.corpus, given.dates
            ),
            later_records=(
                await _later_records(self._library, given.corpus, cited, known) if given.dates.is_open else ()
            ),
            has_other_languages=others is not None,
            other_languages=others or (),
            held=tuple(held.of) if given.dates.is_open else (),  # the counts include what may not be read
            common=common,
        )

    async def _corrections(
        self,
        given: ContextInput,
        contexts: Sequence[QuoteContext],
        cited: Sequence[Source],
        common: AbstractSet[str],
    ) -> tuple[Correction, ...]:
        """Return what corrects each quote, and what later records and documents say instead, which may hold that."""
        found = await _open_correction_search(self._library, given.corpus, given.dates).find(contexts, cited)
        asked = given.searched_question
        later = await _open_later_items(self._library, given.corpus, given.dates).find(asked, contexts, cited, common)
        later += await _open_later_editions(self._library, given.corpus, given.dates).find(asked, contexts, cited)
        return (*(one for one in found if not any(_is_within(one, item) for item in later)), *later)

    async def _sources_of(self, corrections: Iterable[Correction]) -> list[Source]:
        found = [await self._library.source(sha256) for sha256 in dict.fromkeys(one.said.source for one in corrections)]
        return [source for source in found if source]

    async def _changes(
        self, given: ContextInput, contexts: Sequence[QuoteContext], cited: Sequence[Source]
    ) -> tuple[ToldChange, ...]:
        """Return what tells of changes elsewhere; what is set right by now with that in its place."""
        search = _open_change_search(self._library, given.corpus, given.dates)
        told = await search.find(given.searched_question, contexts, cited)
        if not told:
            return ()
        said = [QuoteContext(quote=one.said, paragraph=one.said, heading=one.heading) for one in told]
        sources = {one.source.sha256: one.source for one in told}
        set_right = await _open_correction_search(self._library, given.corpus, given.dates).find(
            said, [*sources.values()]
        )
        right = {one.quote: one.said for one in set_right}
        by_now: dict[tuple[Quote, Quote], ToldChange] = {}
        for one in told:
            later = right.get(one.said)
            told_now = await self._set_right(one, later) if later else one
            by_now.setdefault((told_now.said, one.quote), told_now)
        return tuple(by_now.values())

    async def _set_right(self, told: ToldChange, said: Quote) -> ToldChange:
        """Return what is so by now in the place of what was told earlier."""
        text, source = await self._library.text(said.source) or "", await self._library.source(said.source)
        own = source if source and said.source != told.source.sha256 else told.source
        return told.revised(said=said, source=own, heading=_dated_heading_at(text, own.media_type, said.start))

    async def _held_terms(self, given: ContextInput) -> TermFrequencies:
        """Count the passages that hold each index term of the question; without the terms that none holds."""
        asked = sorted(one for one in _asked_terms(given.question) if len(one) >= _SHORTEST) if given.corpus else ()
        if not asked:
            return TermFrequencies(passages=0, of={})
        counts = await self._library.frequencies(given.corpus, asked)
        return counts.revised(of={term: count for term, count in counts.of.items() if count})

    async def _status(self, given: ContextInput, source: Source, text: str) -> str:
        """Return what a document states of its status, an index of its folder, and what replaces or amends it."""
        path = PurePath(source.uri)
        status = _document_status(text, path.stem, path.parent.name)
        indexed = status and await _indexed_status(self._library, given.corpus, source, status, given.dates)
        successors = await _find_successors(self._library, given.corpus, source, status or "", given.dates)
        told = (status, f"{indexed.name}: {indexed.status}" if indexed else None, *successors)
        return "; ".join(filter(None, told))

    async def _look_up(self, given: ContextInput) -> LookedUp | None:
        if not given.question:
            return None
        lookup = _open_field_lookup(self._library, given.language)
        cited = (quote.source for finding in given.findings for quote in finding.quotes)
        return await lookup.of_corpus(given.question, given.corpus, given.dates) or await lookup.of_sources(
            given.question, cited, given.corpus, given.dates
        )


def _is_within(one: Correction, item: Correction) -> bool:
    """Return whether a correction of a quote stands in an item that is shown with the same quote."""
    is_of_both = one.quote == item.quote and one.said.source == item.said.source
    return is_of_both and item.said.start <= one.said.start and one.said.end <= item.said.end


def _stands(text: str, quote: Quote, sha256: str) -> bool:
    return quote.source == sha256 and text[quote.start : quote.end] == quote.text


def _context(source: Source, text: str, question: str, quote: Quote, in_table: TablePlace | None) -> QuoteContext:
    around = _paragraph_around(text, source.media_type, quote.start, quote.end, in_table)
    return QuoteContext(
        quote=quote,
        paragraph=Quote(source=source.sha256, start=around.start, end=around.end, text=text[around.start : around.end]),
        heading=around.heading,
        in_table=in_table,
        list_goes_on=around.goes_on,
        named_above=_names_above(text, source.media_type, around, question) if question else (),
        named_beside=_names_beside(text, source.media_type, around, source.title, question) if question else (),
    )
