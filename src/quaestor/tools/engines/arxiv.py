"""Preprints on arXiv (info.arxiv.org/help/api/user-manual.html)."""

import re
from collections.abc import Sequence
from typing import ClassVar
from xml.etree.ElementTree import Element

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.http.limits import RateLimit
from quaestor.tools.engines.response import InvalidResponse, clean_snippet, clean_title
from quaestor.tools.engines.safe_xml import element_text, parse_xml
from quaestor.tools.engines.service import Service
from quaestor.tools.engines.service_engine import ServiceEngine
from quaestor.tools.engines.text_fields import parse_leading_date

_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 30
_ERROR_PATH = "/api/errors"
"""Part of the id of the entry by which arXiv reports an error, mostly with status 200."""


class Arxiv(ServiceEngine):
    """Finds preprints by words of their titles, abstracts and authors; a `SearchEngine`."""

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
