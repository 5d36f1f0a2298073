"""A run told in plain lines, for logs and pipes: one line for each event that a reader would want to know."""

from collections.abc import Sequence
from decimal import Decimal

from quaestor.cli import rounds
from quaestor.cli.phrase import counted, cut, first
from quaestor.contracts.event import (
    Answered,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    Cancelled,
    ContractAccepted,
    CycleStarted,
    Error,
    Event,
    FactRecorded,
    FinishRequested,
    Forked,
    ModelResponded,
    Paused,
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    QuestionAsked,
    ReportVerified,
    Resumed,
    StateEntered,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
)
from quaestor.contracts.plan import Todo
from quaestor.contracts.workflow import SESSION_SCOPE
from quaestor.views.spend import amount
from quaestor.workflows.parts.rounds import table

_OF_ROUNDS = table("").keys()
"""States of a task, which says what it does instead."""


def told(event: Event) -> tuple[str, ...]:  # noqa: C901 -- one arm an event
    """Give the lines for one event; most events have none."""
    match event.payload:
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            return () if event.state in _OF_ROUNDS else (event.state.lower().replace("_", " "),)
        case ContractAccepted(contract="TaskPlanDraft", output=output):
            return rounds.planned(output, event.todo_id)
        case FactRecorded(contract=contract, value=value):
            return rounds.concluded(contract, value, event.todo_id)
        case PlanCreated(plan=plan, fallback=fallback):
            reason = f" (the planner failed: {cut(fallback)})" if fallback else ""
            return (f"plan: {counted(len(plan.todos), 'todo')}{reason}", *_todos(plan.todos))
        case PlanUpdated(update=update, added=added, refused=refused):
            grown = (f"{update.completed_todo_id} led to {counted(len(added), 'todo')}",) if added else ()
            return (*grown, *_todos(added), *map(cut, refused))
        case QuestionAsked(questions=questions):
            return tuple(f"question: {cut(question)}" for question in questions)
        case Answered(text=text):
            return (f"answered: {cut(text)}",)
        case PlanEdited(plan=plan):
            return (f"plan edited: {counted(len(plan.todos), 'todo')}", *_todos(plan.todos))
        case PlanReviewed(review=review):
            return (f"plan {review.replace('_', ' ')}",)
        case TodoRetried(todo=todo):
            return (f"{todo.retries} is tried again as {todo.id}",)
        case FinishRequested():
            return ("asked to finish",)
        case Cancelled():
            return ("cancelled",)
        case Forked(origin=origin, at=at):
            return (f"forked from event {at} of {origin}",)
        case BudgetRaised():
            return ("budget raised",)
        case CycleStarted(question=question):
            return (f"asked on: {cut(question)}" if question else "looks again",)
        case TodoStarted(todo_id=todo_id):
            return (f"{todo_id} started",)
        case TodoRecorded(entry=entry):
            found = f"{counted(len(entry.findings), 'finding')} from {counted(len(entry.sources), 'source')}"
            return (f"{entry.todo_id} recorded: {found if entry.findings else 'nothing found'}",)
        case TodoFailed(todo_id=todo_id, reason=reason):
            return (f"{todo_id} failed: {cut(reason)}",)
        case TodoBlocked(todo_id=todo_id, waits_for=waits_for):
            return (f"{todo_id} blocked: it waits for {', '.join(waits_for)}",)
        case ModelResponded(role=role, todo_id=todo_id, error=str(error)):
            return (f"{todo_id or 'session'}: the {role} got no reply: {cut(error)}",)
        case BudgetWarned() as warned:
            return (_warning(warned),)
        case BudgetReached(limit=limit):
            return (f"budget reached: {limit}",)
        case ReportVerified(supported=supported, unsupported=unsupported):
            return (f"verified: {counted(supported, 'claim')} supported, {unsupported} unsupported",)
        case Resumed(after=after):
            return (f"goes on after a {after}",)
        case Paused(reason=reason):
            return (f"paused: {cut(reason)}",)
        case Error(message=message):
            return (f"error: {cut(message)}",)
        case _:
            return ()


def _warning(warned: BudgetWarned) -> str:
    used, allowed = Decimal(warned.used), Decimal(warned.allowed)
    share = f"{100 * used // allowed} % of " if allowed else ""
    what = f"the {warned.limit.replace('_', ' ')} that gathering may use"
    return f"{share}{what} are spent: {amount(used)} of {amount(allowed)}"


def _todos(todos: Sequence[Todo]) -> tuple[str, ...]:
    return first([f"  {todo.id}  {cut(todo.task)}" for todo in todos])
