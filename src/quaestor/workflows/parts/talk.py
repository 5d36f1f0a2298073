"""What a run asks a person, and what a person tells a run: pure rules over what the session knows."""

from collections.abc import Sequence

from pydantic import Field

from quaestor.contracts.asking import Questions, still_open
from quaestor.contracts.event import Answered, Asking, CycleStarted, Event, PlanCreated, PlanReviewed, QuestionAsked
from quaestor.contracts.noun import Noun

MOST_ROUNDS = 3
"""Rounds of clarification; then what is still unclear is assumed, and said."""


class Exchange(Noun):
    """Questions and what was answered."""

    questions: tuple[str, ...]
    answer: str


class Talk(Noun):
    """What was asked and answered, what stands open, and where the review of the plan is."""

    questions: Questions = ()
    answers: tuple[Exchange, ...] = Field(default=(), description="Of clarifications, in order.")
    reviewing: bool = False
    escalated: frozenset[str] = Field(default=frozenset(), description="Todos that a person was asked about.")

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that is to be answered first."""
        return self.questions[0] if self.questions else None

    def waits_for(self, kind: Asking) -> bool:
        """Say whether a question of this kind stands open."""
        return any(one.kind == kind for one in self.questions)

    @property
    def rounds(self) -> int:
        """How often a person was asked to clarify."""
        return len(self.answers)


def apply(talk: Talk, event: Event) -> Talk:
    """Give the talk after one more event."""
    questions = still_open(talk.questions, event)
    match event.payload:
        case CycleStarted(why="question"):
            return Talk(escalated=talk.escalated)
        case QuestionAsked(kind="escalation", ref=ref):
            escalated = talk.escalated | {ref.removeprefix("escalation/")}
            return talk.model_copy(update={"questions": questions, "escalated": escalated})
        case Answered(text=text) if talk.waiting and talk.waiting.kind == "clarification":
            exchange = Exchange(questions=talk.waiting.questions, answer=text)
            return talk.model_copy(update={"questions": questions, "answers": (*talk.answers, exchange)})
        case PlanCreated(review=review):
            return talk.model_copy(update={"reviewing": review == "awaiting_confirmation"})
        case PlanReviewed():
            return talk.model_copy(update={"questions": questions, "reviewing": False})
        case _ if questions is not talk.questions:
            return talk.model_copy(update={"questions": questions})
        case _:
            return talk


def topic(question: str, talk: Talk) -> str:
    """Give the question with everything that was answered about it."""
    said = "; ".join(exchange.answer for exchange in talk.answers)
    return f"{question} ({said})" if said else question


def context(talk: Talk) -> Sequence[str]:
    """Give what was asked and answered, a line each."""
    return tuple(f"{' '.join(each.questions)} {each.answer}" for each in talk.answers)
