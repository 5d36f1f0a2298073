"""The events of a research session in words."""

from collections.abc import Sequence

from quaestor.contracts.event import Event
from quaestor.contracts.progress import EventDescription
from quaestor.research.contracts.plan import Todo
from quaestor.research.events import (
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    ReportVerified,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.views.text import count_noun


def describe_event(event: Event) -> EventDescription | None:
    """Describe an event of a research session; None for one that the core describes."""
    match event.payload:
        case TodoStarted():
            return EventDescription(text=f"{event.todo_id} started")
        case TodoRecorded(entry=entry):
            found = f"{count_noun(len(entry.findings), 'finding')} from {count_noun(len(entry.sources), 'source')}"
            text = f"{entry.todo_id} recorded: {found if entry.findings else 'nothing found'}"
            return EventDescription(text=text, details=() if entry.findings else entry.gaps)
        case TodoFailed(reason=reason):
            return EventDescription(text=f"{event.todo_id} failed: {reason}", importance="problem")
        case TodoBlocked(waits_for=waits_for):
            return EventDescription(text=f"{event.todo_id} blocked: it waits for {', '.join(waits_for)}")
        case ReportVerified() as verified:
            return EventDescription(text=f"verified: {verified.summary()}")
        case _:
            return _describe_plan(event)


def _describe_plan(event: Event) -> EventDescription | None:
    match event.payload:
        case PlanCreated(plan=plan, fallback=str(reason)):
            text = f"plan: {count_noun(len(plan.todos), 'todo')} (the planner failed: {reason})"
            return EventDescription(text=text, details=_todo_lines(plan.todos), importance="problem")
        case PlanCreated(plan=plan, assumptions=assumptions):
            details = (*_todo_lines(plan.todos), *(f"assumed: {assumed}" for assumed in assumptions))
            return EventDescription(text=f"plan: {count_noun(len(plan.todos), 'todo')}", details=details)
        case PlanUpdated(update=update, added=(), refused=()):
            return EventDescription(text=f"{update.completed_todo_id} reviewed: {update.status}", importance="detail")
        case PlanUpdated(update=update, added=added, refused=refused):
            text = f"{update.completed_todo_id} led to {count_noun(len(added), 'todo')}"
            return EventDescription(text=text, details=(*_todo_lines(added), *refused))
        case PlanEdited(plan=plan):
            text = f"plan edited: {count_noun(len(plan.todos), 'todo')}"
            return EventDescription(text=text, details=_todo_lines(plan.todos))
        case PlanReviewed(review=review):
            return EventDescription(text=f"plan {review.replace('_', ' ')}")
        case TodoRetried(todo=todo):
            return EventDescription(text=f"{todo.retries} is tried again as {todo.id}")
        case _:
            return None


def _todo_lines(todos: Sequence[Todo]) -> tuple[str, ...]:
    return tuple(f"{todo.id}  {todo.task}" for todo in todos)
