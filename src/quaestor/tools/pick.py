from collections.abc import Sequence
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Library
from quaestor.contracts.source import Hit, Passage, Source
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.web import PickGiven
from quaestor.evidence import bm25
from quaestor.evidence.split import split
from quaestor.evidence.text import content_terms, terms


class Pick:
    """Chooses passages of stored pages for a query; a `Tool` that reaches nothing outside."""

    name: ClassVar[str] = "pick"
    description: ClassVar[str] = "Chooses the passages of stored pages that fit a query."
    takes: ClassVar[type[Noun]] = PickGiven
    gives: ClassVar[type[Noun]] = SearchResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend()

    def __init__(self, library: Library) -> None:
        self._library = library

    async def run(self, given: Noun) -> SearchResults:
        """Give the best passages by BM25 over these sources alone, best first; ties in order of source and place."""
        if not isinstance(given, PickGiven):
            raise ToolFailed(f"pick takes a PickGiven, not a {type(given).__name__}; give it a query and sources")
        held = [hit for sha256 in given.sources for hit in await self.passages(sha256)]
        wanted = content_terms(given.query) or terms(given.query)
        return SearchResults(hits=tuple(_best(wanted, held, given.limit)))

    async def passages(self, sha256: str) -> Sequence[Hit]:
        """Give all passages of a stored source, in order. Raises ToolFailed for one that is not stored."""
        source, text = await self._library.source(sha256), await self._library.text(sha256)
        if source is None or text is None:
            raise ToolFailed(f"source {sha256} is not stored; fetch its page before choosing passages of it")
        return [_hit(source, text, *span) for span in split(text, source.media_type)]


def _hit(source: Source, text: str, start: int, end: int, heading: str) -> Hit:
    passage = Passage(source=source.sha256, start=start, end=end, text=text[start:end], heading=heading)
    return Hit(passage=passage, title=source.title, uri=source.uri, score=0.0)


def _best(wanted: Sequence[str], held: Sequence[Hit], limit: int) -> list[Hit]:
    said = [terms(f"{hit.title}\n{hit.passage.heading}\n{hit.passage.text}") for hit in held]
    scored = [(score, place) for place, score in enumerate(bm25.scores(wanted, said)) if score > 0]
    scored.sort(key=lambda pair: (-pair[0], pair[1]))
    return [held[place].model_copy(update={"score": round(score, 4)}) for score, place in scored[:limit]]
