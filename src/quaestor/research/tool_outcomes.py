"""What the tools have given in this session, every search, every page and every answer of a server once, whoever asked.

Todos share outcomes, so an action's key follows from what is asked and not from who asks it.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal

from quaestor.contracts.base import Contract
from quaestor.contracts.event import ToolInterrupted, ToolResponded, Value
from quaestor.contracts.mcp import INTERRUPTED, ConsultInput, McpToolSurvey
from quaestor.contracts.source import Hit, Sha256, Source
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.web import Link, Page, WebHit, WebResults


class PassageSearchOutcome(Contract):
    """The passages that came of one query, from the documents, from pages or from a server."""

    hits: tuple[Hit, ...] = ()
    error: str | None = None


class EngineSearchOutcome(Contract):
    """What one engine found for one query."""

    hits: tuple[WebHit, ...] = ()
    error: str | None = None


class FetchOutcome(Contract):
    """A page that was read, or why it could not be."""

    source: Source | None = None
    links: tuple[Link, ...] = ()
    error: str | None = None


class ToolOutcomes(Contract):
    """Outcomes by the key of their action."""

    searches: Mapping[str, PassageSearchOutcome] = {}
    found: Mapping[str, EngineSearchOutcome] = {}
    pages: Mapping[str, FetchOutcome] = {}
    surveys: Mapping[str, McpToolSurvey] = {}

    def after(self, outcome: ToolResponded | ToolInterrupted) -> "ToolOutcomes":
        """Give the outcomes with one more; those of other tools change nothing.

        An interrupted run of a tool that may change something has failed, so that nobody wants it again.
        """
        key, (result, error) = outcome.key, _result_or_error(outcome)
        match outcome.tool:
            case "survey":
                survey = McpToolSurvey(failures=(error,)) if error else McpToolSurvey.model_validate(result)
                return self.model_copy(update={"surveys": {**self.surveys, key: survey}})
            case "search" | "pick" | "consult" | "operate":
                searched = (
                    PassageSearchOutcome(error=error)
                    if error
                    else PassageSearchOutcome(hits=SearchResults.model_validate(result).hits)
                )
                return self.model_copy(update={"searches": {**self.searches, key: searched}})
            case "search_web" | "web_search" if key.startswith(_WEB_SEARCH_KEY):  # the second name is of older logs
                found = (
                    EngineSearchOutcome(error=error)
                    if error
                    else EngineSearchOutcome(hits=WebResults.model_validate(result).hits)
                )
                return self.model_copy(update={"found": {**self.found, key: found}})
            case "fetch":
                page = None if error else Page.model_validate(result)
                fetched = FetchOutcome(source=page.source, links=page.links) if page else FetchOutcome(error=error)
                return self.model_copy(update={"pages": {**self.pages, key: fetched}})
            case _:
                return self

    def __contains__(self, key: str) -> bool:
        return any(key in outcomes for outcomes in (self.searches, self.found, self.pages, self.surveys))

    def search_error(self, key: str) -> str | None:
        """Say why a search of the documents or the web, or a call of a server, failed; or None."""
        answer = self.searches.get(key) or self.found.get(key)
        return answer.error if answer else None

    @property
    def asked(self) -> int:
        """Count the searches of the documents and of the web."""
        return len(self.found) + sum(key.startswith("search/") for key in self.searches)

    @property
    def read(self) -> int:
        """Count the pages and the answers of servers that could be read."""
        answers = sum(bool(one.hits) for key, one in self.searches.items() if key.startswith(("consult/", "operate/")))
        return answers + sum(page.source is not None for page in self.pages.values())

    def page(self, url: str) -> FetchOutcome | None:
        """Give what came of fetching a page, or None while it was not fetched."""
        return self.pages.get(fetch_key(url))


def _result_or_error(outcome: ToolResponded | ToolInterrupted) -> tuple[Value, str | None]:
    """Give the result of a tool, or the error."""
    match outcome:
        case ToolResponded(result=result, error=error):
            return result, error
        case ToolInterrupted():
            return None, INTERRUPTED


def search_key(query: str) -> str:
    """Give the key of a query; queries that differ in case and white space only are the same."""
    return f"search/{_digest(_normalize(query))}"


_WEB_SEARCH_KEY = "web/"
"""How the keys of research's own web searches begin; the rounds of a tool todo have keys of their own."""


def web_search_key(engine: str, query: str) -> str:
    """Give the key of a query to an engine."""
    return f"{_WEB_SEARCH_KEY}{engine}/{_digest(_normalize(query))}"


def fetch_key(url: str) -> str:
    """Give the key of a page."""
    return f"fetch/{_digest(url)}"


def pick_key(query: str, sources: Iterable[Sha256]) -> str:
    """Give the key of choosing passages of some pages for a query."""
    return f"pick/{_digest(_normalize(query), *sources)}"


def server_call_key(tool: Literal["consult", "operate"], given: ConsultInput) -> str:
    """Give the key of a call of a server's tool."""
    return f"{tool}/{_digest(given.call)}"


def survey_key(servers: Iterable[str]) -> str:
    """Give the key of asking servers for their tools."""
    return f"survey/{_digest(*servers)}"


def _normalize(query: str) -> str:
    return " ".join(query.casefold().split())


def _digest(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:16]
