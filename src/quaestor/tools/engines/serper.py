"""What Google finds, by Serper (serper.dev)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Key, Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Misshapen, Object, Shape, Snippet, Text, Title


class _Result(Shape):
    link: Text = ""
    title: Title = ""
    snippet: Snippet = ""
    date: Day = None


class _Answer(Shape):
    organic: Each[_Result] | None = None
    searchParameters: Object | None = None  # noqa: N815 -- the service's name


class Serper(ServiceEngine):
    """Finds pages of the web; an `Engine`."""

    name: ClassVar[str] = "serper"
    service: ClassVar[Service] = Service(
        base_url="https://google.serper.dev",
        url_variable="SERPER_BASE_URL",
        key=Key(variable="SERPER_API_KEY", header="x-api-key"),
        pace=Pace(between=0.2),
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        # Google's own filter for a range of days, whose end is the day it names.
        until = {"tbs": f"cdr:1,cd_max:{given.before:%m/%d/%Y}"} if given.before else {}
        body = await self._exchange.post("search", {"q": given.query, "num": given.limit, **until})
        answer = self._read(_Answer, body)
        if answer.organic is None and answer.searchParameters is None:
            raise self._exchange.misshapen(Misshapen.without("organic"), body)
        return [
            WebHit(url=hit.link, title=hit.title, snippet=hit.snippet, published=hit.date)
            for hit in answer.organic or ()
        ]
