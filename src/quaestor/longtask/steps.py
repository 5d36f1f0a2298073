"""The steps of a task, each with what that step knows.

Planning -> Syncing -> Working -> Evaluating (-> Approving) (-> Acting -> Summarizing) (-> Escalating) -> Syncing ...
             |  ^                                                                                          |
             v  |                                                                                          v
         ReviewingEdit                                                                                   Ended
"""

from quaestor.contracts.event import Outcome, QuestionAsked, ToolInterrupted, ToolResponded
from quaestor.contracts.immutable import Immutable
from quaestor.longtask.contracts import Round, TaskPlan, TaskToolCall


class TaskEnding(Immutable):
    """How a task ends."""

    outcome: Outcome
    statement: str


Continuation = int | TaskEnding
"""What follows once the files are written: the round of this number, or the end."""


class Planning(Immutable):
    """The planner is asked for a plan; after three unusable replies the task waits, with what was wrong with each."""

    rejected: tuple[str, ...] = ()
    unusable: tuple[str, ...] = ()


class Syncing(Immutable):
    """The files of the workspace are written."""

    then: Continuation


class ReviewingEdit(Immutable):
    """A person edited task_plan.md; `text` is its content."""

    text: str
    then: Continuation


class Working(Immutable):
    """The worker is asked for its reply; after three unusable ones the task waits, with what was wrong with each."""

    rejected: tuple[str, ...] = ()
    unusable: tuple[str, ...] = ()


class Evaluating(Immutable):
    """The worker replied; `repaired` when the reply was no valid JSON until it was repaired."""

    reply: Round
    repaired: bool = False


class Approving(Immutable):
    """A person is asked whether a call may run, for this reason; the question is None until it is recorded."""

    call: TaskToolCall
    reason: str
    question: QuestionAsked | None = None
    plan_before: TaskPlan | None = None
    """The plan without what the reply says is done, should the call not run."""


class Acting(Immutable):
    """The tool of a call runs."""

    call: TaskToolCall


class Declined(Immutable):
    """A person did not approve a call."""

    answer: str


CallOutcome = ToolResponded | ToolInterrupted | Declined


class Summarizing(Immutable):
    """A call ended."""

    call: TaskToolCall
    outcome: CallOutcome


class Escalating(Immutable):
    """A person is asked about an error that occurred several times; the question is None until it is recorded."""

    error: str
    next_round: int
    question: QuestionAsked | None = None


class Ended(Immutable):
    """Nothing more is done."""

    ending: TaskEnding


RoundStep = Syncing | ReviewingEdit | Working | Evaluating | Approving | Acting | Summarizing | Escalating | Ended
"""The steps of a task that has a plan."""
