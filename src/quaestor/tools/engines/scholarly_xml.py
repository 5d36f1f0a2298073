"""Scholarly engines that respond in XML: arXiv and PubMed."""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import ClassVar
from xml.etree.ElementTree import Element

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import (
    InvalidResponse,
    ResponseModel,
    Texts,
    clean_snippet,
    clean_title,
    parse_leading_date,
)
from quaestor.tools.engines.service import Service, ServiceEngine
from quaestor.tools.engines.xml_reply import element_text, parse_xml

_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 30
_ERROR_PATH = "/api/errors"
"""Part of the id of the entry by which arXiv reports an error, mostly with status 200."""
_MAX_HITS = 25
"""A record with its list of references may take 50 KB."""
_BASE_PAGE_URL = "https://pubmed.ncbi.nlm.nih.gov"


class Arxiv(ServiceEngine):
    """Preprints on arXiv, by words of their titles, abstracts and authors; a `SearchEngine`.

    See info.arxiv.org/help/api/user-manual.html.
    """

    name: ClassVar[str] = "arxiv"
    service: ClassVar[Service] = Service(
        base_url="https://export.arxiv.org/api",
        url_variable="ARXIV_BASE_URL",
        rate_limit=RateLimit(min_interval=3.0, in_flight=1, backoff_seconds=3.0),  # as its manual asks
    )

    @override
    async def _find(self, given: WebSearchInput) -> Sequence[WebHit]:
        query = build_query(given)
        if not query:
            return ()
        body = await self._client.get(
            "query", {"search_query": query, "start": 0, "max_results": given.limit, "sortBy": "relevance"}
        )
        try:
            entries = parse_xml(body, "feed").findall("entry")
        except InvalidResponse as error:
            raise self._client.invalid_response(error, body) from error
        for entry in entries:
            if _ERROR_PATH in entry.findtext("id", ""):
                raise ToolFailed(f"arxiv refused the query {query!r}: {clean_snippet(entry.findtext('summary', ''))}")
        return [_hit(entry) for entry in entries]


def build_query(given: WebSearchInput) -> str:
    """Return the query in the syntax of arXiv: any of the words that carry a subject, best matches first.

    Empty where there is no word at all.
    """
    all_words = _WORD.findall(given.query)
    significant = [word for word in all_words if word.casefold() not in STOP_WORDS] or all_words
    query = " OR ".join(f"all:{word}" for word in dict.fromkeys(significant[:_MAX_WORDS]))
    if query and given.before:
        return f"({query}) AND submittedDate:[199001010000 TO {given.before:%Y%m%d}2359]"
    return query


def _hit(entry: Element) -> WebHit:
    return WebHit(
        url=entry.findtext("id", "").strip().replace("http://", "https://", 1),
        title=clean_title(element_text(entry.find("title"))),
        snippet=clean_snippet(element_text(entry.find("summary"))),
        published=parse_leading_date(entry.findtext("published", "")),
    )


class _Found(ResponseModel):
    idlist: Texts


class _Answer(ResponseModel):
    esearchresult: _Found


class Pubmed(ServiceEngine):
    """Biomedical papers in PubMed, by the E-utilities (ncbi.nlm.nih.gov/books/NBK25499); a `SearchEngine`.

    One search is two requests.
    """

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
        hits = {
            number: _pubmed_hit(number, article) for article in articles if (number := _pubmed_id(article)) in numbers
        }
        return [hits[number] for number in numbers if number in hits]


def _pubmed_id(article: Element) -> str:
    return article.findtext("MedlineCitation/PMID", "").strip()


def _pubmed_hit(number: str, article: Element) -> WebHit:
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
