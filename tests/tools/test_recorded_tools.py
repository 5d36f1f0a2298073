from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from pydantic import JsonValue

from fakes.findings import hit, source
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import ReplayMiss, SetupError, ToolFailed
from quaestor.contracts.event import Event, KnownPayload, ToolRequested, ToolResponded, UnknownPayload
from quaestor.contracts.tools import AnyTool, SearchInput, SearchResults
from quaestor.contracts.web import FetchInput, Page, SearchWebInput, WebHit, WebResults
from quaestor.research.events import TodoStarted
from quaestor.tools.engines import SearchWeb
from quaestor.tools.fetch.fetch_page import FetchPage
from quaestor.tools.passage_search import SearchPassages
from quaestor.tools.recorded_tools import RecordedFetch, RecordedSearch, RecordedWebSearch

FOUND = SearchResults(hits=(hit("The lighthouse was built in 1831."), hit("It stands on the mole.")))
LIGHT, BELL = SearchInput(query="lighthouse"), SearchInput(query="bell")


def asked(key: str, given: Contract, tool: str = "search") -> ToolRequested:
    return ToolRequested(key=key, tool=tool, repeatable=True, given=given.model_dump(mode="json"))


def gave(key: str, found: Contract | str, tool: str = "search") -> ToolResponded:
    result: JsonValue = None if isinstance(found, str) else found.model_dump(mode="json")
    return ToolResponded(
        key=key,
        tool=tool,
        result=result,
        error=found if isinstance(found, str) else None,
        spend=SearchPassages.spend,
        milliseconds=1,
    )


def log(*payloads: KnownPayload | UnknownPayload) -> Sequence[Event]:
    noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
    return [
        Event(session_id="s1", seq=seq, cycle=1, at=noon, state="SEARCHING", payload=payload)
        for seq, payload in enumerate(payloads, 1)
    ]


def recorded(*payloads: KnownPayload | UnknownPayload) -> RecordedSearch:
    return RecordedSearch("s1", log(*payloads))


async def test_a_recorded_query_gives_the_hits_that_it_gave() -> None:
    tool = recorded(asked("a", LIGHT), asked("b", BELL), gave("b", SearchResults()), gave("a", FOUND))
    assert await tool.run(LIGHT) == FOUND
    assert await tool.run(BELL) == SearchResults()


async def test_it_may_be_asked_again_and_again() -> None:
    tool = recorded(asked("a", LIGHT), gave("a", FOUND))
    assert [await tool.run(LIGHT), await tool.run(LIGHT)] == [FOUND, FOUND]


async def test_a_recorded_error_comes_again_in_its_words() -> None:
    with pytest.raises(ToolFailed, match=r"^no answer within 5 s$"):
        await recorded(asked("a", LIGHT), gave("a", "no answer within 5 s")).run(LIGHT)


@pytest.mark.parametrize(
    "payloads",
    [
        (),
        (asked("a", BELL), gave("a", FOUND)),
        (asked("a", SearchInput(query="Lighthouse")), gave("a", FOUND)),
        (asked("a", LIGHT.model_copy(update={"limit": 7})), gave("a", FOUND)),
        (asked("a", LIGHT),),
        (gave("a", FOUND), asked("a", LIGHT)),
        (asked("a", LIGHT), gave("b", FOUND)),
        (asked("a", LIGHT, tool="prove"), gave("a", FOUND, tool="prove")),
        (TodoStarted(), UnknownPayload(type="dreamt", stored_version=3, body="{}")),
    ],
)
async def test_what_is_not_answered_in_the_log_is_not_searched_for(
    payloads: tuple[KnownPayload | UnknownPayload, ...],
) -> None:
    with pytest.raises(ReplayMiss, match=r"the log of session s1 has no search for .*lighthouse") as caught:
        await recorded(*payloads).run(LIGHT)
    assert isinstance(caught.value, SetupError)


async def test_a_query_is_known_in_the_log_of_an_older_release_that_left_out_what_was_usual() -> None:
    plain = asked("a", LIGHT).model_copy(update={"given": {"query": "lighthouse"}})
    assert await recorded(plain, gave("a", FOUND)).run(LIGHT) == FOUND


async def test_a_query_that_was_cut_off_and_run_again_gives_what_came_in_the_end() -> None:
    tool = recorded(asked("a", LIGHT), asked("a", LIGHT), gave("a", FOUND))
    assert await tool.run(LIGHT) == FOUND


async def test_each_tool_is_answered_from_its_own_calls() -> None:
    asks = SearchWebInput(query="lighthouse", engine="wikipedia")
    page = FetchInput(url="https://aldmouth.example/lights")
    found = WebResults(hits=(WebHit(url=page.url),))
    read = Page(source=source("The lighthouse was built in 1831."))
    events = log(
        asked("a", LIGHT),
        asked("b", asks, tool="search_web"),
        asked("c", page, tool="fetch"),
        gave("c", read, tool="fetch"),
        gave("b", found, tool="search_web"),
        gave("a", FOUND),
    )
    assert await RecordedSearch("s1", events).run(LIGHT) == FOUND
    assert await RecordedWebSearch("s1", events).run(asks) == found
    assert await RecordedFetch("s1", events).run(page) == read
    with pytest.raises(ReplayMiss, match=r"has no search_web for .*brave"):
        await RecordedWebSearch("s1", events).run(asks.model_copy(update={"engine": "brave"}))
    with pytest.raises(ReplayMiss, match=r"has no fetch for .*bells"):
        await RecordedFetch("s1", events).run(FetchInput(url="https://aldmouth.example/bells"))


async def test_a_tool_is_answered_from_a_log_that_has_an_older_name_for_it() -> None:
    asks = SearchWebInput(query="lighthouse", engine="wikipedia")
    found = WebResults(hits=(WebHit(url="https://aldmouth.example/lights"),))
    events = log(asked("b", asks, tool="web_search"), gave("b", found, tool="web_search"))
    assert await RecordedWebSearch("s1", events).run(asks) == found


@pytest.mark.parametrize(
    ("again", "first"),
    [(RecordedSearch, SearchPassages), (RecordedWebSearch, SearchWeb), (RecordedFetch, FetchPage)],
)
def test_to_a_workflow_and_a_budget_it_is_the_tool_that_it_stands_for(
    again: type[AnyTool], first: type[AnyTool]
) -> None:
    for field in ("name", "input_type", "output_type", "repeatable", "spend"):
        assert getattr(again, field) == getattr(first, field)
