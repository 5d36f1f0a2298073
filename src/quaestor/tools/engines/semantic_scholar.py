"""Papers in the graph of Semantic Scholar (api.semanticscholar.org/api-docs/graph)."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import (
    Day,
    InvalidResponse,
    ListOf,
    OptionalObject,
    ResponseModel,
    Snippet,
    Text,
    Title,
)
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine

_FIELDS = "title,abstract,url,year,publicationDate,externalIds,openAccessPdf"


class _Ids(ResponseModel):
    ArXiv: Text = ""
    DOI: Text = ""


class _File(ResponseModel):
    url: Text = ""


class _Paper(ResponseModel):
    url: Text = ""
    title: Title = ""
    abstract: Snippet = ""
    publicationDate: Day = None  # noqa: N815 -- the service's name
    year: Day = None
    externalIds: OptionalObject[_Ids] = _Ids()  # noqa: N815 -- the service's name
    openAccessPdf: OptionalObject[_File] = _File()  # noqa: N815 -- the service's name

    @property
    def page(self) -> str:
        """Return where it can be read, open access first."""
        if self.openAccessPdf.url:
            return self.openAccessPdf.url
        if self.externalIds.ArXiv:
            return f"https://arxiv.org/abs/{self.externalIds.ArXiv}"
        return f"https://doi.org/{self.externalIds.DOI}" if self.externalIds.DOI else self.url


class _Answer(ResponseModel):
    data: ListOf[_Paper] | None = None
    total: int | None = None


class SemanticScholar(ServiceEngine):
    """Finds papers of every science; a `SearchEngine`."""

    name: ClassVar[str] = "semantic_scholar"
    service: ClassVar[Service] = Service(
        base_url="https://api.semanticscholar.org/graph/v1",
        url_variable="SEMANTIC_SCHOLAR_BASE_URL",
        key=ApiKey(variable="SEMANTIC_SCHOLAR_API_KEY", header="x-api-key", optional=True),
        rate_limit=RateLimit(min_interval=1.0, in_flight=1, backoff_seconds=2.0),
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = {"publicationDateOrYear": f":{given.before.isoformat()}"} if given.before else {}
        body = await self._client.get(
            "paper/search", {"query": given.query, "limit": given.limit, "fields": _FIELDS, **until}
        )
        answer = self._parse(_Answer, body)
        if answer.data is None and answer.total is None:  # nothing found is a total of 0 without `data`
            raise self._client.invalid_response(InvalidResponse.missing("data"), body)
        return [
            WebHit(
                url=paper.page,
                title=paper.title,
                snippet=paper.abstract,
                published=paper.publicationDate or paper.year,
            )
            for paper in answer.data or ()
        ]
