from datetime import UTC, datetime

import pytest

from quaestor.app.watching.progress import build_narrator
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    BudgetWarned,
    Event,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    ToolCall,
    ToolsChosen,
)
from quaestor.faces.cli.events import format_event

SEARCH = ToolCall(ref="1", tool="search", given={"query": "fog\nbell"})


def asked(contract: str | None = None, tools: tuple[str, ...] = (), attempt: int = 1) -> ModelRequested:
    return ModelRequested(
        key="k",
        role="researcher",
        model="m",
        contract=contract,
        tools=tools,
        ordinal=1,
        attempt=attempt,
        given={},
    )


def answered(
    reply: str | None = None, error: str | None = None, calls: tuple[ToolCall, ...] = (), *, cached: bool = False
) -> ModelResponded:
    return ModelResponded(
        key="k",
        role="researcher",
        reply=reply,
        calls=calls,
        error=error,
        spend=Spend(),
        cached=cached,
        milliseconds=1,
    )


def chosen(calls: tuple[ToolCall, ...] = (), refused: tuple[str, ...] = ()) -> ToolsChosen:
    return ToolsChosen(key="k", role="researcher", calls=calls, refused=refused)


@pytest.mark.parametrize(
    ("payload", "gist"),
    [
        (asked("Reading"), "researcher is asked for Reading"),
        (asked("Reading", attempt=2), "researcher is asked for Reading, attempt 2"),
        (asked(tools=("search", "fetch")), "researcher is asked for calls of search, fetch"),
        (answered('{"findings": []}'), 'researcher: {"findings": []}'),
        (answered("", calls=(SEARCH,)), 'researcher: search query "fog\\nbell"'),
        (answered("{}", cached=True), "researcher: from cache; {}"),
        (answered(error="no answer\x1b within 3 s"), "t1: the researcher got no reply: no answer\ufffd within 3 s"),
        (chosen((SEARCH,)), 'researcher: search query "fog\\nbell"'),
        (
            chosen((SEARCH,), ("shell: no such tool",)),
            'researcher: search query "fog\\nbell"; refused: shell: no such tool',
        ),
        (chosen(), "researcher: no more calls"),
        (
            BudgetWarned(limit="dollars", allowed="0.080", used="0.0655"),
            "81 % of the dollars that gathering may use are spent: 0.0655 of 0.08",
        ),
    ],
)
def test_the_gist_of_an_event_says_what_was_asked_answered_and_chosen(payload: KnownPayload, gist: str) -> None:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    told = format_event(
        Event(session_id="s", seq=7, cycle=1, at=at, state="SCOUTING", todo_id="t1", payload=payload),
        build_narrator("research"),
    )
    assert told.startswith("    7  00:00:00.000  SCOUTING ")
    assert told.endswith(f"  {gist}")
