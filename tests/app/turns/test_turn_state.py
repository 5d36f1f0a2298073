"""Turns of a session, folded from its log: where each begins, what belongs to it, and how it ends."""

from datetime import UTC, datetime

from pydantic import JsonValue

from quaestor.app.turns.turn_state import SessionTurns, TurnState, fold_turn, fold_turns
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    Answered,
    CorePayload,
    CycleStarted,
    Event,
    Labelled,
    ModelResponded,
    Paused,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolRequested,
    ToolResponded,
)

AT = datetime(2026, 3, 1, tzinfo=UTC)
STARTED = SessionStarted(question="When?", workflow="research", task_key="k", options={})
FINISHED = SessionFinished(outcome="done", statement="Written.")


def question(ref: str) -> QuestionAsked:
    return QuestionAsked(ref=ref, kind="escalation", questions=(f"{ref}?",), agent="planner")


def searched(key: str) -> ToolRequested:
    return ToolRequested(key=key, tool="search", repeatable=True, given={"query": key})


def found(key: str, error: str | None = None) -> ToolResponded:
    hits: list[JsonValue] = [{"url": f"https://example.org/{key}"}, {"url": "/etc/passwd"}]
    result: JsonValue = None if error else {"hits": hits}
    return ToolResponded(key=key, tool="search", result=result, error=error, spend=Spend(), milliseconds=1)


def folded(*payloads: CorePayload, before: TurnState | None = None, first: int = 1) -> TurnState:
    turn = before or TurnState()
    for seq, payload in enumerate(payloads, first):
        turn = fold_turn(turn, Event(session_id="s", seq=seq, cycle=1, at=AT, state="X", payload=payload))
    return turn


def test_a_turn_goes_from_the_start_to_a_question_and_ignores_what_follows() -> None:
    turn = folded(
        STARTED, searched("a"), searched("b"), found("a"), question("q"), Answered(ref="q", text="x"), FINISHED
    )
    assert turn.end
    assert (turn.said, turn.end.statement, turn.end.anchor, turn.end.outcome) == ("When?", "q?", 5, None)
    assert [(each.query, each.status, each.urls) for each in turn.searches.values()] == [
        ("a", "completed", ("https://example.org/a",)),
        ("b", "incomplete", ()),
    ]


def test_the_next_turn_begins_with_the_answer_and_has_what_came_between() -> None:
    waiting = TurnState(answers=question("q"))
    before = folded(searched("c"), found("c", "down"), before=waiting, first=6)
    assert before.begun_at is None
    turn = folded(Answered(ref="q", text="the tower"), FINISHED, before=before, first=8)
    assert turn.end
    assert (turn.said, turn.begun_seq, turn.end.outcome, turn.end.anchor) == ("the tower", 8, "done", 9)
    assert [each.status for each in turn.searches.values()] == ["failed"]


def test_an_answer_to_one_of_two_questions_ends_at_the_other() -> None:
    turn = folded(question("r"), Answered(ref="q", text="yes"), before=TurnState(answers=question("q")), first=6)
    assert turn.end
    assert (turn.end.question, turn.end.anchor) == (question("r"), 6)
    next_turn = folded(Answered(ref="r", text="no"), before=TurnState(answers=turn.end.question), first=8)
    assert (next_turn.said, next_turn.end) == ("no", None)


def test_a_question_that_is_never_answered_leads_to_the_turn_of_the_end() -> None:
    turn = folded(FINISHED, before=TurnState(answers=question("q")), first=6)
    assert turn.end
    assert turn.end.outcome == "done"


def test_a_cycle_begins_a_turn_and_a_pause_none() -> None:
    assert folded(CycleStarted(why="refresh"), first=9).said == "/refresh"
    turn = folded(STARTED, Labelled(labels={"k": "1"}), Labelled(labels={"j": "2"}))
    assert (turn.has_moved, turn.labels) == (False, {"k": "1", "j": "2"})
    paused = folded(Paused(kind="setup", reason="no key"), before=turn, first=4)
    assert (paused.paused_seq, paused.end) == (4, None)
    assert folded(Resumed(after="pause"), before=paused, first=5).paused is None


def test_tokens_are_those_of_the_turn_also_where_a_provider_counts_none() -> None:
    reply = ModelResponded(key="m", role="r", reply="x", error=None, spend=Spend(tokens=10), milliseconds=1)
    turn = folded(STARTED, reply, reply, FINISHED, CycleStarted(why="question", question="And?"), reply)
    assert (turn.tokens.total, turn.tokens.output) == (20, 0)


def test_a_session_has_a_turn_behind_each_end_of_one() -> None:
    known = SessionTurns()
    payloads: tuple[CorePayload, ...] = (STARTED, question("q"), searched("a"), Answered(ref="q", text="x"), FINISHED)
    for seq, payload in enumerate(payloads, 1):
        known = fold_turns(known, Event(session_id="s", seq=seq, cycle=1, at=AT, state="X", payload=payload))
    assert (list(known.turns), known.newest) == ([0, 2, 5], 2)
    assert known.turns[0] == folded(STARTED, question("q"))
    assert known.turns[2] == folded(*payloads[2:], before=TurnState(answers=question("q")), first=3)
    assert known.turns[5].begun_at is None
