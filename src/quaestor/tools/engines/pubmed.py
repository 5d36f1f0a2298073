"""Biomedical papers in PubMed, by the E-utilities (ncbi.nlm.nih.gov/books/NBK25499)."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import ClassVar
from xml.etree.ElementTree import Element

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import InvalidResponse, ResponseModel, Texts, clean_snippet, clean_title
from quaestor.tools.engines.safe_xml import element_text, parse_xml
from quaestor.tools.engines.service import Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import parse_leading_date

_MAX_HITS = 25
"""A record with its list of references may take 50 KB."""
_BASE_PAGE_URL = "https://pubmed.ncbi.nlm.nih.gov"


class _Found(ResponseModel):
    idlist: Texts


class _Answer(ResponseModel):
    esearchresult: _Found


class Pubmed(ServiceEngine):
    """Finds papers on medicine and biology; a `SearchEngine`. One search is two requests."""

    name: ClassVar[str] = "pubmed"
    service: ClassVar[Service] = Service(
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        url_variable="PUBMED_BASE_URL",
        rate_limit=RateLimit(min_interval=0.34, in_flight=1),  # three a second without a key
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        until = (
            {"datetype": "pdat", "mindate": "1500/01/01", "maxdate": f"{given.before:%Y/%m/%d}"} if given.before else {}
        )
        common = {"db": "pubmed", "tool": "quaestor"}
        body = await self._client.get(
            "esearch.fcgi",
            {
                **common,
                "term": given.query,
                "retmax": min(given.limit, _MAX_HITS),
                "sort": "relevance",
                "retmode": "json",
                **until,
            },
        )
        numbers = [each for each in self._parse(_Answer, body).esearchresult.idlist if each.isdigit()]
        if not numbers:
            return ()
        body = await self._client.get("efetch.fcgi", {**common, "id": ",".join(numbers[:_MAX_HITS]), "retmode": "xml"})
        try:
            articles = parse_xml(body, "PubmedArticleSet").findall("PubmedArticle")
        except InvalidResponse as error:
            raise self._client.invalid_response(error, body) from error
        hits = {number: _hit(number, article) for article in articles if (number := _pubmed_id(article)) in numbers}
        return [hits[number] for number in numbers if number in hits]


def _pubmed_id(article: Element) -> str:
    return article.findtext("MedlineCitation/PMID", "").strip()


def _hit(number: str, article: Element) -> WebHit:
    return WebHit(
        url=f"{_BASE_PAGE_URL}/{number}/",
        title=clean_title(element_text(article.find("MedlineCitation/Article/ArticleTitle"))),
        snippet=clean_snippet(" ".join(_sections(article))),
        published=_published(article),
    )


def _sections(article: Element) -> Iterator[str]:
    for section in article.iterfind("MedlineCitation/Article/Abstract/AbstractText"):
        label = section.get("Label")
        yield f"{label}: {element_text(section)}" if label else element_text(section)


def _published(article: Element) -> date | None:
    """Return the date of publication online, else that of the issue."""
    for path in ("ArticleDate", "Journal/JournalIssue/PubDate"):
        published = article.find(f"MedlineCitation/Article/{path}")
        if published is not None:
            parts = (published.findtext(part, "").strip() for part in ("Year", "Month", "Day"))
            if known := parse_leading_date(" ".join(filter(None, parts)) or published.findtext("MedlineDate", "")):
                return known
    return None
