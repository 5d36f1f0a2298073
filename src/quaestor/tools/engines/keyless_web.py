"""Search engines that need no key: Wikipedia, a SearXNG server, and the library ddgs."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, ClassVar
from urllib.parse import quote

from typing_extensions import override

from quaestor.contracts.errors import MissingExtra, ToolFailed, ToolUnavailable
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import (
    Day,
    ListOf,
    OptionalObject,
    ResponseModel,
    Snippet,
    Text,
    TextLists,
    Title,
    clean_snippet,
    clean_title,
    first_words,
    one_line,
)
from quaestor.tools.engines.service import Service, ServiceEngine
from quaestor.tools.engines.web_search import filter_hits

if TYPE_CHECKING:
    from ddgs import DDGS

_MAX_QUERY_CHARACTERS = 300
_MAX_HITS = 50
_DEFAULT_ARTICLE_PATH = "/wiki/$1"
_LIBRARY: "LazyImport[type[DDGS]]" = LazyImport("ddgs:DDGS")
_LIBRARY_ERROR: LazyImport[type[Exception]] = LazyImport("ddgs.exceptions:DDGSException")
_SECONDS = 15
_NO_RESULTS = "No results found"


class _Result(ResponseModel):
    title: Text = ""
    snippet: Snippet = ""
    timestamp: Day = None


class _Site(ResponseModel):
    server: Text = ""
    articlepath: Text = ""

    def url(self, name: str, base: str) -> str:
        """Return the URL of an article, at the address that the wiki names for itself, else at `base`."""
        server = self.server or base.rstrip("/")
        path = (self.articlepath or _DEFAULT_ARTICLE_PATH).replace("$1", quote(name.replace(" ", "_"), safe="/:()',!*"))
        return f"https:{server}{path}" if server.startswith("//") else f"{server}{path}"


class _Query(ResponseModel):
    search: ListOf[_Result]
    general: OptionalObject[_Site] = _Site()


class _Answer(ResponseModel):
    query: _Query


class Wikipedia(ServiceEngine):
    """Articles of Wikipedia or of another MediaWiki (mediawiki.org/wiki/API:Search); a `SearchEngine`.

    The date of an article is that of its last edit.
    """

    name: ClassVar[str] = "wikipedia"
    service: ClassVar[Service] = Service(
        base_url="https://en.wikipedia.org",
        url_variable="WIKIPEDIA_BASE_URL",
        rate_limit=RateLimit(min_interval=0.2, in_flight=1),  # the etiquette of the API: one after the other
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        parameters: dict[str, str | int] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "list": "search",
            "srsearch": first_words(given.query, characters=_MAX_QUERY_CHARACTERS),
            "srlimit": _MAX_HITS if given.before else given.limit,  # for most articles were edited lately
            "srprop": "snippet|timestamp",
            "meta": "siteinfo",
            "siprop": "general",
        }
        body = await self._client.get("w/api.php", parameters)
        query = self._parse(_Answer, body).query
        return [
            WebHit(
                url=query.general.url(hit.title, self._client.base_url) if hit.title else "",
                title=clean_title(hit.title),
                snippet=hit.snippet,
                published=hit.timestamp,
            )
            for hit in query.search
        ]


class _SearxngResult(ResponseModel):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _SearxngAnswer(ResponseModel):
    results: ListOf[_SearxngResult]
    unresponsive_engines: TextLists = ()


class Searxng(ServiceEngine):
    """A self-hosted metasearch server (docs.searxng.org/dev/search_api.html); a `SearchEngine`."""

    name: ClassVar[str] = "searxng"
    service: ClassVar[Service] = Service(
        url_variable="SEARXNG_URL",
        rate_limit=RateLimit(in_flight=12),  # its own limiter, where it is on, lets bursts of 15 pass
        refusal_hint="the server must allow the format json, below search.formats in settings.yml",
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        body = await self._client.get("search", {"q": given.query, "format": "json"})
        answer = self._parse(_SearxngAnswer, body)
        if answer.unresponsive_engines and not answer.results:
            silent = one_line(", ".join(": ".join(each) for each in answer.unresponsive_engines))
            raise ToolUnavailable(f"searxng found nothing, and of its engines some gave no answer ({silent})")
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.content, published=hit.publishedDate)
            for hit in answer.results
        ]


Finder = Callable[[str, int], Sequence[Mapping[str, object]]]
"""Finds at most so many pages for a query, each with `href`, `title` and `body`; raises ToolFailed."""


class Ddgs:
    """The library ddgs, which reads the result pages of public search engines; a `SearchEngine`.

    Raises MissingExtra without the extra `ddgs`.
    """

    name: ClassVar[str] = "ddgs"

    def __init__(self, environment: Mapping[str, str], finder: Finder | None = None) -> None:
        self._finder = finder or _ddgs_finder(environment.get("DDGS_PROXY"))

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return what is found, best first; no page has a date. Raises ToolFailed when there is no answer."""
        found = await asyncio.to_thread(self._finder, given.query, given.limit)
        if found and not any(each.get("href") for each in found):
            raise ToolFailed(f"ddgs gave {len(found)} hits without 'href'; see whether the library has changed")
        return filter_hits(map(_hit, found), given)

    async def close(self) -> None:
        """Do nothing: the library keeps no connection."""


def _hit(found: Mapping[str, object]) -> WebHit:
    url, name, body = (value if isinstance(value := found.get(key), str) else "" for key in ("href", "title", "body"))
    return WebHit(url=url, title=clean_title(name), snippet=clean_snippet(body))


def _ddgs_finder(proxy: str | None) -> Finder:
    if not find_spec("ddgs"):
        raise MissingExtra("the engine ddgs needs an extra", "ddgs")
    library, library_error = _LIBRARY.load(), _LIBRARY_ERROR.load()

    def find(query: str, limit: int) -> Sequence[Mapping[str, object]]:
        try:
            return library(proxy=proxy, timeout=_SECONDS).text(query, max_results=limit)
        except library_error as error:
            if _NO_RESULTS in str(error):
                return ()
            raise ToolUnavailable(f"ddgs gave no answer ({one_line(str(error))}); try again later") from error

    return find
