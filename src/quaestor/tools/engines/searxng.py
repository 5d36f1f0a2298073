"""A self-hosted SearXNG server, which asks many engines (docs.searxng.org/dev/search_api.html)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.tools.engines.response import Day, ListOf, ResponseModel, Snippet, Text, TextLists, Title
from quaestor.tools.engines.service import Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import one_line


class _Result(ResponseModel):
    url: Text = ""
    title: Title = ""
    content: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _Answer(ResponseModel):
    results: ListOf[_Result]
    unresponsive_engines: TextLists = ()


class Searxng(ServiceEngine):
    """Finds pages of the web; a `SearchEngine`."""

    name: ClassVar[str] = "searxng"
    service: ClassVar[Service] = Service(
        url_variable="SEARXNG_URL",
        refusal_hint="the server must allow the format json, below search.formats in settings.yml",
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        body = await self._client.get("search", {"q": given.query, "format": "json"})
        answer = self._parse(_Answer, body)
        if answer.unresponsive_engines and not answer.results:
            silent = one_line(", ".join(": ".join(each) for each in answer.unresponsive_engines))
            raise ToolFailed(f"searxng found nothing, and of its engines some gave no answer ({silent})")
        return [
            WebHit(url=hit.url, title=hit.title, snippet=hit.content, published=hit.publishedDate)
            for hit in answer.results
        ]
