"""What Google finds, by Serper (serper.dev)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, InvalidResponse, ListOf, Object, ResponseModel, Snippet, Text, Title
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine


class _Result(ResponseModel):
    link: Text = ""
    title: Title = ""
    snippet: Snippet = ""
    date: Day = None


class _Answer(ResponseModel):
    organic: ListOf[_Result] | None = None
    searchParameters: Object | None = None  # noqa: N815 -- the service's name


class Serper(ServiceEngine):
    """Finds pages of the web; a `SearchEngine`."""

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
        answer = self._parse(_Answer, body)
        if answer.organic is None and answer.searchParameters is None:
            raise self._client.invalid_response(InvalidResponse.missing("organic"), body)
        return [
            WebHit(url=hit.link, title=hit.title, snippet=hit.snippet, published=hit.date)
            for hit in answer.organic or ()
        ]
