"""The progress of a research session, for a live view: a small fold of its events, and the rows of its todos."""

from collections.abc import Iterator, Mapping

from quaestor.contracts.event import SESSION_SCOPE, Event, StateEntered, ToolRequested, ToolResponded
from quaestor.contracts.immutable import Immutable, field, replace
from quaestor.contracts.progress import Discovery, Figure, ProgressItem, RunPosition, WorkflowProgress
from quaestor.research.contracts.plan import Plan, Todo, TodoStatus
from quaestor.research.contracts.tools import Proof
from quaestor.research.events import TodoRecorded
from quaestor.research.planning import todo_graph
from quaestor.research.views import time_estimate
from quaestor.research.views.time_estimate import TodoTimings
from quaestor.views.text import count_noun

_MAX_RECENT_FINDINGS = 8
"""Findings that are kept to be shown, the last ones."""

_MAX_NAMED_DEPENDENCIES = 2
"""Todos that are named which another one waits for."""

_EXECUTING_STATE = "EXECUTING"
"""The state of the session in which todos are carried out."""
_LOOP_STATE = "QUERYING"
"""The state of a todo in which each of its loops begins."""


class ResearchProgress(Immutable):
    """What the live view knows; mappings are by todo id."""

    plan: Plan = field(default_factory=Plan)
    executing: bool = False
    todo_states: Mapping[str, str] = field(default_factory=dict)
    loops: Mapping[str, int] = field(default_factory=dict)
    findings: Mapping[str, int] = field(default_factory=dict)
    recent_findings: tuple[Discovery, ...] = ()
    searches: int = 0
    timings: TodoTimings = field(default_factory=TodoTimings)


class ResearchProgressView:
    """The live view of a research session; a `ProgressView`."""

    def begin(self) -> ResearchProgress:
        """Return the view before any event."""
        return ResearchProgress()

    def fold(self, view: ResearchProgress, event: Event, seconds: float) -> ResearchProgress:
        """Return the view after one more event."""
        plan = todo_graph.fold(view.plan, event)
        view = replace(view, plan=plan, timings=time_estimate.fold(view.timings, event, plan, seconds))
        match event.payload:
            case StateEntered(scope=scope) if scope == SESSION_SCOPE:
                return replace(view, executing=event.state == _EXECUTING_STATE)
            case StateEntered(scope=scope):
                loops = {**view.loops, scope: view.loops.get(scope, 0) + (event.state == _LOOP_STATE)}
                return replace(view, todo_states={**view.todo_states, scope: event.state}, loops=loops)
            case ToolRequested(tool="search"):
                return replace(view, searches=view.searches + 1)
            case ToolResponded(result=Proof() as proof) if event.todo_id:
                return _add_findings(view, event.todo_id, proof)
            case TodoRecorded(entry=entry):
                return replace(view, findings={**view.findings, entry.todo_id: len(entry.findings)})
            case _:
                return view

    def progress(self, view: ResearchProgress, position: RunPosition) -> WorkflowProgress:
        """Return what is shown at this moment."""
        return WorkflowProgress(
            figures=tuple(_figures(view)),
            forecast=_forecast(view, position),
            items=tuple(_item(view, todo) for todo in view.plan.todos),
            news=view.recent_findings,
        )


def _add_findings(view: ResearchProgress, todo_id: str, proof: Proof) -> ResearchProgress:
    found = tuple(Discovery(item=todo_id, text=finding.claim) for finding in proof.findings)
    findings = {**view.findings, todo_id: view.findings.get(todo_id, 0) + len(found)}
    return replace(view, findings=findings, recent_findings=(*view.recent_findings, *found)[-_MAX_RECENT_FINDINGS:])


def _figures(view: ResearchProgress) -> Iterator[Figure]:
    todos = view.plan.todos
    yield Figure(text=f"{sum(todo.status is TodoStatus.DONE for todo in todos)}/{len(todos)} todos")
    if failed := sum(todo.status is TodoStatus.FAILED for todo in todos):
        yield Figure(text=f"{failed} failed", alert=True)
    yield Figure(text=count_noun(view.searches, "search", "searches"))
    yield Figure(text=count_noun(sum(view.findings.values()), "finding"))


def _forecast(view: ResearchProgress, position: RunPosition) -> str | None:
    """Return how long the todos may still take, as long as they are carried out."""
    if not (position.working and view.executing):
        return None
    pending = sum(todo.status is TodoStatus.PENDING for todo in view.plan.todos)
    return time_estimate.describe_remaining(view.timings, pending, position.seconds, position.limit)


def _item(view: ResearchProgress, todo: Todo) -> ProgressItem:
    in_progress = todo.status is TodoStatus.IN_PROGRESS
    activity = view.todo_states.get(todo.id, "starting") if in_progress else todo.status.value
    loop, found = view.loops.get(todo.id, 0), view.findings.get(todo.id, 0)
    notes = (
        f"loop {loop}" if loop > 1 and in_progress else "",
        _waiting_for(view.plan, todo),
        f"{found} found" if found else "",
    )
    return ProgressItem(
        id=todo.id,
        parent=todo.id.rpartition(".")[0] or None,
        status=todo.status.value,
        activity=activity.lower().replace("_", " "),
        note="  ".join(filter(None, notes)),
        text=todo.task,
    )


def _waiting_for(plan: Plan, todo: Todo) -> str:
    waits = [other for other in todo.dependencies if not _is_done(plan, other)]
    if not waits or todo.status is not TodoStatus.PENDING:
        return ""
    more = len(waits) - _MAX_NAMED_DEPENDENCIES
    return f"after {', '.join((*waits[:_MAX_NAMED_DEPENDENCIES], *([f'{more} more'] if more > 0 else [])))}"


def _is_done(plan: Plan, todo_id: str) -> bool:
    todo = plan.todo(todo_id)
    return todo is not None and todo.status is TodoStatus.DONE
