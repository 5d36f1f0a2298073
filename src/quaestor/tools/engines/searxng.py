"""A SearXNG server of one's own, which asks many engines (docs.searxng.org/dev/search_api.html)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Lists, Shape, Snippet, Text, Title
from quaestor.tools.engines.words import line


class _Result(Shape):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _Answer(Shape):
    results: Each[_Result]
    unresponsive_engines: Lists = ()


class Searxng(ServiceEngine):
    """Finds pages of the web; an `Engine`."""

    name: ClassVar[str] = "searxng"
    service: ClassVar[Service] = Service(
        url_variable="SEARXNG_URL",
        condition="the server must allow the format json, below search.formats in settings.yml",
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        body = await self._exchange.get("search", {"q": given.query, "format": "json"})
        answer = self._read(_Answer, body)
        if answer.unresponsive_engines and not answer.results:
            silent = line(", ".join(": ".join(each) for each in answer.unresponsive_engines))
            raise ToolFailed(f"searxng found nothing, and of its engines some gave no answer ({silent})")
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.content, published=hit.publishedDate)
            for hit in answer.results
        ]
