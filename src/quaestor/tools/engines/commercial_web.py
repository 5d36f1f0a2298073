"""Search engines for the whole web that need a key: Brave, Exa, Serper and Tavily."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import (
    Day,
    InvalidResponse,
    ListOf,
    Object,
    ResponseModel,
    Snippet,
    Text,
    Texts,
    Title,
    clean_snippet,
    first_words,
)
from quaestor.tools.engines.service import ApiKey, Service, ServiceEngine

_MAX_HITS = 20
_MAX_QUERY_CHARACTERS = 400
_MAX_QUERY_WORDS = 50


class _Result(ResponseModel):
    url: Text = ""
    title: Title = ""
    description: Snippet = ""
    page_age: Day = None


class _Web(ResponseModel):
    results: ListOf[_Result]


class _Answer(ResponseModel):
    web: _Web | None = None
    query: Object | None = None


class Brave(ServiceEngine):
    """Brave Search and its own index of the web (api-dashboard.search.brave.com/documentation); a `SearchEngine`."""

    name: ClassVar[str] = "brave"
    service: ClassVar[Service] = Service(
        base_url="https://api.search.brave.com/res/v1",
        url_variable="BRAVE_BASE_URL",
        key=ApiKey(variable="BRAVE_API_KEY", header="x-subscription-token"),
        rate_limit=RateLimit(min_interval=1.0, in_flight=1),
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = {"freshness": f"1970-01-01to{given.before.isoformat()}"} if given.before else {}
        query = first_words(given.query, characters=_MAX_QUERY_CHARACTERS, words=_MAX_QUERY_WORDS)
        body = await self._client.get("web/search", {"q": query, "count": min(given.limit, _MAX_HITS), **until})
        answer = self._parse(_Answer, body)
        if answer.web is None and answer.query is None:  # nothing found is an answer without `web`
            raise self._client.invalid_response(InvalidResponse.missing("web"), body)
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.description, published=hit.page_age)
            for hit in (answer.web.results if answer.web else ())
        ]


class _ExaResult(ResponseModel):
    url: Text = ""
    title: Title = ""
    highlights: Texts = ()
    summary: Snippet = ""
    text: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _ExaAnswer(ResponseModel):
    results: ListOf[_ExaResult]


class Exa(ServiceEngine):
    """Exa, which searches by meaning (docs.exa.ai/reference/search); a `SearchEngine`."""

    name: ClassVar[str] = "exa"
    service: ClassVar[Service] = Service(
        base_url="https://api.exa.ai",
        url_variable="EXA_BASE_URL",
        key=ApiKey(variable="EXA_API_KEY", header="x-api-key"),
        rate_limit=RateLimit(min_interval=0.2),
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = {"endPublishedDate": f"{given.before.isoformat()}T23:59:59.999Z"} if given.before else {}
        body = await self._client.post(
            "search",
            {"query": given.query, "numResults": given.limit, "contents": {"highlights": True}, **until},
        )
        return [
            WebHit(
                url=hit.url,
                title=hit.title,
                snippet=clean_snippet(" … ".join(hit.highlights)) or hit.summary or hit.text,
                published=hit.publishedDate,
            )
            for hit in self._parse(_ExaAnswer, body).results
        ]


class _SerperResult(ResponseModel):
    link: Text = ""
    title: Title = ""
    snippet: Snippet = ""
    date: Day = None


class _SerperAnswer(ResponseModel):
    organic: ListOf[_SerperResult] | None = None
    searchParameters: Object | None = None  # noqa: N815 -- the service's name


class Serper(ServiceEngine):
    """Google's results through Serper (serper.dev); a `SearchEngine`."""

    name: ClassVar[str] = "serper"
    service: ClassVar[Service] = Service(
        base_url="https://google.serper.dev",
        url_variable="SERPER_BASE_URL",
        key=ApiKey(variable="SERPER_API_KEY", header="x-api-key"),
        rate_limit=RateLimit(min_interval=0.2),
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        # Google's own filter for a range of days, whose end is the day it names.
        until = {"tbs": f"cdr:1,cd_max:{given.before:%m/%d/%Y}"} if given.before else {}
        body = await self._client.post("search", {"q": given.query, "num": given.limit, **until})
        answer = self._parse(_SerperAnswer, body)
        if answer.organic is None and answer.searchParameters is None:
            raise self._client.invalid_response(InvalidResponse.missing("organic"), body)
        return [
            WebHit(url=hit.link, title=hit.title, snippet=hit.snippet, published=hit.date)
            for hit in answer.organic or ()
        ]


class _TavilyResult(ResponseModel):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    published_date: Day = None


class _TavilyAnswer(ResponseModel):
    results: ListOf[_TavilyResult]


class Tavily(ServiceEngine):
    """Tavily, a search engine for programs; a `SearchEngine`.

    See docs.tavily.com/documentation/api-reference/endpoint/search.
    """

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
            for hit in self._parse(_TavilyAnswer, body).results
        ]
