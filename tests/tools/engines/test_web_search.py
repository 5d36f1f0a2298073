from datetime import date
from typing import ClassVar

import pytest
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.report_settings import SourceBounds
from quaestor.contracts.web import SearchWebInput, WebHit, WebResults, WebSearchInput
from quaestor.tools.engines import SearchWeb


class Echo:
    """An engine that finds as many pages as it is told to."""

    name: ClassVar[str] = "echo"

    def __init__(self, pages: int = 1) -> None:
        self._pages = pages

    async def search(self, given: WebSearchInput) -> WebResults:
        return WebResults(
            hits=(WebHit(url=f"https://pages.example/{given.query}", title=str(given.limit)),) * self._pages
        )

    async def close(self) -> None:
        pass


class Silent(Echo):
    """An engine that finds nothing."""

    name: ClassVar[str] = "silent"

    @override
    async def search(self, given: WebSearchInput) -> WebResults:
        return WebResults()


class Mute(Echo):
    """An engine that gives no answer."""

    name: ClassVar[str] = "mute"

    @override
    async def search(self, given: WebSearchInput) -> WebResults:
        raise ToolFailed(f"no answer for {given.query}")


async def test_a_search_is_answered_by_the_engine_it_names() -> None:
    tool = SearchWeb([Mute(), Echo()])
    results = await tool.run(SearchWebInput(engine="echo", query="zinc", limit=3))
    assert [(hit.url, hit.title) for hit in results.hits] == [("https://pages.example/zinc", "3")]
    with pytest.raises(ToolFailed, match="no answer for zinc"):
        await tool.run(SearchWebInput(engine="mute", query="zinc"))


async def test_an_engine_that_the_run_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(ToolFailed, match="no engine 'bing'; it has echo, mute"):
        await SearchWeb([Echo(), Mute()]).run(SearchWebInput(engine="bing", query="zinc"))


async def test_without_an_engine_the_first_that_finds_pages_answers_with_as_many_as_were_asked_for() -> None:
    found = await SearchWeb([Mute(), Silent(), Echo(5)]).run(SearchWebInput(query="zinc", limit=2))
    assert [hit.url for hit in found.hits] == ["https://pages.example/zinc"] * 2


class Dated(Echo):
    """An engine that finds a page of each of two hosts, and one of each of two years."""

    name: ClassVar[str] = "dated"

    @override
    async def search(self, given: WebSearchInput) -> WebResults:
        urls = ("https://a.example/1", "https://www.b.example/2", "https://b.example/3", "https://b.example/4")
        days = (date(2024, 1, 1), date(2024, 1, 1), date(2026, 1, 1), None)
        return WebResults(hits=tuple(WebHit(url=url, published=day) for url, day in zip(urls, days, strict=True)))


async def test_pages_out_of_the_bounds_of_a_run_are_left_out_by_domain_and_by_date() -> None:
    bounds = SourceBounds(allowed_domains=("b.example",), as_of=date(2025, 1, 1))
    asked = SearchWebInput(query="zinc")
    for query in (asked, asked.revised(engine="dated")):
        found = await SearchWeb([Dated()], bounds).run(query)
        assert [hit.url for hit in found.hits] == ["https://www.b.example/2", "https://b.example/4"]
    denied = SourceBounds(denied_domains=("a.example", "b.example"))
    found = await SearchWeb([Dated(), Echo()], denied).run(asked)
    assert [hit.url for hit in found.hits] == ["https://pages.example/zinc"]


async def test_nothing_found_is_no_error() -> None:
    assert (await SearchWeb([Mute(), Silent()]).run(SearchWebInput(query="zinc"))).hits == ()


@pytest.mark.parametrize(("engines", "reason"), [([], "no search engine"), ([Mute()], "mute: no answer for zinc")])
async def test_when_no_engine_answers_the_reasons_are_given(engines: list[Echo], reason: str) -> None:
    with pytest.raises(ToolFailed, match=reason):
        await SearchWeb(engines).run(SearchWebInput(query="zinc"))
