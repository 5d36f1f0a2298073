"""What a run asks a person, and what a person tells a run: pure rules over what the session knows."""

from collections.abc import Sequence

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.event import Answered, CycleStarted, Event, QuestionAsked, QuestionKind
from quaestor.kernel.run_state import OpenQuestions, fold_questions
from quaestor.research.events import PlanCreated, PlanReviewed

MAX_CLARIFICATION_ROUNDS = 3
"""Rounds of clarification; then what is still unclear is assumed, and said."""


class Exchange(Contract):
    """Questions and what was answered."""

    questions: tuple[str, ...]
    answer: str


class Dialogue(Contract):
    """What was asked and answered, what stands open, and where the review of the plan is."""

    questions: OpenQuestions = ()
    answers: tuple[Exchange, ...] = Field(default=(), description="Of clarifications, in order.")
    is_reviewing_plan: bool = False
    escalated_todos: frozenset[str] = Field(default=frozenset(), description="Todos that a person was asked about.")

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that is to be answered first."""
        return self.questions[0] if self.questions else None

    def waits_for(self, kind: QuestionKind) -> bool:
        """Say whether a question of this kind stands open."""
        return any(one.kind == kind for one in self.questions)

    @property
    def rounds(self) -> int:
        """How often a person was asked to clarify."""
        return len(self.answers)


def fold_dialogue(talk: Dialogue, event: Event) -> Dialogue:
    """Give the talk after one more event."""
    questions = fold_questions(talk.questions, event)
    match event.payload:
        case CycleStarted(why="question"):
            return Dialogue(escalated_todos=talk.escalated_todos)
        case QuestionAsked(kind="escalation", ref=ref):
            escalated = talk.escalated_todos | {ref.removeprefix("escalation/")}
            return talk.model_copy(update={"questions": questions, "escalated_todos": escalated})
        case Answered(text=text) if talk.waiting and talk.waiting.kind == "clarification":
            exchange = Exchange(questions=talk.waiting.questions, answer=text)
            return talk.model_copy(update={"questions": questions, "answers": (*talk.answers, exchange)})
        case PlanCreated(review=review):
            return talk.model_copy(update={"is_reviewing_plan": review == "awaiting_confirmation"})
        case PlanReviewed():
            return talk.model_copy(update={"questions": questions, "is_reviewing_plan": False})
        case _ if questions is not talk.questions:
            return talk.model_copy(update={"questions": questions})
        case _:
            return talk


def clarified_question(question: str, talk: Dialogue) -> str:
    """Give the question with everything that was answered about it."""
    said = "; ".join(exchange.answer for exchange in talk.answers)
    return f"{question} ({said})" if said else question


def clarification_lines(talk: Dialogue) -> Sequence[str]:
    """Give what was asked and answered, a line each."""
    return tuple(f"{' '.join(each.questions)} {each.answer}" for each in talk.answers)
