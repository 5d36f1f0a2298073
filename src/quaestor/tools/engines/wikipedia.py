"""Articles of Wikipedia, or of any other wiki that runs on MediaWiki (mediawiki.org/wiki/API:Search)."""

from collections.abc import Sequence
from typing import ClassVar
from urllib.parse import quote

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, ListOf, OptionalObject, ResponseModel, Snippet, Text, clean_title
from quaestor.tools.engines.service import Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import first_words

_MAX_QUERY_CHARACTERS = 300
_MAX_HITS = 50
_DEFAULT_ARTICLE_PATH = "/wiki/$1"


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
    """Finds articles; a `SearchEngine`. Their date is that of the last edit."""

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
