from typing import ClassVar

import pytest
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.ports import SearchEngine
from quaestor.contracts.tools import AnyTool
from quaestor.contracts.web import EngineSearchInput, WebHit, WebResults, WebSearchInput
from quaestor.tools.engines import QuerySearchEngine


class Echo:
    name: ClassVar[str] = "echo"

    async def search(self, given: WebSearchInput) -> WebResults:
        return WebResults(hits=(WebHit(url="https://pages.example/1", title=f"{given.query} {given.limit}"),))

    async def close(self) -> None:
        pass


class Mute(Echo):
    name: ClassVar[str] = "mute"

    @override
    async def search(self, given: WebSearchInput) -> WebResults:
        raise ToolFailed(f"mute says nothing of {given.query}")


ENGINES: tuple[SearchEngine, ...] = (Echo(), Mute())
TOOL: AnyTool = QuerySearchEngine(ENGINES)


async def test_a_search_is_answered_by_the_engine_it_names() -> None:
    results = await QuerySearchEngine(ENGINES).run(EngineSearchInput(engine="echo", query="zinc", limit=3))
    assert [hit.title for hit in results.hits] == ["zinc 3"]
    with pytest.raises(ToolFailed, match="mute says nothing of zinc"):
        await TOOL.run(EngineSearchInput(engine="mute", query="zinc"))


async def test_an_engine_that_the_run_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(ToolFailed, match="no engine 'bing'; it has echo, mute"):
        await TOOL.run(EngineSearchInput(engine="bing", query="zinc"))
