"""Search engines as a tool."""

from collections.abc import Iterable, Iterator
from urllib.parse import urlsplit

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed, ToolUnavailable
from quaestor.contracts.ports import SearchEngine
from quaestor.contracts.report_settings import ANY_SOURCE, SourceBounds
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import SearchWebInput, WebHit, WebResults, WebSearchInput


class SearchWeb(Tool[SearchWebInput, WebResults]):
    """The tool that searches with one engine of a run, or with each in turn until one finds pages."""

    name = "search_web"
    aliases = frozenset({"web_search"})
    description = "Finds pages of the web; give it a few telling words."
    repeatable = True

    def __init__(self, engines: Iterable[SearchEngine], sources: SourceBounds = ANY_SOURCE) -> None:
        self._sources = sources
        self._engines = {engine.name: engine for engine in engines}

    @override
    async def run(self, given: SearchWebInput) -> WebResults:
        """Return the pages that were found, best first. Raises ToolFailed when no engine answers."""
        request = WebSearchInput(query=given.query, limit=given.limit, before=given.before)
        if not given.engine:
            return await self._search_in_turn(request)
        engine = self._engines.get(given.engine)
        if engine is None:
            known = ", ".join(self._engines) or "none"
            raise ToolFailed(f"this run has no engine {given.engine!r}; it has {known}")
        return await self._search(engine, request)

    async def _search(self, engine: SearchEngine, request: WebSearchInput) -> WebResults:
        """Return the pages that one engine found, without those that the bounds of the run leave out."""
        found = await engine.search(request)
        bounds = self._sources
        kept = (hit for hit in found.hits if bounds.allows(hit.url) and bounds.dates.holds(hit.published))
        return WebResults(hits=tuple(kept))

    async def _search_in_turn(self, request: WebSearchInput) -> WebResults:
        if not self._engines:
            raise ToolFailed(f"this run has no search engine; name one, or leave {self.name} out")
        faults: list[ToolFailed] = []
        named: list[str] = []
        for engine in self._engines.values():
            try:
                found = await self._search(engine, request)
            except ToolFailed as error:
                faults.append(error)
                named.append(f"{engine.name}: {error}")
                continue
            if found.hits:
                return WebResults(hits=found.hits[: request.limit])
        if len(faults) == len(self._engines):
            down = all(isinstance(fault, ToolUnavailable) for fault in faults)
            raise (ToolUnavailable if down else ToolFailed)("; ".join(named))
        return WebResults()


_MAX_URL_CHARACTERS = 2_000


def filter_hits(hits: Iterable[WebHit], given: WebSearchInput) -> WebResults:
    """Return the hits that are pages of the web, each once, in order, within the limit and the last day of the input.

    A hit without a date stays.
    """
    kept = [hit for hit in _unique_pages(hits) if not (given.before and hit.published and hit.published > given.before)]
    return WebResults(hits=tuple(kept[: given.limit]))


def _unique_pages(hits: Iterable[WebHit]) -> Iterator[WebHit]:
    seen: set[str] = set()
    for hit in hits:
        if _is_web_url(hit.url) and hit.url not in seen:
            seen.add(hit.url)
            yield hit


def _is_web_url(url: str) -> bool:
    if len(url) > _MAX_URL_CHARACTERS or not url.isprintable() or " " in url:
        return False
    try:
        parts = urlsplit(url)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:  # brackets that hold no IPv6 address
        return False
