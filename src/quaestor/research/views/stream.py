"""How the events of a research session stand in the public stream: its plan, its todos, its findings and its report."""

from collections.abc import Iterable, Iterator
from typing import Literal

from quaestor.contracts.event import Event
from quaestor.contracts.immutable import replace
from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.contracts.source import Source
from quaestor.contracts.stream import (
    PROGRAM_AGENT,
    FinalReport,
    InterimFinding,
    InterimFindings,
    InterimQuote,
    PlanChange,
    PlannedTodo,
    StreamEvent,
    TodoChange,
)
from quaestor.contracts.stream_view import StreamState
from quaestor.research.contracts.plan import Todo
from quaestor.research.events import (
    ContradictionsFound,
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    ReportVerified,
    ReportWritten,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.research.todos.outcome import without_reply
from quaestor.research.views.document import render_document
from quaestor.views.stream_events import EventHeader, event_header, status, truncate_message


def describe(known: StreamState, event: Event) -> tuple[StreamEvent, ...]:  # noqa: C901 -- one arm an event
    """Return the events of the stream that come from one of research's own; `known` is the fold of those before it."""
    head = event_header(event)
    match event.payload:
        case PlanCreated(plan=plan, fallback=fallback, assumptions=assumptions):
            agent = PROGRAM_AGENT if fallback else known.author("PlanDraft")
            change = PlanChange(**head, change="created", agent=agent, todos=_planned_todos(plan.todos))
            return (change, *(status(head, f"assumed: {assumed}", over=True) for assumed in assumptions))
        case PlanUpdated() as updated:
            return (*_plan_growth(head, known, updated), *_failed_in_review(head, known, updated))
        case TodoStarted():
            todo_id = event.todo_id or ""
            agent = known.delegate(todo_id)
            return (TodoChange(**head, status="started", todo_id=todo_id, task=known.task(todo_id), agent=agent),)
        case TodoRecorded(entry=entry):
            return (_interim_findings(head, known, entry), _todo_ended(head, known, entry.todo_id, "done"))
        case TodoFailed(reason=reason):
            return (_todo_ended(head, known, event.todo_id or "", "failed", without_reply(reason)),)
        case TodoBlocked(waits_for=waits_for):
            return (
                _todo_ended(
                    head, known, event.todo_id or "", "blocked", f"waits for {', '.join(waits_for)}, which failed"
                ),
            )
        case ContradictionsFound(contradictions=found):
            return (status(head, f"{len(found)} contradictions between sources", over=True),) if found else ()
        case ReportVerified() as verified:
            return (status(head, f"verified: {verified.summary()}", over=True),)
        case ReportWritten(report=report):
            agent = known.author("Frame")
            text = render_document(report, "md")
            return (FinalReport(**head, markdown=text, agent=agent, version=report.version, kind=report.kind),)
        case PlanEdited(plan=plan):
            return (PlanChange(**head, change="edited", agent=PROGRAM_AGENT, todos=_planned_todos(plan.todos)),)
        case TodoRetried(todo=todo):
            change = PlanChange(
                **head, change="updated", agent=PROGRAM_AGENT, todos=_planned_todos([todo]), after=todo.retries
            )
            return (change,)
        case PlanReviewed(review=review):
            return (status(head, f"the plan is {review.replace('_', ' ')}"),)
        case _:
            return ()


def fold(known: StreamState, event: Event) -> StreamState:
    """Return what is known after one more event of research's own."""
    match event.payload:
        case PlanCreated(plan=plan):
            return replace(known, todos=_by_id(_planned_todos(plan.todos)))
        case PlanEdited(plan=plan):
            return replace(known, todos=_by_id(_planned_todos(plan.todos)))
        case TodoRetried(todo=todo):
            return replace(known, todos={**known.todos, **_by_id(_planned_todos([todo]))})
        case PlanUpdated(update=update, added=added):
            failed = {update.completed_todo_id} if update.status == "failed" else set()
            return replace(known, todos={**known.todos, **_by_id(_planned_todos(added))}, done=known.done - failed)
        case TodoRecorded(entry=entry):
            return replace(known, done=known.done | {entry.todo_id})
        case _:
            return known


def _planned_todos(todos: Iterable[Todo]) -> tuple[PlannedTodo, ...]:
    """Return todos as the plan names them."""
    return tuple(
        PlannedTodo(todo_id=todo.id, task=todo.task, kind=todo.kind, agent=todo.agent, dependencies=todo.dependencies)
        for todo in todos
    )


def _by_id(todos: Iterable[PlannedTodo]) -> dict[str, PlannedTodo]:
    return {todo.todo_id: todo for todo in todos}


def _todo_ended(
    head: EventHeader,
    known: StreamState,
    todo_id: str,
    status: Literal["done", "failed", "blocked"],
    reason: str | None = None,
) -> TodoChange:
    return TodoChange(
        **head,
        status=status,
        todo_id=todo_id,
        task=known.task(todo_id),
        agent=known.actor(todo_id),
        reason=None if reason is None else truncate_message(reason),
    )


def _interim_findings(head: EventHeader, known: StreamState, entry: LedgerEntry) -> InterimFindings:
    sources = {source.sha256: source for source in entry.sources}
    return InterimFindings(
        **head,
        todo_id=entry.todo_id,
        task=known.task(entry.todo_id),
        findings=tuple(_interim_finding(finding, sources) for finding in entry.findings),
        agent=known.author("Reading", entry.todo_id),
    )


def _interim_finding(finding: Finding, sources: dict[str, Source]) -> InterimFinding:
    quotes = tuple(
        InterimQuote(
            text=quote.text,
            source=quote.source,
            title=sources[quote.source].title if quote.source in sources else "",
            uri=sources[quote.source].uri if quote.source in sources else "",
        )
        for quote in finding.quotes
    )
    return InterimFinding(id=finding.id, claim=finding.claim, quotes=quotes)


def _plan_growth(head: EventHeader, known: StreamState, updated: PlanUpdated) -> Iterator[PlanChange]:
    if updated.added or updated.refused:
        after = updated.update.completed_todo_id
        yield PlanChange(
            **head,
            change="updated",
            agent=known.author("Review", after),
            todos=_planned_todos(updated.added),
            after=after,
            refused=updated.refused,
        )


def _failed_in_review(head: EventHeader, known: StreamState, updated: PlanUpdated) -> Iterator[TodoChange]:
    """Return the events for a done todo that its reviewer judged as failed."""
    todo_id = updated.update.completed_todo_id
    if updated.update.status == "failed" and todo_id in known.done:
        yield _todo_ended(head, known, todo_id, "failed", "its reviewer judged that it failed")
