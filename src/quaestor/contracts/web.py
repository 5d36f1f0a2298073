"""What the tools of the web are given and what they give back."""

from datetime import date

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256, Source


class WebSearchInput(Contract):
    """For one search engine."""

    query: str = Field(min_length=1)
    limit: int = Field(default=10, ge=1, le=50)
    before: date | None = Field(default=None, description="Wanted are pages published on this day or earlier.")


class SearchWebInput(WebSearchInput):
    """For the web search tool: what to search for, and with which engine."""

    engine: str = Field(default="", description="Without one, each in turn until one finds pages.")


class WebHit(Contract):
    """A hit of a search engine."""

    url: str
    title: str = ""
    snippet: str = Field(default="", description="The engine's words or an abstract; never cited, only weighed.")
    published: date | None = None


class WebResults(Contract):
    """The pages an engine found, best first."""

    hits: tuple[WebHit, ...] = ()


class FetchInput(Contract):
    """For the fetch tool: one page to read."""

    url: str = Field(min_length=1)


class Link(Contract):
    """A link of a page, with its text."""

    url: str = Field(description="Absolute, without a fragment.")
    text: str = ""


class Page(Contract):
    """A page whose text is stored now, and the links it holds, in order and each once."""

    source: Source
    links: tuple[Link, ...] = ()


class PickInput(Contract):
    """For the pick tool: passages of stored sources that fit a query."""

    query: str = Field(min_length=1)
    sources: tuple[Sha256, ...]
    limit: int = Field(default=6, ge=1, le=50)
