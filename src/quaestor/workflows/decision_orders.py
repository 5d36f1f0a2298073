"""What a person's orders lead to in a decision session: pure rules over its state."""

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
from quaestor.contracts.event import Answered, Cancelled, CycleStarted, FinishRequested
from quaestor.contracts.workflow import Obeyed
from quaestor.workflows.decision_state import DecisionState


def obey(state: DecisionState, order: Order) -> Obeyed:
    """Give the facts that an order leads to, or the reason why it is refused."""
    match order:
        case OpenCycle(why=why):
            return _opened(state, why)
        case Pause() | AddBudget():
            return Obeyed()
        case EditPlan() | ReviewPlan() | RetryTodo():
            return _no("a decision session has no plan of todos")
        case _ if state.finished:
            return _no("the session is finished; begin another cycle")
        case Answer(text=text):
            if not state.waiting:
                return _no("no question stands open")
            return Obeyed(facts=(Answered(ref=state.waiting[0].ref, text=text),))
        case FinishNow():
            return Obeyed(facts=(FinishRequested(),))
        case Cancel():
            return Obeyed(facts=(Cancelled(),))
        case never:
            assert_never(never)


def _opened(state: DecisionState, why: str) -> Obeyed:
    if why != "decision":
        return _no(f"a decision session has no cycle of the kind {why}; open one of the kind decision")
    if state.cancelled:
        return _no("the session was cancelled; start another one")
    if not state.finished:
        return _no("a cycle is going on; wait until it ends")
    over = state.now.data is not None and state.now.data.next is None
    if state.options and state.options.backtest and over:
        return _no("the backtest is at the end of its candles; start another one")
    return Obeyed(facts=(CycleStarted(why="decision"),))


def _no(reason: str) -> Obeyed:
    return Obeyed(refused=reason)
