"""A task as it is watched: its events in words, and the live view with its phases, what it does now and did last."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import assert_never

from quaestor.contracts.event import SESSION_SCOPE, ContractAccepted, Event, FactRecorded, StateEntered
from quaestor.contracts.progress import (
    Discovery,
    EventDescription,
    Figure,
    ItemStatus,
    ProgressItem,
    RunPosition,
    WorkflowProgress,
)
from quaestor.longtask import reply_evaluation
from quaestor.longtask.contracts import Acted, EditRefused, Judged, Phase, PhaseStatus, PlanAdopted, TaskPlanDraft
from quaestor.longtask.routing import state_rows
from quaestor.longtask.state import PlannedTask
from quaestor.longtask.steps import (
    Acting,
    Approving,
    Ended,
    Escalating,
    Evaluating,
    ReviewingEdit,
    RoundStep,
    Summarizing,
    Syncing,
    Working,
)
from quaestor.longtask.workflow import LongTaskState
from quaestor.longtask.workflow import fold as fold_session
from quaestor.views.text import count_noun

_MAX_NEWS = 8
"""Replies and calls that are kept to be shown, the last ones."""
_STATUS: Mapping[PhaseStatus, ItemStatus] = MappingProxyType(
    {"todo": "pending", "in_progress": "in_progress", "complete": "done"}
)


@dataclass(frozen=True, slots=True)
class TaskProgress:
    """What the live view knows."""

    session: LongTaskState = field(default_factory=LongTaskState)
    news: tuple[Discovery, ...] = ()


class TaskProgressView:
    """The live view of a task; a `ProgressView`."""

    def begin(self) -> TaskProgress:
        """Return the view before any event."""
        return TaskProgress()

    def fold(self, view: TaskProgress, event: Event, seconds: float) -> TaskProgress:
        """Return the view after one more event."""
        del seconds
        news = (*view.news, *_news(event))[-_MAX_NEWS:]
        return replace(view, session=fold_session(view.session, event), news=news)

    def progress(self, view: TaskProgress, position: RunPosition) -> WorkflowProgress:
        """Return what is shown at this moment."""
        del position
        task = view.session.task
        if not isinstance(task, PlannedTask):
            return WorkflowProgress()
        return WorkflowProgress(figures=tuple(_figures(task)), items=tuple(_items(task)), news=view.news)


def _news(event: Event) -> Iterator[Discovery]:
    match event.payload:
        case FactRecorded(value=Judged() as judged):
            yield Discovery(item=f"round {judged.round}", text=judged.answer)
        case FactRecorded(value=Acted() as acted):
            yield Discovery(item=f"round {acted.round}", text=acted.did)
        case _:
            pass


def _figures(task: PlannedTask) -> Iterator[Figure]:
    phases = task.plan.phases
    yield Figure(text=f"{sum(phase.status == 'complete' for phase in phases)}/{len(phases)} phases")
    yield Figure(text=f"round {task.round}")
    yield Figure(text=count_noun(len(task.workspace.artifacts), "file"))
    if unresolved := sum(not error.resolution for error in task.failures.errors):
        yield Figure(text=count_noun(unresolved, "error"), alert=True)


def _items(task: PlannedTask) -> Iterator[ProgressItem]:
    for phase in task.plan.phases:
        is_current = phase.id == task.plan.current_phase and phase.status != "complete"
        status: ItemStatus = "in_progress" if is_current else _STATUS[phase.status]
        activity = _activity(task.step) if is_current else status.replace("_", " ")
        done = f"{sum(item.done for item in phase.checklist)}/{len(phase.checklist)}" if phase.checklist else ""
        yield ProgressItem(id=phase.id, status=status, activity=activity, note=done, text=phase.title)
        if is_current:
            yield from _checklist(phase)


def _checklist(phase: Phase) -> Iterator[ProgressItem]:
    for number, item in enumerate(phase.checklist, 1):
        status: ItemStatus = "done" if item.done else "pending"
        yield ProgressItem(id=f"{number}", parent=phase.id, status=status, activity=status, text=item.text)


def _activity(step: RoundStep) -> str:
    match step:
        case Working() | Evaluating():
            return "thinking"
        case Acting(call=call) | Summarizing(call=call):
            return call.tool.replace("_", " ")
        case Approving() | Escalating():
            return "asking"
        case Syncing() | ReviewingEdit():
            return "writing files"
        case Ended():
            return "ended"
        case never:
            assert_never(never)


_ROUND_STATES = state_rows("").keys()
"""States of a round; its reply and its tool call are described instead."""


def describe_event(event: Event) -> EventDescription | None:
    """Describe an event of a task; None for one that the core describes."""
    match event.payload:
        case StateEntered(scope=scope) if scope == SESSION_SCOPE and event.state in _ROUND_STATES:
            return EventDescription(text=event.state.lower(), importance="detail")
        case ContractAccepted(output=TaskPlanDraft(phases=phases)):
            titles = [(f"Phase {number}", phase.title) for number, phase in enumerate(phases, 1)]
            return _describe_phases(f"{event.todo_id} plan" if event.todo_id else "plan", titles)
        case FactRecorded(value=Judged() as verdict):
            return _describe_verdict(verdict, event.todo_id)
        case FactRecorded(value=Acted() as outcome):
            return _describe_tool_outcome(outcome, event.todo_id)
        case FactRecorded(value=PlanAdopted(plan=plan)):
            return _describe_phases("task_plan.md was edited", [(phase.id, phase.title) for phase in plan.phases])
        case FactRecorded(value=EditRefused(reason=reason)):
            return EventDescription(text=f"the edit of task_plan.md cannot be used: {reason}", importance="problem")
        case _:
            return None


def _describe_verdict(verdict: Judged, todo_id: str | None) -> EventDescription:
    scope = f"{todo_id} " if todo_id else ""
    refusal = (f"not run: {verdict.refusal}",) if verdict.refusal else ()
    call = (reply_evaluation.describe_call(verdict.call),) if verdict.call else ()
    return EventDescription(
        text=f"{scope}round {verdict.round}: {verdict.answer}", details=(*verdict.faults, *refusal, *call)
    )


def _describe_tool_outcome(outcome: Acted, todo_id: str | None) -> EventDescription:
    scope = f"{todo_id}: " if todo_id else ""
    text = outcome.summary.partition("\n")[2] if outcome.ran else outcome.did
    made = tuple(f"{scope}made {file.path} version {file.version}" for file in outcome.artifacts)
    return EventDescription(text=f"{scope}{text}", details=made, continues=True)


def _describe_phases(subject: str, phases: list[tuple[str, str]]) -> EventDescription:
    return EventDescription(
        text=f"{subject}: {count_noun(len(phases), 'phase')}",
        details=tuple(f"{name} {title}" for name, title in phases),
    )
