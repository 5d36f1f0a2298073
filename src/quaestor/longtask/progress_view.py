"""The live view of a task: its phases with their checklists, what it does now, and what was done last."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import assert_never

from quaestor.contracts.event import Event, FactRecorded
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.progress import (
    Discovery,
    Figure,
    ItemStatus,
    ProgressItem,
    RunPosition,
    WorkflowProgress,
)
from quaestor.longtask.contracts import Acted, Judged, Phase, PhaseStatus
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


class TaskProgress(Immutable):
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
