"""Exa, which searches by meaning (docs.exa.ai/reference/search)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Key, Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Shape, Snippet, Text, Texts, Title, snippet


class _Result(Shape):
    url: Text = ""
    title: Title = ""
    highlights: Texts = ()
    summary: Snippet = ""
    text: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _Answer(Shape):
    results: Each[_Result]


class Exa(ServiceEngine):
    """Finds pages of the web by what they are about; an `Engine`."""

    name: ClassVar[str] = "exa"
    service: ClassVar[Service] = Service(
        base_url="https://api.exa.ai",
        url_variable="EXA_BASE_URL",
        key=Key(variable="EXA_API_KEY", header="x-api-key"),
        pace=Pace(between=0.2),
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        until = {"endPublishedDate": f"{given.before.isoformat()}T23:59:59.999Z"} if given.before else {}
        body = await self._exchange.post(
            "search",
            {"query": given.query, "numResults": given.limit, "contents": {"highlights": True}, **until},
        )
        return [
            WebHit(
                url=hit.url,
                title=hit.title,
                snippet=snippet(" … ".join(hit.highlights)) or hit.summary or hit.text,
                published=hit.publishedDate,
            )
            for hit in self._read(_Answer, body).results
        ]
