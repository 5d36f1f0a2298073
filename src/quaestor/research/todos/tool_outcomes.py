"""The outcomes of the tools that todos share: every search, page and server answer of the session, once.

Todos share outcomes, so an action's key is made of its input and not of the todo that wants it.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from hashlib import sha256
from typing import Literal

from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.mcp import INTERRUPTED, ConsultInput, McpToolSurvey
from quaestor.contracts.source import Hit, Sha256, Source
from quaestor.contracts.tools import SearchResults, SimilarWord
from quaestor.contracts.web import Link, Page, WebHit, WebResults
from quaestor.evidence.normalization import fold_case_and_blanks

_WEB_SEARCH_KEY = "web/"
"""The prefix of the keys of research's own web searches; those of a tool todo's task have another."""
_UNREADABLE = "its result cannot be read"
_DIGESTS = 4096
"""How many parts of keys are kept: each is asked for again after every event of a todo."""


class PassageSearchOutcome(Immutable):
    """The passages that came of one query, from the documents, from pages or from a server."""

    hits: tuple[Hit, ...] = ()
    error: str | None = None
    similar: tuple[SimilarWord, ...] = ()


class EngineSearchOutcome(Immutable):
    """What one engine found for one query."""

    hits: tuple[WebHit, ...] = ()
    error: str | None = None
    unavailable: bool = False
    """The engine was out of order, so what it would have found is not known."""
    retry_at: datetime | None = None
    """Until when it asks to be left alone."""


class FetchOutcome(Immutable):
    """A page that was read, or why it could not be."""

    source: Source | None = None
    links: tuple[Link, ...] = ()
    error: str | None = None


class ToolOutcomes(Immutable):
    """Outcomes by the key of their action."""

    searches: Mapping[str, PassageSearchOutcome] = field(default_factory=dict)
    found: Mapping[str, EngineSearchOutcome] = field(default_factory=dict)
    pages: Mapping[str, FetchOutcome] = field(default_factory=dict)
    surveys: Mapping[str, McpToolSurvey] = field(default_factory=dict)

    def fold(self, outcome: ToolResponded | ToolInterrupted) -> "ToolOutcomes":
        """Return the outcomes with one more; those of other tools change nothing.

        An interrupted run of a tool with side effects counts as failed, so that it is not run again.
        """
        key, result = outcome.key, outcome.result if isinstance(outcome, ToolResponded) else None
        error = outcome.error or _UNREADABLE if isinstance(outcome, ToolResponded) else INTERRUPTED
        match outcome.tool:
            case "survey":
                survey = result if isinstance(result, McpToolSurvey) else McpToolSurvey(failures=(error,))
                return replace(self, surveys={**self.surveys, key: survey})
            case "search" | "pick" | "consult" | "operate":
                passages = PassageSearchOutcome(error=error)
                if isinstance(result, SearchResults):
                    passages = PassageSearchOutcome(result.hits, similar=result.similar)
                return replace(self, searches={**self.searches, key: passages})
            case "search_web" | "web_search" if key.startswith(_WEB_SEARCH_KEY):  # the second name is of older logs
                found = EngineSearchOutcome(error=error)
                if isinstance(outcome, ToolResponded) and outcome.unavailable:
                    found = EngineSearchOutcome(error=error, unavailable=True, retry_at=outcome.retry_at)
                if isinstance(result, WebResults):
                    found = EngineSearchOutcome(result.hits)
                return replace(self, found={**self.found, key: found})
            case "fetch":
                page = FetchOutcome(error=error)
                if isinstance(result, Page):
                    page = FetchOutcome(result.source, result.links)
                return replace(self, pages={**self.pages, key: page})
            case _:
                return self

    def without_outages(self) -> "ToolOutcomes":
        """Return the outcomes without those of engines that were out of order, which may be asked again."""
        if not any(each.unavailable for each in self.found.values()):
            return self
        return replace(self, found={key: each for key, each in self.found.items() if not each.unavailable})

    def without_errors(self) -> "ToolOutcomes":
        """Return the outcomes without those that failed, for a new attempt."""
        return ToolOutcomes(
            searches={key: each for key, each in self.searches.items() if each.error is None},
            found={key: each for key, each in self.found.items() if each.error is None},
            pages={key: each for key, each in self.pages.items() if each.error is None},
            surveys=self.surveys,
        )

    def __contains__(self, key: str) -> bool:
        return any(key in outcomes for outcomes in (self.searches, self.found, self.pages, self.surveys))

    def similar_words(self, queries: Iterable[str] | None = None) -> tuple[SimilarWord, ...]:
        """Return the words in whose place others were searched, for some queries or for all, each once."""
        chosen = self.searches.values() if queries is None else map(self.searches.get, map(search_key, queries))
        return tuple(dict.fromkeys(word for one in chosen if one for word in one.similar))

    def search_error(self, key: str) -> str | None:
        """Return why a search of the documents or the web, or a call of a server, failed; or None."""
        answer = self.searches.get(key) or self.found.get(key)
        return answer.error if answer else None

    @property
    def asked(self) -> int:
        """Count the searches of the documents and of the web."""
        return len(self.found) + sum(key.startswith("search/") for key in self.searches)

    @property
    def read(self) -> frozenset[str]:
        """The keys of the pages and of the answers of servers that could be read."""
        answers = {key for key, one in self.searches.items() if one.hits and key.startswith(("consult/", "operate/"))}
        return frozenset(answers | {key for key, page in self.pages.items() if page.source})

    def page(self, url: str) -> FetchOutcome | None:
        """Return the outcome of fetching a page, or None while it was not fetched."""
        return self.pages.get(fetch_key(url))


def search_key(query: str) -> str:
    """Return the key of a query; queries that differ in case and white space only are the same."""
    return f"search/{_digest(fold_case_and_blanks(query))}"


def web_search_key(engine: str, query: str) -> str:
    """Return the key of a query to an engine."""
    return f"{_WEB_SEARCH_KEY}{engine}/{_digest(fold_case_and_blanks(query))}"


def fetch_key(url: str) -> str:
    """Return the key of a page."""
    return f"fetch/{_digest(url)}"


def pick_key(query: str, sources: Iterable[Sha256]) -> str:
    """Return the key of choosing passages of some pages for a query."""
    return f"pick/{_digest(fold_case_and_blanks(query), *sources)}"


def server_call_key(tool: Literal["consult", "operate"], given: ConsultInput) -> str:
    """Return the key of a call of a server's tool."""
    return f"{tool}/{_digest(given.call)}"


def survey_key(servers: Iterable[str]) -> str:
    """Return the key of asking servers for their tools."""
    return f"survey/{_digest(*servers)}"


@lru_cache(maxsize=_DIGESTS)
def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:16]
