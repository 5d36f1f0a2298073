"""Articles of Wikipedia, or of any other wiki that runs on MediaWiki (mediawiki.org/wiki/API:Search)."""

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import quote

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Perhaps, Shape, Snippet, Text, title
from quaestor.tools.engines.words import first_words

_LONGEST_QUERY = 300
_MOST_HITS = 50
_PAGE = "/wiki/$1"


class _Result(Shape):
    title: Text = ""
    snippet: Snippet = ""
    timestamp: Day = None


class _Site(Shape):
    server: Text = ""
    articlepath: Text = ""

    def url(self, name: str, base: str) -> str:
        """Give the address of an article; the wiki knows its own better than `base`, by which it is reached."""
        server = self.server or base.rstrip("/")
        path = (self.articlepath or _PAGE).replace("$1", quote(name.replace(" ", "_"), safe="/:()',!*"))
        return f"https:{server}{path}" if server.startswith("//") else f"{server}{path}"


class _Query(Shape):
    search: Each[_Result]
    general: Perhaps[_Site] = _Site()


class _Answer(Shape):
    query: _Query


class Wikipedia(ServiceEngine):
    """Finds articles; an `Engine`. Their date is that of the last edit."""

    name: ClassVar[str] = "wikipedia"
    service: ClassVar[Service] = Service(
        base_url="https://en.wikipedia.org",
        url_variable="WIKIPEDIA_BASE_URL",
        pace=Pace(between=0.2, in_flight=1),  # one after the other is what the etiquette of the API asks for
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        parameters: dict[str, str | int] = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "list": "search",
            "srsearch": first_words(given.query, characters=_LONGEST_QUERY),
            "srlimit": _MOST_HITS if given.before else given.limit,  # for most articles were edited lately
            "srprop": "snippet|timestamp",
            "meta": "siteinfo",
            "siprop": "general",
        }
        body = await self._exchange.get("w/api.php", parameters)
        query = self._read(_Answer, body).query
        return [
            WebHit(
                url=query.general.url(hit.title, self._exchange.base) if hit.title else "",
                title=title(hit.title),
                snippet=hit.snippet,
                published=hit.timestamp,
            )
            for hit in query.search
        ]
