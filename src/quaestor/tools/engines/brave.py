"""Brave Search and its own index of the web (api-dashboard.search.brave.com/documentation)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, InvalidResponse, ListOf, Object, ResponseModel, Snippet, Text, Title
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import first_words

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
    """Finds pages of the web; a `SearchEngine`."""

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
