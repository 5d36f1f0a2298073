from typing import ClassVar

import pytest
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.ports import Engine, Tool
from quaestor.contracts.web import AskEngine, FetchGiven, WebHit, WebResults, WebSearchGiven
from quaestor.tools.engines import WebSearch


class Echo:
    name: ClassVar[str] = "echo"

    async def search(self, given: WebSearchGiven) -> WebResults:
        return WebResults(hits=(WebHit(url="https://pages.example/1", title=f"{given.query} {given.limit}"),))

    async def close(self) -> None:
        pass


class Mute(Echo):
    name: ClassVar[str] = "mute"

    @override
    async def search(self, given: WebSearchGiven) -> WebResults:
        raise ToolFailed(f"mute says nothing of {given.query}")


ENGINES: tuple[Engine, ...] = (Echo(), Mute())
TOOL: Tool = WebSearch(ENGINES)


async def test_a_search_is_answered_by_the_engine_it_names() -> None:
    results = await WebSearch(ENGINES).run(AskEngine(engine="echo", query="zinc", limit=3))
    assert [hit.title for hit in results.hits] == ["zinc 3"]
    with pytest.raises(ToolFailed, match="mute says nothing of zinc"):
        await TOOL.run(AskEngine(engine="mute", query="zinc"))


async def test_an_engine_that_the_run_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(ToolFailed, match="no engine 'bing'; it has echo, mute"):
        await TOOL.run(AskEngine(engine="bing", query="zinc"))


async def test_something_else_is_refused() -> None:
    with pytest.raises(ToolFailed, match="takes an AskEngine, not a FetchGiven"):
        await TOOL.run(FetchGiven(url="https://pages.example/1"))
