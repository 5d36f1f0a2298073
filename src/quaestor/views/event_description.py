"""The events of the core in words. Those of a workflow are described by its plugin."""

import json
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal

from pydantic import JsonValue

from quaestor.contracts.codec import serialize_payload, value_to_json
from quaestor.contracts.event import (
    SESSION_SCOPE,
    ActionCancelled,
    Answered,
    ApprovalRevoked,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    ErrorRecorded,
    Event,
    FactRecorded,
    FinishRequested,
    Forked,
    Labelled,
    ModelRequested,
    ModelResponded,
    Paused,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    ToolCall,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.payload import Value
from quaestor.contracts.progress import EventDescription
from quaestor.views.text import first_lines, format_amount, truncate_columns, truncate_line

Describe = Callable[[Event], EventDescription]

_MAX_TEXT_WIDTH = 110
"""Terminal cells of the first line of a description; a line below it is indented and shorter."""


def description_lines(description: EventDescription) -> tuple[str, ...]:
    """Return the lines for a person who watches a run: none for a detail, the lines below indented."""
    if description.importance == "detail":
        return ()
    details = first_lines([f"  {truncate_columns(line)}" for line in description.details])
    indent = "  " if description.continues else ""
    return (f"{indent}{truncate_line(description.text, _MAX_TEXT_WIDTH)}", *details)


def describe_event(event: Event) -> EventDescription:
    """Describe an event of the core; any other by its stored JSON, as a detail."""
    return next(
        (
            description
            for describe in (
                _describe_run,
                _describe_budget,
                _describe_person,
                _describe_model_call,
                _describe_tool_call,
            )
            if (description := describe(event))
        ),
        _detail(serialize_payload(event.payload)[2]),
    )


def _describe_run(event: Event) -> EventDescription | None:
    """Describe where the session as a whole is."""
    match event.payload:
        case SessionStarted(workflow=workflow, question=question):
            return _detail(f"{workflow}: {question}")
        case StateEntered(scope=scope):
            entered = event.state.lower().replace("_", " ")
            return EventDescription(text=entered) if scope == SESSION_SCOPE else _detail(f"{scope}: {entered}")
        case CycleStarted(question=question):
            asked = f": {question}" if question else ""
            return EventDescription(text=f"cycle {event.cycle} starts{asked}")
        case Forked(origin=event.session_id, at=at):
            return EventDescription(text=f"imported up to event {at}")
        case Forked(origin=origin, at=at):
            return EventDescription(text=f"forked from event {at} of {origin}")
        case Resumed(after=after):
            return EventDescription(text=f"resumed after a {after}")
        case Paused(reason=reason):
            return EventDescription(text=f"paused: {reason}")
        case SessionFinished(outcome=outcome, statement=statement):
            return _detail(f"{outcome}: {statement}")
        case ErrorRecorded(message=message):
            return _problem(f"error: {message}")
        case _:
            return None


def _describe_budget(event: Event) -> EventDescription | None:
    match event.payload:
        case BudgetWarned() as warned:
            return _problem(_describe_budget_warning(warned))
        case BudgetReached(limit=limit):
            return _problem(f"budget reached: {limit}")
        case ApprovalRevoked(standing=standing):
            return EventDescription(text=f"asked about again: {standing.describe()}")
        case BudgetRaised():
            return EventDescription(text="budget raised")
        case _:
            return None


def _describe_person(event: Event) -> EventDescription | None:
    """Describe what a person was asked, answered or ordered."""
    match event.payload:
        case QuestionAsked(questions=questions):
            return EventDescription(text=f"question: {' '.join(questions)}")
        case Answered(text=text):
            return EventDescription(text=f"answered: {text}")
        case FinishRequested():
            return EventDescription(text="asked to finish")
        case Cancelled():
            return EventDescription(text="cancelled")
        case Labelled(labels=labels):
            return EventDescription(text=f"labelled: {', '.join(labels)}")
        case _:
            return None


def _describe_model_call(event: Event) -> EventDescription | None:
    """Describe a request to a model, the reply, and what was made of it."""
    match event.payload:
        case ModelRequested() as request:
            again = f", attempt {request.attempt}" if request.attempt > 1 else ""
            expected = request.contract or f"calls of {', '.join(request.tools)}"
            return _detail(f"{request.role} is asked for {expected}{again}")
        case ModelResponded(role=role, error=str(error)):
            return _problem(f"{event.todo_id or SESSION_SCOPE}: the {role} got no reply: {error}")
        case ModelResponded() as response:
            return _detail(f"{response.role}: {'; '.join(_reply_parts(response))}")
        case ToolsChosen(role=role, calls=calls, refused=refused):
            parts = (*_format_calls(calls), *(f"refused: {reason}" for reason in refused))
            return _detail(f"{role}: {'; '.join(parts) or 'no more calls'}")
        case ContractAccepted(contract=contract, output=output):
            return _detail(f"{contract} {_format_value(output)}")
        case ContractRejected(contract=contract, objections=objections):
            return _detail(f"{contract}: {'; '.join(objections)}")
        case _:
            return None


def _describe_tool_call(event: Event) -> EventDescription | None:
    """Describe the run of a tool, or a fact that a workflow recorded."""
    match event.payload:
        case ToolRequested(tool=tool, given=given):
            return _detail(f"{tool} {_format_value(given)}")
        case ToolResponded(tool=tool, result=result, error=error):
            return _detail(f"{tool}: {error or _format_value(result)}")
        case ToolInterrupted(tool=tool):
            return _detail(f"{tool} was running when its process ended; how far it came is not known")
        case ActionCancelled(key=key):
            return _detail(f"{key} was stopped, as it is no longer needed")
        case FactRecorded(contract=contract, value=value):
            return _detail(f"{contract} {_format_value(value)}")
        case _:
            return None


def _describe_budget_warning(warned: BudgetWarned) -> str:
    used, allowed = Decimal(warned.used), Decimal(warned.allowed)
    share = f"{100 * used // allowed} % of " if allowed else ""
    limit = f"the {warned.limit.replace('_', ' ')} that gathering may use"
    return f"{share}{limit} are spent: {format_amount(used)} of {format_amount(allowed)}"


def _reply_parts(response: ModelResponded) -> Iterator[str]:
    if response.cached:
        yield "from cache"
    if response.reply:
        yield response.reply
    yield from _format_calls(response.calls)


def _format_calls(calls: Iterable[ToolCall]) -> Iterator[str]:
    return (f"{call.tool} {_format_value(call.given)}" for call in calls)


def _format_value(value: Value) -> str:
    return format_json(value_to_json(value))


def format_json(value: JsonValue) -> str:
    """Format a value for one line: fields by name, a list of objects as its length, anything else as JSON."""
    match value:
        case dict():
            return ", ".join(f"{name} {format_json(part)}" for name, part in value.items())
        case [dict(), *_]:
            return f"({len(value)})"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _detail(text: str) -> EventDescription:
    return EventDescription(text=text, importance="detail")


def _problem(text: str) -> EventDescription:
    return EventDescription(text=text, importance="problem")
