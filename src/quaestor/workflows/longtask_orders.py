"""What a person's orders lead to in a long task: pure rules over its state."""

from typing import assert_never

from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    EditPlan,
    FinishNow,
    OpenCycle,
    Order,
    Pause,
    RetryTodo,
    ReviewPlan,
)
from quaestor.contracts.event import Answered, Cancelled, FinishRequested
from quaestor.contracts.workflow import Obeyed
from quaestor.workflows.longtask_state import LongTaskState
from quaestor.workflows.parts.rounds_fold import UNCLEAR, approved


def obey(state: LongTaskState, order: Order) -> Obeyed:
    """Give the facts that an order leads to, or the reason why it is refused."""
    if state.finished or state.rounds is None:
        return _no("the task is finished; start another one")
    match order:
        case Answer(text=text):
            return _answered(state, text)
        case FinishNow():
            ending = state.rounds.ending
            return _no("the task is ending already") if ending else Obeyed(facts=(FinishRequested(),))
        case Cancel():
            return Obeyed(facts=(Cancelled(),))
        case EditPlan() | ReviewPlan() | RetryTodo():
            return _no("the plan of a task is the file task_plan.md of its workspace; edit it there")
        case OpenCycle():
            return _no("a task has one cycle; start another task")
        case Pause() | AddBudget():
            return Obeyed()
        case never:
            assert_never(never)


def _answered(state: LongTaskState, text: str) -> Obeyed:
    asked = state.rounds.asked if state.rounds else None
    if asked is None:
        return _no("no question stands open")
    if asked.kind == "approval" and approved(text) is None:
        return _no(UNCLEAR)
    return Obeyed(facts=(Answered(ref=asked.ref, text=text),))


def _no(reason: str) -> Obeyed:
    return Obeyed(refused=reason)
