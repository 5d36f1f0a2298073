"""Searching the web for a task."""

from collections.abc import Sequence
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Engine
from quaestor.contracts.web import WebResults, WebSearchGiven


class SearchWeb:
    """Asks the engines of a run one after the other until one finds something; a `Tool`."""

    name: ClassVar[str] = "search_web"
    description: ClassVar[str] = "Finds pages of the web; give it a few telling words."
    takes: ClassVar[type[Noun]] = WebSearchGiven
    gives: ClassVar[type[Noun]] = WebResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, engines: Sequence[Engine]) -> None:
        self._engines = engines

    async def run(self, given: Noun) -> WebResults:
        """Give the pages that were found, best first. Raises ToolFailed when no engine gives an answer."""
        if not isinstance(given, WebSearchGiven):
            raise ToolFailed(f"search_web takes a WebSearchGiven, not a {type(given).__name__}; give it a query")
        faults: list[str] = []
        for engine in self._engines:
            try:
                found = await engine.search(given)
            except ToolFailed as error:
                faults.append(f"{engine.name}: {error}")
                continue
            if found.hits:
                return found.model_copy(update={"hits": found.hits[: given.limit]})
        if faults and len(faults) == len(self._engines):
            raise ToolFailed("; ".join(faults))
        if not self._engines:
            raise ToolFailed("this run has no search engine; name one, or leave search_web out")
        return WebResults()
