"""What the tools of the research workflow are given and what they give back."""

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Hit


class SearchInput(Contract):
    """For the search tool."""

    query: str = Field(min_length=1)
    limit: int = Field(default=6, ge=1, le=50)


class SearchResults(Contract):
    """The hits of one query, best first."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[str, ...] = Field(default=(), description="What the search had to do without, and why.")
