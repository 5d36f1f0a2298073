"""Tavily, a search engine for programs (docs.tavily.com/documentation/api-reference/endpoint/search)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, ListOf, ResponseModel, Snippet, Text, Title
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import first_words

_MAX_HITS = 20
_MAX_QUERY_CHARACTERS = 400


class _Result(ResponseModel):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    published_date: Day = None


class _Answer(ResponseModel):
    results: ListOf[_Result]


class Tavily(ServiceEngine):
    """Finds pages of the web; a `SearchEngine`."""

    name: ClassVar[str] = "tavily"
    service: ClassVar[Service] = Service(
        base_url="https://api.tavily.com",
        url_variable="TAVILY_BASE_URL",
        key=ApiKey(variable="TAVILY_API_KEY", header="authorization", scheme="Bearer "),
        rate_limit=RateLimit(min_interval=0.6),  # 100 a minute with a key for development
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = {"end_date": given.before.isoformat()} if given.before else {}
        query = first_words(given.query, characters=_MAX_QUERY_CHARACTERS)
        body = await self._client.post(
            "search",
            {"query": query, "max_results": min(given.limit, _MAX_HITS), "search_depth": "basic", **until},
        )
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.content, published=hit.published_date)
            for hit in self._parse(_Answer, body).results
        ]
