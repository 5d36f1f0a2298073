"""A search engine over the pages of a handbook."""

from collections.abc import Mapping
from typing import ClassVar

from quaestor.contracts.errors import SetupError
from quaestor.contracts.web import WebHit, WebResults, WebSearchInput

PAGES = {"Holidays": "How many days there are.", "Travel": "Who books trains."}


class Handbook:
    """Finds pages of the company's handbook."""

    name: ClassVar[str] = "handbook"

    def __init__(self, environment: Mapping[str, str]) -> None:
        if not environment.get("HANDBOOK_URL"):
            raise SetupError("handbook needs an address: set HANDBOOK_URL")
        self._base = environment["HANDBOOK_URL"]

    async def search(self, given: WebSearchInput) -> WebResults:
        """Return the pages that contain a word of the query."""
        asked = set(given.query.casefold().split())
        hits = (
            WebHit(url=f"{self._base}/{title.casefold()}", title=title, snippet=text)
            for title, text in PAGES.items()
            if asked & set(f"{title} {text}".casefold().split())
        )
        return WebResults(hits=tuple(hits)[: given.limit])

    async def close(self) -> None:
        """Do nothing, because there is no connection."""
