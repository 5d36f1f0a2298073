"""Scholarly engines that respond in JSON: OpenAlex and Semantic Scholar."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import BeforeValidator
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
    clean_snippet,
)
from quaestor.tools.engines.service import ApiKey, Service, ServiceEngine

_FIELDS = "id,doi,display_name,publication_date,abstract_inverted_index,primary_location,best_oa_location"
_SEMANTIC_SCHOLAR_FIELDS = "title,abstract,url,year,publicationDate,externalIds,openAccessPdf"


def _restore_abstract(index: object) -> str:
    """Return the abstract that an index of words and positions describes."""
    if not isinstance(index, dict):
        return ""
    placed = (
        (place, str(word))
        for word, places in index.items()
        if isinstance(places, list)
        for place in places
        if isinstance(place, int)
    )
    return clean_snippet(" ".join(word for _, word in sorted(placed)))


class _Location(ResponseModel):
    landing_page_url: Text = ""
    pdf_url: Text = ""


class _Work(ResponseModel):
    id: Text = ""
    doi: Text = ""
    display_name: Title = ""
    publication_date: Day = None
    abstract_inverted_index: Annotated[str, BeforeValidator(_restore_abstract)] = ""
    primary_location: OptionalObject[_Location] = _Location()
    best_oa_location: OptionalObject[_Location] = _Location()

    @property
    def url(self) -> str:
        """Return where it can be read, open access first."""
        free, first = self.best_oa_location, self.primary_location
        return free.landing_page_url or free.pdf_url or first.landing_page_url or self.doi or self.id


class _Answer(ResponseModel):
    results: ListOf[_Work]


class Openalex(ServiceEngine):
    """Papers, books and data in the catalogue of OpenAlex (developers.openalex.org); a `SearchEngine`."""

    name: ClassVar[str] = "openalex"
    service: ClassVar[Service] = Service(
        base_url="https://api.openalex.org",
        url_variable="OPENALEX_BASE_URL",
        key=ApiKey(variable="OPENALEX_API_KEY", parameter="api_key", optional=True),
        rate_limit=RateLimit(min_interval=0.1),
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = {"filter": f"to_publication_date:{given.before.isoformat()}"} if given.before else {}
        body = await self._client.get(
            "works", {"search": given.query, "per_page": given.limit, "select": _FIELDS, **until}
        )
        return [
            WebHit(
                url=work.url,
                title=work.display_name,
                snippet=work.abstract_inverted_index,
                published=work.publication_date,
            )
            for work in self._parse(_Answer, body).results
        ]


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


class _SemanticScholarAnswer(ResponseModel):
    data: ListOf[_Paper] | None = None
    total: int | None = None


class SemanticScholar(ServiceEngine):
    """Papers in the graph of Semantic Scholar (api.semanticscholar.org/api-docs/graph); a `SearchEngine`."""

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
            "paper/search", {"query": given.query, "limit": given.limit, "fields": _SEMANTIC_SCHOLAR_FIELDS, **until}
        )
        answer = self._parse(_SemanticScholarAnswer, body)
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
