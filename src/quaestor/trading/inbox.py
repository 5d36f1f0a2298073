"""What a person's commands lead to in a decision session: pure rules over its state."""

from typing import assert_never

from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    Command,
    EditPlan,
    FinishNow,
    OpenCycle,
    Pause,
    RetryTodo,
    ReviewPlan,
)
from quaestor.contracts.event import Answered, Cancelled, CycleStarted, FinishRequested
from quaestor.contracts.workflow import CommandOutcome
from quaestor.trading.cycle import market_of
from quaestor.trading.state import DecisionState, NotStarted, SessionState


def handle(state: SessionState, order: Command) -> CommandOutcome:
    """Return the facts that a command leads to, or the reason why it is refused."""
    if isinstance(state, NotStarted):
        return _refuse("the session has not started; run it first")
    match order:
        case OpenCycle(why=why):
            return _open_cycle(state, why)
        case Pause() | AddBudget():
            return CommandOutcome()
        case EditPlan() | ReviewPlan() | RetryTodo():
            return _refuse("a decision session has no plan of todos")
        case _ if state.finished:
            return _refuse("the session is finished; begin another cycle")
        case Answer(text=text):
            if not state.open_questions:
                return _refuse("no question stands open")
            return CommandOutcome(facts=(Answered(ref=state.open_questions[0].ref, text=text),))
        case FinishNow():
            return CommandOutcome(facts=(FinishRequested(),))
        case Cancel():
            return CommandOutcome(facts=(Cancelled(),))
        case never:
            assert_never(never)


def _open_cycle(state: DecisionState, why: str) -> CommandOutcome:
    if why != "decision":
        return _refuse(f"a decision session has no cycle of the kind {why}; open one of the kind decision")
    if state.cancelled:
        return _refuse("the session was cancelled; start another one")
    if not state.finished:
        return _refuse("a cycle is going on; wait until it ends")
    market = market_of(state.stage)
    if state.options.backtest and market and market.next is None:
        return _refuse("the backtest is at the end of its candles; start another one")
    return CommandOutcome(facts=(CycleStarted(why="decision"),))


def _refuse(reason: str) -> CommandOutcome:
    return CommandOutcome(refused=reason)
