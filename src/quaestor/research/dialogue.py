"""What a session asks a person, and what a person answered."""

from collections.abc import Sequence

from quaestor.contracts.event import Answered, CycleStarted, Event, QuestionAsked
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.payload import QuestionKind
from quaestor.kernel.run_state import OpenQuestions, fold_questions

MAX_CLARIFICATION_ROUNDS = 3
"""After so many rounds of clarification what is still unclear is assumed, and reported."""


class Exchange(Immutable):
    """Questions and what was answered."""

    questions: tuple[str, ...]
    answer: str


class Dialogue(Immutable):
    """Questions to a person: the open ones, and what was answered."""

    questions: OpenQuestions = ()
    answers: tuple[Exchange, ...] = ()
    """Answered clarifications, in order."""
    escalated_todos: frozenset[str] = frozenset()
    """Failed todos that a person was asked about."""

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that is to be answered first."""
        return self.questions[0] if self.questions else None

    def waits_for(self, kind: QuestionKind) -> bool:
        """Return whether a question of this kind is open."""
        return any(one.kind == kind for one in self.questions)

    @property
    def rounds(self) -> int:
        """How often a person was asked to clarify."""
        return len(self.answers)


def fold_dialogue(dialogue: Dialogue, event: Event) -> Dialogue:
    """Return the dialogue after one more event."""
    waiting = dialogue.waiting
    questions = fold_questions(dialogue.questions, event)
    if questions is not dialogue.questions:
        dialogue = replace(dialogue, questions=questions)
    match event.payload:
        case CycleStarted(why="question"):
            return Dialogue(escalated_todos=dialogue.escalated_todos)
        case QuestionAsked(kind="escalation", ref=ref):
            return replace(dialogue, escalated_todos=dialogue.escalated_todos | {ref.removeprefix("escalation/")})
        case Answered(text=text) if waiting and waiting.kind == "clarification":
            return replace(dialogue, answers=(*dialogue.answers, Exchange(waiting.questions, text)))
        case _:
            return dialogue


def clarified_question(question: str, dialogue: Dialogue) -> str:
    """Return the question with everything that was answered about it."""
    said = "; ".join(exchange.answer for exchange in dialogue.answers)
    return f"{question} ({said})" if said else question


def clarification_lines(dialogue: Dialogue) -> Sequence[str]:
    """Return what was asked and answered, a line each."""
    return tuple(f"{' '.join(each.questions)} {each.answer}" for each in dialogue.answers)
