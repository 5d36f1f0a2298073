"""Quotes against stored sources: located before they are recorded, compared again before they are cited."""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.ledger import Finding
from quaestor.contracts.library import Library, LibraryTool
from quaestor.contracts.source import Quote, Source, TablePlace
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import FetchInput, Page
from quaestor.evidence.quote_rules import find_quote_fault, split_at_headings
from quaestor.evidence.quotes import locate_quote
from quaestor.evidence.table_places import place_quotes
from quaestor.research.contracts.roles import DraftFinding, DraftQuote, is_label
from quaestor.research.contracts.tools import (
    Proof,
    ProveInput,
    RecheckInput,
    RecheckResult,
    ShownPassage,
    Verdicts,
    VerifyInput,
)
from quaestor.research.events import QuoteVerdict

_MAX_QUOTE_CHARACTERS = 60
_HASH_SHOWN = 8
_LEFT_OUT = re.compile(r"\s*[\[(]?(?:\u2026|\.{3,}|\. \. \.)[\])]?\s*")


class LocateQuotes(LibraryTool[ProveInput, Proof]):
    """Turns a reader's drafts into findings whose quotes are in stored sources; a `Tool`."""

    name = "prove"
    description = "Locates quotes in stored sources."

    @override
    async def run(self, given: ProveInput) -> Proof:
        """Return a finding for each draft with a quote that was located, and the reason for each that has none."""
        texts = await self._texts(quote.source for draft in given.drafts for quote in draft.quotes)
        drafts = await self._correct_sources(given, texts)
        findings: list[Finding] = []
        refused: list[str] = []
        for draft in drafts:
            located = [_locate_quotes(said, draft.claim, texts, given.shown) for said in draft.quotes]
            if quotes := tuple(dict.fromkeys(quote for each in located if not isinstance(each, str) for quote in each)):
                own = f"{given.todo_id}/{given.first + len(findings)}"
                findings.append(Finding(id=own, claim=draft.claim, quotes=quotes))
            else:
                refused.append("; ".join(each for each in located if isinstance(each, str)))
        return Proof(findings=tuple(findings), sources=await self._sources(findings), refused=tuple(refused))

    async def _texts(self, sources: Iterable[str]) -> dict[str, str | None]:
        return {source: await self._library.text(source) for source in dict.fromkeys(sources)}

    async def _correct_sources(self, given: ProveInput, texts: dict[str, str | None]) -> Sequence[DraftFinding]:
        """Return the drafts, what does not stand in its source under the first of those shown that have it; add texts.

        A reader that mixes up two labels has still read the words; only in what it was shown may they stand.
        """
        quotes = [quote for draft in given.drafts for quote in draft.quotes]
        if not any(_is_misplaced(quote, texts) for quote in quotes):
            return given.drafts
        texts |= await self._texts(one.source for one in given.shown)
        return [
            draft.revised(quotes=tuple(_correct_source(quote, texts, given.shown) for quote in draft.quotes))
            for draft in given.drafts
        ]

    async def _sources(self, findings: Sequence[Finding]) -> tuple[Source, ...]:
        named = dict.fromkeys(quote.source for finding in findings for quote in finding.quotes)
        known = [await self._library.source(sha256) for sha256 in named]
        return tuple(source for source in known if source)


class VerifyQuotes(LibraryTool[VerifyInput, Verdicts]):
    """Compares the quotes of findings with the stored sources once more; a `Tool`."""

    name = "verify"
    description = "Compares located quotes with stored sources once more."

    @override
    async def run(self, given: VerifyInput) -> Verdicts:
        """Return one verdict for each finding; it is verified when every one of its quotes is at its place."""
        places = await self._places(given.findings)
        return Verdicts(verdicts=tuple([await self._verdict(finding, places) for finding in given.findings]))

    async def _verdict(self, finding: Finding, places: Mapping[Quote, TablePlace]) -> QuoteVerdict:
        faults = await self._library.damaged(finding.quotes)
        in_tables = tuple(map(places.get, finding.quotes))
        return QuoteVerdict(
            finding=finding.id,
            verified=not faults,
            reason="; ".join(faults),
            in_tables=in_tables if any(in_tables) else (),
        )

    async def _places(self, findings: Sequence[Finding]) -> dict[Quote, TablePlace]:
        """Return the quotes that are in tables with their places; each source is read once."""
        quotes = dict.fromkeys(quote for finding in findings for quote in finding.quotes)
        places: dict[Quote, TablePlace] = {}
        for sha256 in dict.fromkeys(quote.source for quote in quotes):
            source, text = await self._library.source(sha256), await self._library.text(sha256)
            own = [quote for quote in quotes if quote.source == sha256]
            if source and text is not None:
                found = place_quotes(text, source.uri, own)
                places |= {quote: place for quote, place in zip(own, found, strict=True) if place}
        return places


def _is_misplaced(said: DraftQuote, texts: Mapping[str, str | None]) -> bool:
    text = texts[said.source]
    return text is None or not _locate_parts(text, said.text, ())


def _correct_source(said: DraftQuote, texts: Mapping[str, str | None], shown: Sequence[ShownPassage]) -> DraftQuote:
    """Return a quote with the source of the passage that has its words, where the named source has not."""
    if not _is_misplaced(said, texts):
        return said
    passages = ((one.source, (texts[one.source] or "")[one.start : one.end]) for one in shown)
    holds = (source for source, text in passages if _locate_parts(text, said.text, ()))
    return said.revised(source=next(holds, said.source))


def _locate_quotes(
    said: DraftQuote, claim: str, texts: dict[str, str | None], shown: Sequence[ShownPassage]
) -> list[Quote] | str:
    """Return the parts of what was said to stand in a source, none across a heading or dots; or why it is no proof."""
    source, text = said.source[:_HASH_SHOWN], texts[said.source]
    if text is None:
        return f"no passage has the label {source}" if is_label(source) else f"no source {source} is stored"
    places = _locate_parts(text, said.text, [(one.start, one.end) for one in shown if one.source == said.source])
    if not places:
        return f"not in source {source}: {_shorten(said.text)!r}"
    spans = [span for place in places for span in split_at_headings(text, *place)]
    faults = [find_quote_fault(text, start, end, claim) for start, end in spans]
    quotes = [
        Quote(source=said.source, start=start, end=end, text=text[start:end])
        for (start, end), fault in zip(spans, faults, strict=True)
        if fault is None
    ]
    if quotes and (len(places) == 1 or not any(faults)):  # a part that proves nothing may be all that denies the rest
        return quotes
    fault = next(fault for fault in faults if fault)
    return f"no proof in source {source}: {_shorten(said.text)!r}: {fault}"


def _locate_parts(text: str, said: str, shown: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return where a quote is; one with dots in the place of left-out words is several, all there and in order."""
    if place := locate_quote(text, said, shown):
        return [place]
    parts = [part for part in _LEFT_OUT.split(said) if part.strip()]
    places = [place for part in parts if (place := locate_quote(text, part, shown))]
    in_order = all(one[1] <= other[0] for one, other in pairwise(places))
    return places if len(parts) > 1 and len(places) == len(parts) and in_order else ()


def _shorten(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= _MAX_QUOTE_CHARACTERS else f"{flat[:_MAX_QUOTE_CHARACTERS]}…"


class RecheckSources(Tool[RecheckInput, RecheckResult]):
    """Looks again at sources, pages of the web by fetching them; a `Tool`.

    Documents are compared with the corpus as it was last indexed, by the hash of their text and not by their path:
    one that was moved is the same.
    """

    name = "recheck"
    description = "Says which sources have changed since they were read."
    repeatable = True

    def __init__(self, library: Library, fetch: Tool[FetchInput, Page] | None) -> None:
        self._library = library
        self._fetch = fetch

    @override
    async def run(self, given: RecheckInput) -> RecheckResult:
        """Name the sources that changed, and those that cannot be looked at; a page that fails counts as unread.

        Pages are fetched at the same time, so that a slow one does not take the time of the others.
        """
        held = await self._library.held(given.corpus, _source_hashes(given.sources)) if given.corpus else None
        looked = await asyncio.gather(*(self._check_or_error(source, held) for source in given.sources))
        found = list(zip(given.sources, looked, strict=True))
        return RecheckResult(
            changed=tuple(source.sha256 for source, stands in found if stands is False),
            unread=tuple(f"{source.uri}: {error}" for source, error in found if isinstance(error, ToolFailed)),
        )

    async def _check_or_error(self, source: Source, held: Collection[str] | None) -> bool | ToolFailed:
        try:
            return await self._stands(source, held)
        except ToolFailed as error:
            return error

    async def _stands(self, source: Source, held: Collection[str] | None) -> bool:
        """Return whether a source is what it was. Raises ToolFailed when that cannot be found out."""
        if source.uri.startswith(("http://", "https://")):
            return await self._now(source) == source.sha256
        if "://" in source.uri:
            raise ToolFailed("it is what a server said, and a server is not asked again")
        if held is None:
            raise ToolFailed("it was in no folder of documents")
        return source.sha256 in held

    async def _now(self, source: Source) -> str:
        if self._fetch is None:
            raise ToolFailed("this session fetches no pages")
        page = await self._fetch.run(FetchInput(url=source.uri))
        return page.source.sha256


def _source_hashes(sources: Collection[Source]) -> list[str]:
    return [source.sha256 for source in sources]
