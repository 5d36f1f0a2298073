"""Works of science in the catalogue of OpenAlex (developers.openalex.org)."""

from collections.abc import Sequence
from typing import Annotated, ClassVar

from pydantic import BeforeValidator
from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import Day, ListOf, OptionalObject, ResponseModel, Text, Title, clean_snippet
from quaestor.tools.engines.service import ApiKey, Service
from quaestor.tools.engines.service_engine import ServiceEngine

_FIELDS = "id,doi,display_name,publication_date,abstract_inverted_index,primary_location,best_oa_location"


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
    """Finds papers, books and data of every science; a `SearchEngine`."""

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
