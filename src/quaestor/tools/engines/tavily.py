"""Tavily, a search engine for programs (docs.tavily.com/documentation/api-reference/endpoint/search)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Key, Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Shape, Snippet, Text, Title
from quaestor.tools.engines.words import first_words

_MOST_HITS = 20
_LONGEST_QUERY = 400


class _Result(Shape):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    published_date: Day = None


class _Answer(Shape):
    results: Each[_Result]


class Tavily(ServiceEngine):
    """Finds pages of the web; an `Engine`."""

    name: ClassVar[str] = "tavily"
    service: ClassVar[Service] = Service(
        base_url="https://api.tavily.com",
        url_variable="TAVILY_BASE_URL",
        key=Key(variable="TAVILY_API_KEY", header="authorization", scheme="Bearer "),
        pace=Pace(between=0.6),  # 100 a minute with a key for development
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        until = {"end_date": given.before.isoformat()} if given.before else {}
        query = first_words(given.query, characters=_LONGEST_QUERY)
        body = await self._exchange.post(
            "search",
            {"query": query, "max_results": min(given.limit, _MOST_HITS), "search_depth": "basic", **until},
        )
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.content, published=hit.published_date)
            for hit in self._read(_Answer, body).results
        ]
