from datetime import UTC, datetime
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.event import (
    Answered,
    CycleStarted,
    Event,
    KnownPayload,
    Paused,
    QuestionAsked,
    Resumed,
    SessionFinished,
)
from quaestor.contracts.payload import QuestionKind
from quaestor.kernel.run_state import OpenQuestions, RunState, fold, fold_questions
from quaestor.research.contracts.plan import Todo
from quaestor.research.dialogue import Dialogue, fold_dialogue
from quaestor.research.events import PlanReviewed, TodoRetried

KINDS: tuple[QuestionKind, ...] = ("clarification", "plan_confirmation", "approval", "escalation")
ENDED = SessionFinished(outcome="done", statement="")


def asked(kind: QuestionKind = "clarification", ref: str = "ask/1") -> QuestionAsked:
    return QuestionAsked(ref=ref, kind=kind, questions=("Which one?",), agent="clarifier")


def retried(failed: str) -> TodoRetried:
    return TodoRetried(todo=Todo(id="t9", task="Again", retries=failed))


def events(*facts: KnownPayload) -> list[Event]:
    noon = datetime(2026, 1, 1, tzinfo=UTC)
    return [
        Event(session_id="s", seq=seq, cycle=1, at=noon, state="EXECUTING", payload=fact)
        for seq, fact in enumerate(facts, 1)
    ]


def waits(*facts: KnownPayload) -> OpenQuestions:
    nothing: OpenQuestions = ()
    return reduce(fold_questions, events(*facts), nothing)


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_stands_open_until_it_is_answered_or_the_session_ends(kind: QuestionKind) -> None:
    assert waits(asked(kind)) == (asked(kind),)
    assert waits(asked(kind), Paused(kind="person", reason=""), Resumed(after="pause")) == (asked(kind),)
    assert waits(asked(kind), Answered(ref="ask/1", text="the big one")) == ()
    assert waits(asked(kind), ENDED) == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_review_that_ends_answers_the_question_about_the_plan_alone(kind: QuestionKind) -> None:
    left = waits(asked(kind), PlanReviewed(review="confirmed"))
    assert left == (() if kind == "plan_confirmation" else (asked(kind),))


def test_a_retry_answers_the_question_about_its_own_todo_alone() -> None:
    question = asked("escalation", "escalation/t2.1")
    assert waits(question, retried("t2.1")) == ()
    assert waits(question, retried("t2")) == (question,)
    assert waits(retried("t2.1")) == ()


def test_questions_stand_open_side_by_side_until_each_has_its_own_answer() -> None:
    first, second = asked(ref="ask/1"), asked("escalation", "escalation/t2")
    assert waits(first, second) == (first, second)
    assert waits(first, second, Answered(ref="ask/1", text="a")) == (second,)
    assert waits(first, second, Answered(ref="escalation/t2", text="a")) == (first,)
    assert waits(first, Answered(ref="ask/1", text="a"), asked(ref="ask/2")) == (asked(ref="ask/2"),)


FACTS: st.SearchStrategy[KnownPayload] = st.one_of(
    st.builds(asked, st.sampled_from(KINDS), st.sampled_from(("ask/1", "plan", "escalation/t2"))),
    st.builds(Answered, ref=st.just("ask/1"), text=st.just("yes")),
    st.builds(retried, st.sampled_from(("t1", "t2"))),
    st.just(PlanReviewed(review="auto_approved")),
    st.just(Paused(kind="person", reason="")),
    st.just(ENDED),
)


@given(st.lists(FACTS))
def test_the_kernel_and_the_workflow_agree_on_what_is_waited_for(facts: list[KnownPayload]) -> None:
    log = events(*facts)
    waiting = waits(*facts)
    assert reduce(fold, log, RunState()).questions == waiting
    assert reduce(fold_dialogue, log, Dialogue()).questions == waiting
    assert (
        reduce(fold, log, RunState()).waiting
        == reduce(fold_dialogue, log, Dialogue()).waiting
        == next(iter(waiting), None)
    )


@given(st.lists(FACTS))
def test_nothing_is_waited_for_when_another_cycle_begins(facts: list[KnownPayload]) -> None:
    log = events(*facts, ENDED, CycleStarted(why="question", question="And then?"))
    assert waits(*facts, ENDED, CycleStarted(why="refresh")) == ()
    assert reduce(fold, log, RunState()).questions == ()
    assert reduce(fold_dialogue, log, Dialogue()).questions == ()
