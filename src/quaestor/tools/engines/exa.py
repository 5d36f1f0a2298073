"""Exa, which searches by meaning (docs.exa.ai/reference/search)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, ListOf, ResponseModel, Snippet, Text, Texts, Title, clean_snippet
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine


class _Result(ResponseModel):
    url: Text = ""
    title: Title = ""
    highlights: Texts = ()
    summary: Snippet = ""
    text: Snippet = ""
    publishedDate: Day = None  # noqa: N815 -- the service's name


class _Answer(ResponseModel):
    results: ListOf[_Result]


class Exa(ServiceEngine):
    """Finds pages of the web by what they are about; a `SearchEngine`."""

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
            for hit in self._parse(_Answer, body).results
        ]
