"""What each service answers when it has found these hits, and one answer that is not its own."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from urllib.parse import quote
from xml.sax.saxutils import escape

from pydantic import JsonValue

from quaestor.contracts.web import WebHit
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.commercial_web import Brave, Exa, Serper, Tavily
from quaestor.tools.engines.keyless_web import Searxng, Wikipedia
from quaestor.tools.engines.scholarly_json import Openalex, SemanticScholar
from quaestor.tools.engines.scholarly_xml import Arxiv, Pubmed
from quaestor.tools.engines.service import ServiceEngine

KEY = "sk-0123456789/abcdefghijklmnop+qrst=="
QUICK = RateLimit(backoff_seconds=0.001)
Speak = Callable[[str, Sequence[WebHit]], bytes]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one service speaks: `speak` gives its answer to a path, `wrong` is one without what it should have."""

    kind: type[ServiceEngine]
    speak: Speak
    wrong: bytes
    missing: str
    key: str = ""
    site: str = "https://pages.example/{}"

    def engine(self, url: str, key: str = KEY, rate_limit: RateLimit = QUICK) -> ServiceEngine:
        """Return the engine, with the server at this address."""
        return self.kind({self.kind.service.url_variable: url, self.key or "NOTHING": key}, rate_limit)

    def hit(self, number: int, title: str = "", snippet: str = "", published: date | None = None) -> WebHit:
        """Return a hit as this service can name it."""
        title = title or f"Page {number}"
        place = quote(title.replace(" ", "_")) if self.kind is Wikipedia else number
        return WebHit(url=self.site.format(place), title=title, snippet=snippet, published=published)


def _day(hit: WebHit, form: str = "%Y-%m-%d") -> str | None:
    return hit.published.strftime(form) if hit.published else None


def _said(name: str, value: str | None) -> dict[str, JsonValue]:
    return {name: value} if value else {}


def _json(value: JsonValue) -> bytes:
    return json.dumps(value).encode()


def searxng(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = [
        {"url": hit.url, "title": hit.title, "content": hit.snippet, "publishedDate": _day(hit, "%Y-%m-%dT00:00:00")}
        for hit in hits
    ]
    return _json({"query": "q", "number_of_results": 0, "results": results, "unresponsive_engines": []})


def tavily(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = [
        {
            "url": hit.url,
            "title": hit.title,
            "content": hit.snippet,
            "score": 0.5,
            **_said("published_date", _day(hit, "%a, %d %b %Y 08:00:00 GMT")),
        }
        for hit in hits
    ]
    return _json({"query": "q", "answer": None, "images": [], "results": results, "response_time": 1.2})


def brave(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = [
        {"url": hit.url, "title": hit.title, "description": hit.snippet, "page_age": _day(hit, "%Y-%m-%dT08:00:00")}
        for hit in hits
    ]
    found: dict[str, JsonValue] = {"web": {"type": "search", "results": results}} if hits else {}
    return _json({"type": "search", "query": {"original": "q"}, **found})


def exa(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = [
        {
            "id": hit.url,
            "url": hit.url,
            "title": hit.title,
            "highlights": [hit.snippet],
            "publishedDate": _day(hit, "%Y-%m-%dT00:00:00.000Z"),
        }
        for hit in hits
    ]
    return _json({"requestId": "r", "results": results})


def serper(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = [
        {"link": hit.url, "title": hit.title, "snippet": hit.snippet, **_said("date", _day(hit, "%b %d, %Y"))}
        for hit in hits
    ]
    return _json({"searchParameters": {"q": "q"}, "organic": results})


def openalex(_: str, hits: Sequence[WebHit]) -> bytes:
    results: list[JsonValue] = []
    for hit in hits:
        index: dict[str, JsonValue] = {}
        for place, word in enumerate(hit.snippet.split()):
            places = index.setdefault(word, [])
            assert isinstance(places, list)
            places.append(place)
        results.append(
            {
                "id": "https://openalex.org/W1",
                "doi": None,
                "display_name": hit.title,
                "publication_date": _day(hit),
                "abstract_inverted_index": index or None,
                "primary_location": {"landing_page_url": hit.url, "pdf_url": None},
                "best_oa_location": None,
            }
        )
    return _json({"meta": {"count": len(hits)}, "results": results})


def semantic_scholar(_: str, hits: Sequence[WebHit]) -> bytes:
    papers: list[JsonValue] = [
        {
            "paperId": "p",
            "url": "https://www.semanticscholar.org/paper/p",
            "title": hit.title,
            "abstract": hit.snippet or None,
            "publicationDate": _day(hit),
            "year": None,
            "externalIds": None,
            "openAccessPdf": {"url": hit.url, "status": None},
        }
        for hit in hits
    ]
    return _json({"total": len(hits), "offset": 0, **({"data": papers} if hits else {})})


def wikipedia(_: str, hits: Sequence[WebHit]) -> bytes:
    found: list[JsonValue] = [
        {"ns": 0, "title": hit.title, "pageid": 7, "snippet": hit.snippet, "timestamp": _day(hit, "%Y-%m-%dT08:00:00Z")}
        for hit in hits
    ]
    general: JsonValue = {"server": "https://en.wikipedia.org", "articlepath": "/wiki/$1"}
    return _json({"batchcomplete": True, "query": {"general": general, "search": found}})


def arxiv(_: str, hits: Sequence[WebHit]) -> bytes:
    entries = "".join(
        f"<entry><id>{escape(hit.url)}</id><title>{escape(hit.title)}</title><summary>\n  {escape(hit.snippet)}\n"
        f"</summary><published>{_day(hit, '%Y-%m-%dT08:00:00Z') or ''}</published></entry>"
        for hit in hits
    )
    return f'<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom">{entries}</feed>'.encode()


def pubmed(path: str, hits: Sequence[WebHit]) -> bytes:
    numbers: list[JsonValue] = [hit.url.rsplit("/", 2)[1] for hit in hits]
    if path.endswith("esearch.fcgi"):
        return _json({"header": {}, "esearchresult": {"count": str(len(hits)), "idlist": numbers}})
    articles = "".join(
        f"<PubmedArticle><MedlineCitation><PMID>{number}</PMID><Article><ArticleTitle>{escape(hit.title)}</ArticleTitle>"
        f"<Abstract><AbstractText>{escape(hit.snippet)}</AbstractText></Abstract>"
        f"<Journal><JournalIssue><PubDate>{_day(hit, '<Year>%Y</Year><Month>%b</Month><Day>%d</Day>') or ''}</PubDate>"
        f"</JournalIssue></Journal></Article></MedlineCitation></PubmedArticle>"
        for number, hit in reversed(list(zip(numbers, hits, strict=True)))
    )
    return f"<?xml version='1.0'?><!DOCTYPE PubmedArticleSet><PubmedArticleSet>{articles}</PubmedArticleSet>".encode()


_ELSE = b'{"answers": []}'
DIALECTS: Mapping[str, Dialect] = {
    dialect.kind.name: dialect
    for dialect in (
        Dialect(Searxng, searxng, _ELSE, "'results'"),
        Dialect(Tavily, tavily, _ELSE, "'results'", key="TAVILY_API_KEY"),
        Dialect(Brave, brave, _ELSE, "'web'", key="BRAVE_API_KEY"),
        Dialect(Exa, exa, _ELSE, "'results'", key="EXA_API_KEY"),
        Dialect(Serper, serper, _ELSE, "'organic'", key="SERPER_API_KEY"),
        Dialect(Openalex, openalex, _ELSE, "'results'", key="OPENALEX_API_KEY"),
        Dialect(SemanticScholar, semantic_scholar, _ELSE, "'data'", key="SEMANTIC_SCHOLAR_API_KEY"),
        Dialect(Wikipedia, wikipedia, _ELSE, "'query'", site="https://en.wikipedia.org/wiki/{}"),
        Dialect(Arxiv, arxiv, b"<answers/>", "'feed'"),
        Dialect(Pubmed, pubmed, _ELSE, "'esearchresult'", site="https://pubmed.ncbi.nlm.nih.gov/{}/"),
    )
}
