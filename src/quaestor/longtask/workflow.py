"""The long-task workflow: a task that needs many rounds of tools, with its memory on disk.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ... -> DONE

It is thin: the routing is in `routing`, the fold in `task_fold`, as they are for a todo that is done with tools.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, assert_never

from quaestor.contracts.action import Action, Finish, Record
from quaestor.contracts.approvals import standing_approval
from quaestor.contracts.command import (
    AddBudget,
    Answer,
    Cancel,
    Command,
    FinishNow,
    Label,
    OpenCycle,
    Pause,
    RevokeApproval,
    WorkflowCommand,
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
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.workflow import CommandOutcome, StateSpec, refuse
from quaestor.longtask import routing, task_fold
from quaestor.longtask.contracts import TaskOptions
from quaestor.longtask.reply_evaluation import UNCLEAR_APPROVAL, parse_approval
from quaestor.longtask.state import (
    TaskSetup,
    TaskState,
    UnplannedTask,
    is_ending,
    open_question,
    rejected_objections,
    with_options,
)
from quaestor.longtask.steps import Ended, Working

_END_STATE = "DONE"

TABLE: Mapping[str, StateSpec] = MappingProxyType(
    {**routing.state_rows(_END_STATE), _END_STATE: StateSpec(takes="how the task ended")}
)


class LongTaskState(Immutable):
    """A long task and its session; the task is None before the first event."""

    task: TaskState | None = None
    paused: bool = False
    finished: bool = False


class LongTask:
    """The state table and the routing of a long task; a `Workflow`."""

    name: ClassVar[str] = "longtask"
    table: ClassVar[Mapping[str, StateSpec]] = TABLE

    def begin(self) -> LongTaskState:
        """Return the state before any event."""
        return LongTaskState()

    def apply(self, state: LongTaskState, event: Event) -> LongTaskState:
        """Return the state after one more event."""
        return fold(state, event)

    def next(self, state: LongTaskState) -> Sequence[Action]:
        """Return the action that is needed now, if any."""
        if state.task is None or state.finished or state.paused:
            return ()
        if objections := rejected_objections(state.task):
            return [_pause(state.task, objections)]
        match state.task.step:
            case Ended(ending=ending):
                return [Finish(key="finish", state=_END_STATE, outcome=ending.outcome, statement=ending.statement)]
            case _:
                return routing.next_actions(state.task)

    def handle(self, state: LongTaskState, order: Command) -> CommandOutcome:
        """Return the facts that a command leads to, or the reason why it is refused."""
        if state.finished or state.task is None:
            return refuse("the task is finished; start another one")
        match order:
            case Answer(text=text):
                return _handle_answer(state.task, text)
            case FinishNow():
                ending = is_ending(state.task)
                return refuse("the task is ending already") if ending else CommandOutcome(facts=(FinishRequested(),))
            case Cancel():
                return CommandOutcome(facts=(Cancelled(),))
            case WorkflowCommand():
                return refuse("the plan of a task is the file task_plan.md of its workspace; edit it there")
            case OpenCycle():
                return refuse("a task has one cycle; start another task")
            case Pause() | AddBudget() | Label() | RevokeApproval():
                return CommandOutcome()
            case never:
                assert_never(never)


def _pause(task: TaskState, objections: Sequence[str]) -> Action:
    """Pause after three replies that cannot be used; when the session is resumed, the model is asked again."""
    reason = f"three replies could not be used: {'; '.join(objections)}; go on, and it is asked again"
    name = "WORKING" if isinstance(task.step, Working) else "OUTLINING"
    return Record(key=f"{task.round_key}/pause", state=name, facts=(Paused(kind="setup", reason=reason),))


def _handle_answer(task: TaskState, text: str) -> CommandOutcome:
    question = open_question(task)
    if question is None:
        return refuse("no question is open")
    if question.kind == "approval" and parse_approval(text) is None:
        return refuse(UNCLEAR_APPROVAL)
    standing = standing_approval(question.call, text)
    return CommandOutcome(facts=(Answered(ref=question.ref, text=text, standing=standing),))


def fold(state: LongTaskState, event: Event) -> LongTaskState:
    """Return the state after one more event."""
    match event.payload:
        case SessionStarted(question=task, task_key=task_key, options=options):
            return replace(state, task=UnplannedTask(TaskSetup(task, task_key, TaskOptions.model_validate(options))))
        case Forked(options=options) if state.task:
            return replace(state, task=with_options(state.task, TaskOptions.model_validate(options)))
        case SessionFinished():
            return replace(state, finished=True)
        case Paused():
            return replace(state, paused=True)
        case Resumed():
            state = replace(state, paused=False)
        case _:
            pass
    return replace(state, task=task_fold.fold(state.task, event)) if state.task else state
