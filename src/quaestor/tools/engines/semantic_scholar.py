"""Papers in the graph of Semantic Scholar (api.semanticscholar.org/api-docs/graph)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Key, Pace, Service
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.shape import Day, Each, Misshapen, Perhaps, Shape, Snippet, Text, Title

_FIELDS = "title,abstract,url,year,publicationDate,externalIds,openAccessPdf"


class _Ids(Shape):
    ArXiv: Text = ""
    DOI: Text = ""


class _File(Shape):
    url: Text = ""


class _Paper(Shape):
    url: Text = ""
    title: Title = ""
    abstract: Snippet = ""
    publicationDate: Day = None  # noqa: N815 -- the service's name
    year: Day = None
    externalIds: Perhaps[_Ids] = _Ids()  # noqa: N815 -- the service's name
    openAccessPdf: Perhaps[_File] = _File()  # noqa: N815 -- the service's name

    @property
    def page(self) -> str:
        """Give where it can be read, best where everybody may."""
        if self.openAccessPdf.url:
            return self.openAccessPdf.url
        if self.externalIds.ArXiv:
            return f"https://arxiv.org/abs/{self.externalIds.ArXiv}"
        return f"https://doi.org/{self.externalIds.DOI}" if self.externalIds.DOI else self.url


class _Answer(Shape):
    data: Each[_Paper] | None = None
    total: int | None = None


class SemanticScholar(ServiceEngine):
    """Finds papers of every science; an `Engine`."""

    name: ClassVar[str] = "semantic_scholar"
    service: ClassVar[Service] = Service(
        base_url="https://api.semanticscholar.org/graph/v1",
        url_variable="SEMANTIC_SCHOLAR_BASE_URL",
        key=Key(variable="SEMANTIC_SCHOLAR_API_KEY", header="x-api-key", optional=True),
        pace=Pace(between=1.0, in_flight=1, backoff=2.0),
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        until = {"publicationDateOrYear": f":{given.before.isoformat()}"} if given.before else {}
        body = await self._exchange.get(
            "paper/search", {"query": given.query, "limit": given.limit, "fields": _FIELDS, **until}
        )
        answer = self._read(_Answer, body)
        if answer.data is None and answer.total is None:  # nothing found is a total of 0 without `data`
            raise self._exchange.misshapen(Misshapen.without("data"), body)
        return [
            WebHit(
                url=paper.page,
                title=paper.title,
                snippet=paper.abstract,
                published=paper.publicationDate or paper.year,
            )
            for paper in answer.data or ()
        ]
