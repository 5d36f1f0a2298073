"""The tool that chooses the passages a reader sees."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.lazy import deferred
from quaestor.contracts.library import Document, Library, LibraryTool
from quaestor.contracts.ports import Clock
from quaestor.contracts.source import Hit, Passage, Source
from quaestor.contracts.tools import SearchResults, Tool
from quaestor.contracts.web import PickInput
from quaestor.evidence import ranking
from quaestor.evidence.tokenization import content_terms, terms
from quaestor.research.contracts.tools import DepositInput, output_uri

_split_passages: Callable[[str, str], Sequence[tuple[int, int, str]]] = deferred(
    "quaestor.evidence.passages:split_passages"
)
_MAX_REMEMBERED = 32
"""Pages, of 16,000 words at most, whose passages are kept for the next query."""
_MAX_REMEMBERED_CHARACTERS = 100_000


class _Candidate(NamedTuple):
    """A passage of a source, and the terms of it and what stands above it."""

    hit: Hit
    terms: Sequence[str]


class SelectPassages(LibraryTool[PickInput, SearchResults]):
    """Chooses passages of stored pages for a query; a `Tool` that reaches nothing outside."""

    name = "pick"
    description = "Chooses the passages of stored pages that fit a query."

    def __init__(self, library: Library) -> None:
        super().__init__(library)
        self._remembered: dict[str, Sequence[_Candidate]] = {}
        """Of the last pages of usual length, as every query of a todo is asked of the same ones."""

    @override
    async def run(self, given: PickInput) -> SearchResults:
        """Return the best passages by BM25 over these sources alone, best first; ties in order of source and place."""
        candidates = [one for sha256 in given.sources for one in await self._candidates(sha256)]
        wanted = content_terms(given.query) or terms(given.query)
        return SearchResults(hits=tuple(_best_hits(wanted, candidates, given.limit)))

    async def first_passages(self, sha256: str, most: int) -> Sequence[Hit]:
        """Return the first passages of a stored source. Raises ToolFailed for one that is not stored."""
        return [one.hit for one in (await self._candidates(sha256))[:most]]

    async def _candidates(self, sha256: str) -> Sequence[_Candidate]:
        if known := self._remembered.get(sha256):
            return known
        source, text = await self._library.source(sha256), await self._library.text(sha256)
        if source is None or text is None:
            raise ToolFailed(f"source {sha256} is not stored; fetch its page before choosing passages of it")
        hits = [_hit(source, text, *span) for span in _split_passages(text, source.media_type)]
        found = [_Candidate(hit, terms(f"{hit.title}\n{hit.passage.heading}\n{hit.passage.text}")) for hit in hits]
        if len(text) <= _MAX_REMEMBERED_CHARACTERS:
            if len(self._remembered) >= _MAX_REMEMBERED:
                self._remembered.clear()
            self._remembered[sha256] = found
        return found


def _hit(source: Source, text: str, start: int, end: int, heading: str) -> Hit:
    passage = Passage(source=source.sha256, start=start, end=end, text=text[start:end], heading=heading)
    return Hit(passage=passage, title=source.title, uri=source.uri, score=0.0)


def _best_hits(wanted: Sequence[str], candidates: Sequence[_Candidate], limit: int) -> list[Hit]:
    scores = ranking.bm25_scores(wanted, [one.terms for one in candidates])
    scored = [(score, place) for place, score in enumerate(scores) if score > 0]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [candidates[place].hit.revised(score=round(score, 4)) for score, place in scored[:limit]]


class StoreOutputs(Tool[DepositInput, SearchResults]):
    """Stores what todos produced as sources, and chooses passages of them; a `Tool` that reaches nothing outside."""

    name = "deposit"
    description = "Makes sources of what todos produced."
    repeatable = True
    spend = Spend()

    def __init__(self, library: Library, clock: Clock) -> None:
        self._library = library
        self._clock = clock

    @override
    async def run(self, given: DepositInput) -> SearchResults:
        """Return the best passages of the outputs, best first; where no word fits the first ones."""
        kept = [
            await self._library.keep(
                Document(uri=output_uri(one.key), title=one.title, media_type="text/plain", text=one.text),
                self._clock.now(),
            )
            for one in given.outputs
        ]
        sources = tuple(dict.fromkeys(source.sha256 for source in kept))
        pick = SelectPassages(self._library)
        found = await pick.run(PickInput(query=given.query, sources=sources, limit=given.limit))
        if found.hits or not sources:
            return found
        return SearchResults(hits=tuple(await pick.first_passages(sources[0], given.limit)))
