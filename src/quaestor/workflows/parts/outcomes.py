"""What the tools have given in this session, every search, every page and every answer of a server once, whoever asked.

Todos share outcomes, so an action's key follows from what is asked and not from who asks it.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Literal

from pydantic import JsonValue

from quaestor.contracts.event import ToolInterrupted, ToolResponded
from quaestor.contracts.mcp import INTERRUPTED, ConsultGiven, Survey
from quaestor.contracts.noun import Noun
from quaestor.contracts.source import Hit, Sha256, Source
from quaestor.contracts.tools import SearchResults
from quaestor.contracts.web import Link, Page, WebHit, WebResults


class Searched(Noun):
    """The passages that came of one query, from the documents, from pages or from a server."""

    hits: tuple[Hit, ...] = ()
    error: str | None = None


class Found(Noun):
    """What one engine found for one query."""

    hits: tuple[WebHit, ...] = ()
    error: str | None = None


class Fetched(Noun):
    """A page that was read, or why it could not be."""

    source: Source | None = None
    links: tuple[Link, ...] = ()
    error: str | None = None


class Outcomes(Noun):
    """Outcomes by the key of their action."""

    searches: Mapping[str, Searched] = {}
    found: Mapping[str, Found] = {}
    pages: Mapping[str, Fetched] = {}
    surveys: Mapping[str, Survey] = {}

    def after(self, outcome: ToolResponded | ToolInterrupted) -> "Outcomes":
        """Give the outcomes with one more; those of other tools change nothing.

        An interrupted run of a tool that may change something has failed, so that nobody wants it again.
        """
        key, (result, error) = outcome.key, _came(outcome)
        match outcome.tool:
            case "survey":
                survey = Survey(failures=(error,)) if error else Survey.model_validate(result)
                return self.model_copy(update={"surveys": {**self.surveys, key: survey}})
            case "search" | "pick" | "consult" | "operate":
                searched = Searched(error=error) if error else Searched(hits=SearchResults.model_validate(result).hits)
                return self.model_copy(update={"searches": {**self.searches, key: searched}})
            case "web_search":
                found = Found(error=error) if error else Found(hits=WebResults.model_validate(result).hits)
                return self.model_copy(update={"found": {**self.found, key: found}})
            case "fetch":
                page = None if error else Page.model_validate(result)
                fetched = Fetched(source=page.source, links=page.links) if page else Fetched(error=error)
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

    def page(self, url: str) -> Fetched | None:
        """Give what came of fetching a page, or None while it was not fetched."""
        return self.pages.get(fetch_key(url))


def _came(outcome: ToolResponded | ToolInterrupted) -> tuple[JsonValue, str | None]:
    """Give the result of a tool, or the error."""
    match outcome:
        case ToolResponded(result=result, error=error):
            return result, error
        case ToolInterrupted():
            return None, INTERRUPTED


def search_key(query: str) -> str:
    """Give the key of a query; queries that differ in case and white space only are the same."""
    return f"search/{_name(_plain(query))}"


def web_key(engine: str, query: str) -> str:
    """Give the key of a query to an engine."""
    return f"web/{engine}/{_name(_plain(query))}"


def fetch_key(url: str) -> str:
    """Give the key of a page."""
    return f"fetch/{_name(url)}"


def pick_key(query: str, sources: Iterable[Sha256]) -> str:
    """Give the key of choosing passages of some pages for a query."""
    return f"pick/{_name(_plain(query), *sources)}"


def call_key(tool: Literal["consult", "operate"], given: ConsultGiven) -> str:
    """Give the key of a call of a server's tool."""
    return f"{tool}/{_name(given.call)}"


def survey_key(servers: Iterable[str]) -> str:
    """Give the key of asking servers for their tools."""
    return f"survey/{_name(*servers)}"


def _plain(query: str) -> str:
    return " ".join(query.casefold().split())


def _name(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:16]
