"""Preprints on arXiv (info.arxiv.org/help/api/user-manual.html)."""

import re
from collections.abc import Sequence
from typing import ClassVar
from xml.etree.ElementTree import Element

from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchGiven
from quaestor.evidence.stopwords import STOP_WORDS
from quaestor.tools.engines.access import Pace, Service
from quaestor.tools.engines.days import day
from quaestor.tools.engines.engine import ServiceEngine
from quaestor.tools.engines.markup import parse, words
from quaestor.tools.engines.shape import Misshapen, snippet, title

_WORD = re.compile(r"[^\W_]+")
_MOST_WORDS = 30
_ERRORS = "/api/errors"
"""An error comes as an entry with such an address, mostly under status 200."""


class Arxiv(ServiceEngine):
    """Finds preprints by words of their titles, abstracts and authors; an `Engine`."""

    name: ClassVar[str] = "arxiv"
    service: ClassVar[Service] = Service(
        base_url="https://export.arxiv.org/api",
        url_variable="ARXIV_BASE_URL",
        pace=Pace(between=3.0, in_flight=1, backoff=3.0),  # one every three seconds, one at a time
    )

    @override
    async def _find(self, given: WebSearchGiven) -> Sequence[WebHit]:
        query = asked(given)
        if not query:
            return ()
        body = await self._exchange.get(
            "query", {"search_query": query, "start": 0, "max_results": given.limit, "sortBy": "relevance"}
        )
        try:
            entries = parse(body, "feed").findall("entry")
        except Misshapen as misshapen:
            raise self._exchange.misshapen(misshapen, body) from misshapen
        for entry in entries:
            if _ERRORS in entry.findtext("id", ""):
                raise ToolFailed(f"arxiv refused the query {query!r}: {snippet(entry.findtext('summary', ''))}")
        return [_hit(entry) for entry in entries]


def asked(given: WebSearchGiven) -> str:
    """Give the query as arXiv takes it: any of the words that carry a subject, best matches first.

    Empty where there is no word at all.
    """
    all_words = _WORD.findall(given.query)
    telling = [word for word in all_words if word.casefold() not in STOP_WORDS] or all_words
    query = " OR ".join(f"all:{word}" for word in dict.fromkeys(telling[:_MOST_WORDS]))
    if query and given.before:
        return f"({query}) AND submittedDate:[199001010000 TO {given.before:%Y%m%d}2359]"
    return query


def _hit(entry: Element) -> WebHit:
    return WebHit(
        url=entry.findtext("id", "").strip().replace("http://", "https://", 1),
        title=title(words(entry.find("title"))),
        snippet=snippet(words(entry.find("summary"))),
        published=day(entry.findtext("published", "")),
    )
