"""Brave Search and its own index of the web (api-dashboard.search.brave.com/documentation)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Key, Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Misshapen, Object, Shape, Snippet, Text, Title
from quaestor.tools.engines.words import first_words

_MOST_HITS = 20
_LONGEST_QUERY = 400
_MOST_WORDS = 50


class _Result(Shape):
    url: Text = ""
    title: Title = ""
    description: Snippet = ""
    page_age: Day = None


class _Web(Shape):
    results: Each[_Result]


class _Answer(Shape):
    web: _Web | None = None
    query: Object | None = None


class Brave(ServiceEngine):
    """Finds pages of the web; an `Engine`."""

    name: ClassVar[str] = "brave"
    service: ClassVar[Service] = Service(
        base_url="https://api.search.brave.com/res/v1",
        url_variable="BRAVE_BASE_URL",
        key=Key(variable="BRAVE_API_KEY", header="x-subscription-token"),
        pace=Pace(between=1.0, in_flight=1),
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        until = {"freshness": f"1970-01-01to{given.before.isoformat()}"} if given.before else {}
        query = first_words(given.query, characters=_LONGEST_QUERY, words=_MOST_WORDS)
        body = await self._exchange.get("web/search", {"q": query, "count": min(given.limit, _MOST_HITS), **until})
        answer = self._read(_Answer, body)
        if answer.web is None and answer.query is None:  # nothing found is an answer without `web`
            raise self._exchange.misshapen(Misshapen.without("web"), body)
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.description, published=hit.page_age)
            for hit in (answer.web.results if answer.web else ())
        ]
