"""Search engines as a tool."""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.ports import SearchEngine
from quaestor.contracts.tools import Tool
from quaestor.contracts.web import EngineSearchInput, WebHit, WebResults, WebSearchInput


class QuerySearchEngine(Tool[EngineSearchInput, WebResults]):
    """Searches with one of a run's engines; a `Tool`."""

    name = "web_search"
    description = "Finds pages with a search engine; give it a few telling words."
    repeatable = True

    def __init__(self, engines: Iterable[SearchEngine]) -> None:
        self._engines = {engine.name: engine for engine in engines}

    @override
    async def run(self, given: EngineSearchInput) -> WebResults:
        """Give the pages the engine finds, best first. Raises ToolFailed when it gives no answer."""
        engine = self._engines.get(given.engine)
        if engine is None:
            known = ", ".join(self._engines) or "none"
            raise ToolFailed(f"this run has no engine {given.engine!r}; it has {known}")
        return await engine.search(WebSearchInput(query=given.query, limit=given.limit, before=given.before))


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
        return parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:  # brackets that hold no IPv6 address
        return False


class SearchWeb(Tool[WebSearchInput, WebResults]):
    """Asks the engines of a run one after the other until one finds something; a `Tool`."""

    name = "search_web"
    description = "Finds pages of the web; give it a few telling words."
    repeatable = True

    def __init__(self, engines: Sequence[SearchEngine]) -> None:
        self._engines = engines

    @override
    async def run(self, given: WebSearchInput) -> WebResults:
        """Give the pages that were found, best first. Raises ToolFailed when no engine gives an answer."""
        faults: list[str] = []
        for engine in self._engines:
            try:
                found = await engine.search(given)
            except ToolFailed as error:
                faults.append(f"{engine.name}: {error}")
                continue
            if found.hits:
                return found.model_copy(update={"hits": found.hits[: given.limit]})
        if faults and len(faults) == len(self._engines):
            raise ToolFailed("; ".join(faults))
        if not self._engines:
            raise ToolFailed("this run has no search engine; name one, or leave search_web out")
        return WebResults()
