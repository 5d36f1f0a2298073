from datetime import UTC, datetime
from functools import reduce

from quaestor.contracts.event import Answered, Event, KnownPayload, QuestionAsked
from quaestor.contracts.payload import QuestionKind
from quaestor.research.contracts.plan import Plan, Todo
from quaestor.research.dialogue import Dialogue, Exchange, clarification_lines, clarified_question, fold_dialogue
from quaestor.research.events import PlanCreated, PlanReviewed, TodoRetried

ONE = Plan(todos=(Todo(id="t1", task="Look it up"),))


def asked(kind: QuestionKind = "clarification", ref: str = "ask/1", *questions: str) -> QuestionAsked:
    return QuestionAsked(ref=ref, kind=kind, questions=questions or ("Which one?",), agent="clarifier")


def talk(*facts: KnownPayload) -> Dialogue:
    events = (
        Event(session_id="s", seq=seq, cycle=1, at=datetime(2026, 1, 1, tzinfo=UTC), state="CLARIFYING", payload=fact)
        for seq, fact in enumerate(facts, 1)
    )
    return reduce(fold_dialogue, events, Dialogue())


def test_a_question_stands_open_until_it_is_answered() -> None:
    assert talk(asked()).waits_for("clarification")
    assert not talk(asked()).waits_for("escalation")
    assert talk(asked(), Answered(ref="ask/1", text="the old one")).waiting is None


def test_an_answer_is_kept_with_its_questions_and_becomes_part_of_the_topic() -> None:
    said = talk(
        asked("clarification", "ask/1", "Which?", "When?"),
        Answered(ref="ask/1", text="the old one"),
        asked("clarification", "ask/2", "Where?"),
        Answered(ref="ask/2", text="in Aldmouth"),
    )
    assert said.answers == (
        Exchange(questions=("Which?", "When?"), answer="the old one"),
        Exchange(questions=("Where?",), answer="in Aldmouth"),
    )
    assert said.rounds == 2
    assert clarified_question("What is it?", said) == "What is it? (the old one; in Aldmouth)"
    assert clarification_lines(said) == ("Which? When? the old one", "Where? in Aldmouth")


def test_a_question_that_nobody_was_asked_about_stays_as_it_is() -> None:
    assert clarified_question("What is it?", Dialogue()) == "What is it?"
    assert clarification_lines(Dialogue()) == ()


def test_an_answer_to_no_clarification_is_no_part_of_the_topic() -> None:
    said = talk(asked("escalation", "escalation/t2"), Answered(ref="escalation/t2", text="go on"))
    assert (said.answers, said.waiting) == ((), None)
    assert said.escalated_todos == {"t2"}


def test_the_end_of_a_review_answers_its_question_and_no_other() -> None:
    created = PlanCreated(plan=ONE, review="awaiting_confirmation")
    over = talk(created, asked("plan_confirmation", "plan"), PlanReviewed(review="confirmed"))
    assert over.waiting is None
    assert talk(created, asked(), PlanReviewed(review="confirmed")).waits_for("clarification")


def test_a_retry_of_the_todo_that_was_asked_about_is_an_answer() -> None:
    def retried(todo_id: str) -> TodoRetried:
        return TodoRetried(todo=Todo(id=f"{todo_id}.1", task="Look it up", retries=todo_id))

    assert talk(asked("escalation", "escalation/t2"), retried("t2")).waiting is None
    assert talk(asked("escalation", "escalation/t2"), retried("t1")).waits_for("escalation")
