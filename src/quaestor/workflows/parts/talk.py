"""What a run asks a person, and what a person tells a run: pure rules over what the session knows."""

from collections.abc import Sequence

from pydantic import Field

from quaestor.contracts.event import Answered, Asking, Event, PlanCreated, PlanReviewed, QuestionAsked, TodoRetried
from quaestor.contracts.noun import Noun

MOST_ROUNDS = 3
"""Rounds of clarification; then what is still unclear is assumed, and said."""


class Exchange(Noun):
    """Questions and what was answered."""

    questions: tuple[str, ...]
    answer: str


class Talk(Noun):
    """What was asked and answered, what stands open, and where the review of the plan is."""

    waiting: QuestionAsked | None = None
    answers: tuple[Exchange, ...] = Field(default=(), description="Of clarifications, in order.")
    reviewing: bool = False
    escalated: frozenset[str] = Field(default=frozenset(), description="Todos that a person was asked about.")

    def waits_for(self, kind: Asking) -> bool:
        """Say whether a question of this kind stands open."""
        return self.waiting is not None and self.waiting.kind == kind

    @property
    def rounds(self) -> int:
        """How often a person was asked to clarify."""
        return len(self.answers)


def apply(talk: Talk, event: Event) -> Talk:
    """Give the talk after one more event."""
    match event.payload:
        case QuestionAsked() as asked:
            todo = {asked.ref.removeprefix("escalation/")} if asked.kind == "escalation" else set[str]()
            return talk.model_copy(update={"waiting": asked, "escalated": talk.escalated | todo})
        case Answered(text=text) if talk.waiting and talk.waiting.kind == "clarification":
            exchange = Exchange(questions=talk.waiting.questions, answer=text)
            return talk.model_copy(update={"waiting": None, "answers": (*talk.answers, exchange)})
        case Answered():
            return talk.model_copy(update={"waiting": None})
        case TodoRetried(todo=todo) if talk.waiting and talk.waiting.ref == f"escalation/{todo.retries}":
            return talk.model_copy(update={"waiting": None})
        case PlanCreated(review=review):
            return talk.model_copy(update={"reviewing": review == "awaiting_confirmation"})
        case PlanReviewed():
            waiting = None if talk.waits_for("plan_confirmation") else talk.waiting
            return talk.model_copy(update={"reviewing": False, "waiting": waiting})
        case _:
            return talk


def topic(question: str, talk: Talk) -> str:
    """Give the question with everything that was answered about it."""
    said = "; ".join(exchange.answer for exchange in talk.answers)
    return f"{question} ({said})" if said else question


def context(talk: Talk) -> Sequence[str]:
    """Give what was asked and answered, a line each."""
    return tuple(f"{' '.join(each.questions)} {each.answer}" for each in talk.answers)
