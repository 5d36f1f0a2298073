"""The long-task workflow: a task that needs many rounds of tools, with its memory on disk.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ... -> DONE

It is thin: what is wanted when is in `parts/rounds`, what has happened is folded in `parts/rounds_fold`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, assert_never

from quaestor.contracts.action import Action, Finish, Record
from quaestor.contracts.base import Contract
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
from quaestor.contracts.event import (
    Answered,
    Cancelled,
    Event,
    FinishRequested,
    Forked,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
)
from quaestor.contracts.workflow import CommandOutcome, StateSpec
from quaestor.longtask import routing, task_fold
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.state import TaskState
from quaestor.longtask.task_fold import UNCLEAR_APPROVAL, parse_approval

_END_STATE = "DONE"

TABLE: Mapping[str, StateSpec] = MappingProxyType(
    {**routing.state_rows(_END_STATE), _END_STATE: StateSpec(takes="how the task ended")}
)


class LongTaskState(Contract):
    """Everything `LongTask.next` looks at."""

    rounds: TaskState | None = None
    paused: bool = False
    finished: bool = False


class LongTask:
    """The state table and the routing of a long task; a `Workflow`."""

    name: ClassVar[str] = "longtask"
    table: ClassVar[Mapping[str, StateSpec]] = TABLE

    def begin(self) -> LongTaskState:
        """Give the state before any event."""
        return LongTaskState()

    def apply(self, state: LongTaskState, event: Event) -> LongTaskState:
        """Give the state after one more event."""
        return fold(state, event)

    def next(self, state: LongTaskState) -> Sequence[Action]:
        """Say what is wanted now."""
        if state.rounds is None or state.finished or state.paused:
            return ()
        if state.rounds.broken:
            return [_pause(state.rounds)]
        if state.rounds.ending and state.rounds.step == "ended":
            ending = state.rounds.ending
            return [Finish(key="finish", state=_END_STATE, outcome=ending.outcome, statement=ending.statement)]
        return routing.next_actions(state.rounds)

    def handle(self, state: LongTaskState, order: Command) -> CommandOutcome:
        """Say what a person's order leads to."""
        return handle(state, order)


def _pause(life: TaskState) -> Action:
    """Pause after three replies that cannot be used; going on asks again."""
    reason = f"three replies could not be used: {'; '.join(life.broken)}; go on, and it is asked again"
    state = "WORKING" if life.step == "working" else "OUTLINING"
    return Record(key=f"{life.key}/pause", state=state, facts=(Paused(kind="setup", reason=reason),))


def handle(state: LongTaskState, order: Command) -> CommandOutcome:
    """Give the facts that an order leads to, or the reason why it is refused."""
    if state.finished or state.rounds is None:
        return _refuse("the task is finished; start another one")
    match order:
        case Answer(text=text):
            return _handle_answer(state, text)
        case FinishNow():
            ending = state.rounds.ending
            return _refuse("the task is ending already") if ending else CommandOutcome(facts=(FinishRequested(),))
        case Cancel():
            return CommandOutcome(facts=(Cancelled(),))
        case EditPlan() | ReviewPlan() | RetryTodo():
            return _refuse("the plan of a task is the file task_plan.md of its workspace; edit it there")
        case OpenCycle():
            return _refuse("a task has one cycle; start another task")
        case Pause() | AddBudget():
            return CommandOutcome()
        case never:
            assert_never(never)


def _handle_answer(state: LongTaskState, text: str) -> CommandOutcome:
    asked = state.rounds.asked if state.rounds else None
    if asked is None:
        return _refuse("no question stands open")
    if asked.kind == "approval" and parse_approval(text) is None:
        return _refuse(UNCLEAR_APPROVAL)
    return CommandOutcome(facts=(Answered(ref=asked.ref, text=text),))


def _refuse(reason: str) -> CommandOutcome:
    return CommandOutcome(refused=reason)


def fold(state: LongTaskState, event: Event) -> LongTaskState:
    """Give the state after one more event."""
    match event.payload:
        case SessionStarted(question=task, task_key=task_key, options=options):
            return _with(state, rounds=task_fold.start(task, task_key, TaskOptions.model_validate(options)))
        case Forked(options=options) if state.rounds:
            forked = state.rounds.model_copy(update={"options": TaskOptions.model_validate(options)})
            return _with(state, rounds=forked)
        case SessionFinished():
            return _with(state, finished=True)
        case Paused():
            return _with(state, paused=True)
        case Resumed():
            state = _with(state, paused=False)
        case _:
            pass
    return _with(state, rounds=task_fold.fold(state.rounds, event)) if state.rounds else state


def _with(state: LongTaskState, **changes: object) -> LongTaskState:
    return state.model_copy(update=changes)
