"""Search engines as a tool."""

from collections.abc import Iterable
from typing import ClassVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.noun import Noun
from quaestor.contracts.ports import Engine
from quaestor.contracts.web import AskEngine, WebResults, WebSearchGiven


class WebSearch:
    """Searches with one of a run's engines; a `Tool`."""

    name: ClassVar[str] = "web_search"
    description: ClassVar[str] = "Finds pages with a search engine; give it a few telling words."
    takes: ClassVar[type[Noun]] = AskEngine
    gives: ClassVar[type[Noun]] = WebResults
    repeatable: ClassVar[bool] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, engines: Iterable[Engine]) -> None:
        self._engines = {engine.name: engine for engine in engines}

    async def run(self, given: Noun) -> WebResults:
        """Give the pages the engine finds, best first. Raises ToolFailed when it gives no answer."""
        if not isinstance(given, AskEngine):
            raise ToolFailed(f"web_search takes an AskEngine, not a {type(given).__name__}; name an engine and a query")
        engine = self._engines.get(given.engine)
        if engine is None:
            known = ", ".join(self._engines) or "none"
            raise ToolFailed(f"this run has no engine {given.engine!r}; it has {known}")
        return await engine.search(WebSearchGiven(query=given.query, limit=given.limit, before=given.before))
