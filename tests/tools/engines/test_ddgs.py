"""The engine over the library ddgs. Not tested: that public engines answer as the library reads them."""

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.web import WebHit, WebSearchInput
from quaestor.tools.engines.keyless_web import Ddgs

GIVEN = WebSearchInput(query="the price of zinc", limit=3, before=date(2024, 6, 30))


def finding(*found: Mapping[str, object]) -> Ddgs:
    return Ddgs({}, lambda _, __: found)


def page(number: int) -> Mapping[str, object]:
    return {"href": f"https://pages.example/{number}", "title": f"Page {number}", "body": "The <b>price</b> &amp; more"}


def hit(number: int) -> WebHit:
    return WebHit(url=f"https://pages.example/{number}", title=f"Page {number}", snippet="The price & more")


async def test_hits_come_in_order_and_not_more_than_wanted() -> None:
    found = (await finding(page(2), page(1), page(2), page(4), page(5)).search(GIVEN)).hits
    assert found == (hit(2), hit(1), hit(4))


async def test_the_query_and_the_limit_are_handed_on() -> None:
    asked: list[tuple[str, int]] = []

    def finder(query: str, limit: int) -> Sequence[Mapping[str, object]]:
        asked.append((query, limit))
        return ()

    assert (await Ddgs({}, finder).search(GIVEN)).hits == ()
    assert asked == [("the price of zinc", 3)]


async def test_only_pages_of_the_web_are_given() -> None:
    found = (await finding({"href": "javascript:alert(1)"}, {"href": None}, page(1)).search(GIVEN)).hits
    assert found == (hit(1),)


async def test_hits_of_another_shape_fail_the_search() -> None:
    with pytest.raises(ToolFailed, match="ddgs gave 1 hits without 'href'"):
        await finding({"url": "https://pages.example/1"}).search(GIVEN)


async def test_what_the_library_cannot_reach_fails_the_search() -> None:
    pytest.importorskip("ddgs")
    engine = Ddgs({"DDGS_PROXY": "http://127.0.0.1:9"})
    with pytest.raises(ToolFailed, match="ddgs gave no answer"):
        await engine.search(GIVEN)
    await engine.close()
