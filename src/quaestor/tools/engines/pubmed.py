"""Biomedical papers in PubMed, by the E-utilities (ncbi.nlm.nih.gov/books/NBK25499)."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import ClassVar
from xml.etree.ElementTree import Element

from typing_extensions import override

from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.tools.engines.access import Pace, Service
from quaestor.tools.engines.days import day
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.markup import parse, words
from quaestor.tools.engines.shape import Misshapen, Shape, Texts, snippet, title

_MOST_HITS = 25
"""A record with its list of references may take 50 KB."""
_PAGE = "https://pubmed.ncbi.nlm.nih.gov"


class _Found(Shape):
    idlist: Texts


class _Answer(Shape):
    esearchresult: _Found


class Pubmed(ServiceEngine):
    """Finds papers on medicine and biology; an `Engine`. One search is two requests."""

    name: ClassVar[str] = "pubmed"
    service: ClassVar[Service] = Service(
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        url_variable="PUBMED_BASE_URL",
        pace=Pace(between=0.34, in_flight=1),  # three a second without a key
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        until = (
            {"datetype": "pdat", "mindate": "1500/01/01", "maxdate": f"{given.before:%Y/%m/%d}"} if given.before else {}
        )
        common = {"db": "pubmed", "tool": "quaestor"}
        body = await self._exchange.get(
            "esearch.fcgi",
            {
                **common,
                "term": given.query,
                "retmax": min(given.limit, _MOST_HITS),
                "sort": "relevance",
                "retmode": "json",
                **until,
            },
        )
        numbers = [each for each in self._read(_Answer, body).esearchresult.idlist if each.isdigit()]
        if not numbers:
            return ()
        body = await self._exchange.get(
            "efetch.fcgi", {**common, "id": ",".join(numbers[:_MOST_HITS]), "retmode": "xml"}
        )
        try:
            articles = parse(body, "PubmedArticleSet").findall("PubmedArticle")
        except Misshapen as misshapen:
            raise self._exchange.misshapen(misshapen, body) from misshapen
        hits = {number: _hit(number, article) for article in articles if (number := _number(article)) in numbers}
        return [hits[number] for number in numbers if number in hits]


def _number(article: Element) -> str:
    return article.findtext("MedlineCitation/PMID", "").strip()


def _hit(number: str, article: Element) -> WebHit:
    return WebHit(
        url=f"{_PAGE}/{number}/",
        title=title(words(article.find("MedlineCitation/Article/ArticleTitle"))),
        snippet=snippet(" ".join(_sections(article))),
        published=_published(article),
    )


def _sections(article: Element) -> Iterator[str]:
    for section in article.iterfind("MedlineCitation/Article/Abstract/AbstractText"):
        label = section.get("Label")
        yield f"{label}: {words(section)}" if label else words(section)


def _published(article: Element) -> date | None:
    """Give the day it was published online, else that of the issue."""
    for path in ("ArticleDate", "Journal/JournalIssue/PubDate"):
        said = article.find(f"MedlineCitation/Article/{path}")
        if said is not None:
            parts = (said.findtext(part, "").strip() for part in ("Year", "Month", "Day"))
            if known := day(" ".join(filter(None, parts)) or said.findtext("MedlineDate", "")):
                return known
    return None
