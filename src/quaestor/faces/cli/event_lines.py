"""A run told in plain lines, for logs and pipes: one line for each event that a reader would want to know."""

from collections.abc import Sequence
from decimal import Decimal

from quaestor.app.text import count_noun, first_lines, format_amount, truncate_line
from quaestor.contracts.event import (
    SESSION_SCOPE,
    Answered,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    Cancelled,
    ContractAccepted,
    CycleStarted,
    ErrorRecorded,
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
    Value,
)
from quaestor.longtask import tool_calls
from quaestor.longtask.contracts import Acted, EditRefused, Judged, PlanAdopted, TaskPlanDraft
from quaestor.longtask.routing import state_rows
from quaestor.research.contracts.plan import Todo

_TASK_STATES = state_rows("").keys()
"""States of a task, which says what it does instead."""


def describe_event(event: Event) -> tuple[str, ...]:  # noqa: C901 -- one arm an event
    """Give the lines for one event; most events have none."""
    match event.payload:
        case StateEntered(scope=scope) if scope == SESSION_SCOPE:
            return () if event.state in _TASK_STATES else (event.state.lower().replace("_", " "),)
        case ContractAccepted(contract="TaskPlanDraft", output=output):
            return describe_plan(output, event.todo_id)
        case FactRecorded(contract=contract, value=value):
            return describe_task_fact(contract, value, event.todo_id)
        case PlanCreated(plan=plan, fallback=fallback):
            reason = f" (the planner failed: {truncate_line(fallback)})" if fallback else ""
            return (f"plan: {count_noun(len(plan.todos), 'todo')}{reason}", *_todo_lines(plan.todos))
        case PlanUpdated(update=update, added=added, refused=refused):
            grown = (f"{update.completed_todo_id} led to {count_noun(len(added), 'todo')}",) if added else ()
            return (*grown, *_todo_lines(added), *map(truncate_line, refused))
        case QuestionAsked(questions=questions):
            return tuple(f"question: {truncate_line(question)}" for question in questions)
        case Answered(text=text):
            return (f"answered: {truncate_line(text)}",)
        case PlanEdited(plan=plan):
            return (f"plan edited: {count_noun(len(plan.todos), 'todo')}", *_todo_lines(plan.todos))
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
            return (f"asked on: {truncate_line(question)}" if question else "looks again",)
        case TodoStarted():
            return (f"{event.todo_id} started",)
        case TodoRecorded(entry=entry):
            found = f"{count_noun(len(entry.findings), 'finding')} from {count_noun(len(entry.sources), 'source')}"
            return (f"{entry.todo_id} recorded: {found if entry.findings else 'nothing found'}",)
        case TodoFailed(reason=reason):
            return (f"{event.todo_id} failed: {truncate_line(reason)}",)
        case TodoBlocked(waits_for=waits_for):
            return (f"{event.todo_id} blocked: it waits for {', '.join(waits_for)}",)
        case ModelResponded(role=role, error=str(error)):
            return (f"{event.todo_id or 'session'}: the {role} got no reply: {truncate_line(error)}",)
        case BudgetWarned() as warned:
            return (_describe_budget_warning(warned),)
        case BudgetReached(limit=limit):
            return (f"budget reached: {limit}",)
        case ReportVerified(supported=supported, unsupported=unsupported):
            return (f"verified: {count_noun(supported, 'claim')} supported, {unsupported} unsupported",)
        case Resumed(after=after):
            return (f"goes on after a {after}",)
        case Paused(reason=reason):
            return (f"paused: {truncate_line(reason)}",)
        case ErrorRecorded(message=message):
            return (f"error: {truncate_line(message)}",)
        case _:
            return ()


def _describe_budget_warning(warned: BudgetWarned) -> str:
    used, allowed = Decimal(warned.used), Decimal(warned.allowed)
    share = f"{100 * used // allowed} % of " if allowed else ""
    what = f"the {warned.limit.replace('_', ' ')} that gathering may use"
    return f"{share}{what} are spent: {format_amount(used)} of {format_amount(allowed)}"


def _todo_lines(todos: Sequence[Todo]) -> tuple[str, ...]:
    return first_lines([f"  {todo.id}  {truncate_line(todo.task)}" for todo in todos])


def describe_plan(value: Value, todo_id: str | None) -> tuple[str, ...]:
    """Tell the first plan of a task, or of a todo that is done like one."""
    phases = TaskPlanDraft.model_validate(value).phases
    return _phase_lines(
        f"{todo_id} plan" if todo_id else "plan",
        [(f"Phase {number}", phase.title) for number, phase in enumerate(phases, 1)],
    )


def describe_task_fact(contract: str, value: Value, todo_id: str | None) -> tuple[str, ...]:
    """Tell what a task concluded by itself; nothing of what no task concludes."""
    match contract:
        case "Judged":
            return _describe_verdict(Judged.model_validate(value), todo_id)
        case "Acted":
            return _describe_tool_outcome(Acted.model_validate(value), todo_id)
        case "PlanAdopted":
            phases = PlanAdopted.model_validate(value).plan.phases
            return _phase_lines("task_plan.md was edited", [(phase.id, phase.title) for phase in phases])
        case "EditRefused":
            return (
                f"the edit of task_plan.md cannot be used: {truncate_line(EditRefused.model_validate(value).reason)}",
            )
        case _:
            return ()


def _describe_verdict(judged: Judged, todo_id: str | None) -> tuple[str, ...]:
    who = f"{todo_id} " if todo_id else ""
    refusal = (f"not run: {judged.refusal}",) if judged.refusal else ()
    call = (tool_calls.describe_call(judged.call),) if judged.call else ()
    return (
        f"{who}round {judged.round}: {truncate_line(judged.answer)}",
        *_indented_lines(*judged.faults, *refusal, *call),
    )


def _describe_tool_outcome(acted: Acted, todo_id: str | None) -> tuple[str, ...]:
    who = f"{todo_id}: " if todo_id else ""
    came = acted.summary.partition("\n")[2] if acted.ran else acted.did
    made = (f"{who}made {one.path} version {one.version}" for one in acted.artifacts)
    return _indented_lines(f"{who}{came}", *made)


def _phase_lines(what: str, phases: list[tuple[str, str]]) -> tuple[str, ...]:
    return (
        f"{what}: {count_noun(len(phases), 'phase')}",
        *_indented_lines(*(f"{name}  {title}" for name, title in phases)),
    )


def _indented_lines(*lines: str) -> tuple[str, ...]:
    return first_lines([f"  {truncate_line(line)}" for line in lines])
