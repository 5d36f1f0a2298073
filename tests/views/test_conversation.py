from pydantic import JsonValue

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    Answered,
    ContractAccepted,
    CycleStarted,
    KnownPayload,
    QuestionAsked,
    Resumed,
    SessionFinished,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.research.events import PlanReviewed
from quaestor.views.conversation import ConversationLine, build_conversation
from views.test_spend import log


def said(*facts: KnownPayload) -> list[ConversationLine]:
    """Return the conversation of a session in which this happened, after its first question."""
    first, *lines = build_conversation(log(*(("EXECUTING", fact) for fact in facts)))
    assert first == ConversationLine(seq=1, speaker="user", name="user", content="why?")
    return lines


def searching(key: str = "search/1", tool: str = "search") -> ToolRequested:
    return ToolRequested(key=key, tool=tool, repeatable=True, given={"query": "fog"})


def found(key: str = "search/1", error: str | None = None) -> ToolResponded:
    result: JsonValue = None if error else {"hits": []}
    return ToolResponded(key=key, tool="search", result=result, error=error, spend=Spend(), milliseconds=1)


def shown(lines: list[ConversationLine]) -> list[tuple[str, str, str | None]]:
    return [(line.speaker, line.name, line.ref) for line in lines]


def test_what_people_say_is_told_in_order_from_the_first_question_on() -> None:
    lines = said(
        QuestionAsked(ref="ask/1", kind="clarification", questions=("Which?", "When?"), agent="clarifier"),
        Answered(ref="ask/1", text="the big one"),
        SessionFinished(outcome="done", statement="The report was written."),
        CycleStarted(why="question", question="And then?"),
        CycleStarted(why="refresh"),
    )
    assert lines == [
        ConversationLine(seq=2, speaker="model", name="clarifier", ref="ask/1", content=["Which?", "When?"]),
        ConversationLine(seq=3, speaker="user", name="user", ref="ask/1", content="the big one"),
        ConversationLine(seq=4, speaker="model", name="quaestor", content="The report was written."),
        ConversationLine(seq=5, speaker="user", name="user", content="And then?"),
    ]


def test_what_a_model_answered_is_told_under_the_ref_of_its_call() -> None:
    [line] = said(ContractAccepted(key="plan", role="planner", contract="PlanDraft", output={"todos": []}))
    assert line == ConversationLine(seq=2, speaker="model", name="planner", ref="plan", content={"todos": []})


def test_a_tool_that_gave_something_and_one_that_failed_are_matched_to_their_requests() -> None:
    lines = said(searching("a"), searching("b"), found("b", error="no network"), found("a"))
    assert shown(lines) == [
        ("tool_request", "search", "a"),
        ("tool_request", "search", "b"),
        ("tool_response", "search", "b"),
        ("tool_response", "search", "a"),
    ]
    assert [line.content for line in lines] == [
        {"query": "fog"},
        {"query": "fog"},
        {"error": "no network"},
        {"hits": []},
    ]


def test_a_tool_that_was_stopped_or_cut_off_is_answered_with_nothing() -> None:
    lines = said(
        searching("a"),
        searching("b", "operate"),
        ActionCancelled(key="a"),
        ActionCancelled(key="todo/t1/read/1"),
        ToolInterrupted(key="b", tool="operate"),
    )
    assert shown(lines[2:]) == [("tool_response", "search", "a"), ("tool_response", "operate", "b")]
    assert [line.content for line in lines[2:]] == [None, None]


def test_a_tool_that_a_crash_let_run_again_is_told_once() -> None:
    lines = said(searching(), Resumed(after="crash", reopened=("search/1",)), searching(), found())
    assert shown(lines) == [("tool_request", "search", "search/1"), ("tool_response", "search", "search/1")]


def test_a_tool_that_runs_again_later_is_told_again() -> None:
    lines = said(searching("recheck/1"), found("recheck/1"), searching("recheck/1"), found("recheck/1"))
    assert [line.speaker for line in lines] == ["tool_request", "tool_response"] * 2


def test_what_is_in_flight_waits_for_its_response() -> None:
    assert shown(said(searching())) == [("tool_request", "search", "search/1")]


def test_what_nobody_says_is_no_line() -> None:
    assert said(PlanReviewed(review="confirmed"), Resumed(after="pause")) == []
    assert list(build_conversation([])) == []
