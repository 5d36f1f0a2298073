"""The spans of a session, as a fold of its events. Pure: the same events give the same spans, with the same ids.

    cycle                     invoke_workflow research
    ├── todo                  todo t1
    │   ├── action            reader Findings
    │   │   └── model call    chat gpt-5-mini
    │   └── tool call         execute_tool search_web
    └── action                writer Section

A span is returned with the event that ends it, so what is open is all that has to be remembered. No text of the
session is in a span: neither its question nor prompts, replies, results or reasons.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from types import MappingProxyType

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    BudgetReached,
    BudgetWarned,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    Event,
    ModelRequested,
    ModelResponded,
    Outcome,
    Paused,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)
from quaestor.storage.followers.trace_attributes import (
    AttributeValue,
    reply_attributes,
    reply_error,
    request_attributes,
    result_error,
    spend_attributes,
    split_model_name,
    tool_attributes,
)

_MAX_NOTES = 128
"""Events of one span, as in the SDKs of OpenTelemetry; later ones are counted."""
_OPENING = (SessionStarted, CycleStarted, Resumed, StateEntered, ModelRequested, ToolRequested)
"""What begins a cycle's span after the one before was ended."""


@dataclass(frozen=True, slots=True)
class SpanNote:
    """An event within a span."""

    at: datetime
    name: str
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Span:
    """A span that has ended; its times are those of the events that began and ended it."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start: datetime
    end: datetime
    attributes: Mapping[str, AttributeValue]
    is_client: bool = False
    error: str | None = None
    notes: Sequence[SpanNote] = ()
    notes_dropped: int = 0


@dataclass(frozen=True, slots=True)
class OpenSpan:
    """A span that has begun."""

    trace_id: str
    span_id: str
    start: datetime
    name: str
    last: datetime
    """When the last event came that it is the subject of."""
    parent_id: str | None
    attributes: Mapping[str, AttributeValue]
    is_client: bool = False


@dataclass(frozen=True, slots=True)
class TraceState:
    """What is open after an event of a session."""

    seq: int = 0
    hash: str | None = None
    at: datetime | None = None
    workflow: str = ""
    cycle: OpenSpan | None = None
    spend: Spend = field(default_factory=Spend)
    """Of the open cycle."""
    notes: tuple[SpanNote, ...] = ()
    notes_dropped: int = 0
    todos: Mapping[str, OpenSpan] = field(default_factory=dict)
    actions: Mapping[str, OpenSpan] = field(default_factory=dict)
    """Of roles, by key: the calls until a reply is accepted, or given up."""
    calls: Mapping[str, OpenSpan] = field(default_factory=dict)
    """Of models and tools, by key."""


Step = tuple[TraceState, tuple[Span, ...]]


def fold_trace(state: TraceState, event: Event, event_hash: str | None = None) -> Step:
    """Return the state after an event, and the spans that it ends, inner ones first."""
    ended: tuple[Span, ...] = ()
    match event.payload:
        case CycleStarted() if state.at:
            state, ended = _end_cycle(state, state.at)
        case Resumed() if state.at:  # the process that made these calls is gone
            state, ended = _end_calls(state, tuple(state.calls), state.at, "interrupted")
        case _:
            pass
    state = _note(_touch(_open_cycle(state, event), event), event)
    state, more = _end(_begin(state, event), event)
    return replace(state, seq=event.seq, hash=event_hash, at=event.at), (*ended, *more)


def trace_id(session_id: str) -> str:
    """Return the 16 bytes that name the trace of a session, as hexadecimal digits."""
    return sha256(f"trace\0{session_id}".encode(errors="surrogatepass")).hexdigest()[:32]


def span_id(session_id: str, kind: str, seq: int) -> str:
    """Return the 8 bytes, as hexadecimal digits, that name the span which begins with the event of this number."""
    return sha256(f"{kind}\0{seq}\0{session_id}".encode(errors="surrogatepass")).hexdigest()[:16]


def _begin(state: TraceState, event: Event) -> TraceState:
    """Return the state with the span open that an event begins."""
    match event.payload:
        case SessionStarted(workflow=workflow):
            return replace(state, workflow=workflow, cycle=state.cycle and _named(state.cycle, workflow))
        case ModelRequested() as asked:
            return _begin_model_call(state, event, asked)
        case ToolRequested() as asked:
            parent = _scope(state, event)
            call = _opened(event, "tool", f"execute_tool {asked.tool}", parent, tool_attributes(asked))
            return replace(state, calls={**state.calls, asked.key: call})
        case _:
            return state


def _end(state: TraceState, event: Event) -> Step:
    """Return the state without the spans that an event ends, and these."""
    at = event.at
    match event.payload:
        case ModelResponded(key=key) as reply:
            state = replace(state, spend=state.spend + reply.spend)
            return _end_calls(state, (key,), at, reply_error(reply), reply_attributes(reply))
        case ToolResponded(key=key, spend=spend) as result:
            state = replace(state, spend=state.spend + spend)
            return _end_calls(state, (key,), at, result_error(result), spend_attributes(spend))
        case ToolInterrupted(key=key):
            return _end_calls(state, (key,), at, "interrupted")
        case ContractAccepted(key=key) | ToolsChosen(key=key):
            return _end_action(state, key, at, None)
        case ContractRejected(key=key, final=True):
            return _end_action(state, key, at, "rejected")
        case ActionCancelled(key=key):
            state, calls = _end_calls(state, (key,), at, "cancelled")
            state, actions = _end_action(state, key, at, "cancelled")
            return state, (*calls, *actions)
        case SessionFinished(outcome=outcome):
            return _end_cycle(state, at, outcome)
        case _:
            return state, ()


def _opened(
    event: Event, kind: str, name: str, parent: OpenSpan | None, attributes: Mapping[str, AttributeValue]
) -> OpenSpan:
    """Return the span that begins with an event; `kind` tells it from others that begin with the same one."""
    return OpenSpan(
        trace_id=trace_id(event.session_id),
        span_id=span_id(event.session_id, kind, event.seq),
        start=event.at,
        name=name,
        last=event.at,
        parent_id=parent.span_id if parent else None,
        attributes=attributes,
        is_client=kind == "call",
    )


def _open_cycle(state: TraceState, event: Event) -> TraceState:
    if state.cycle or not isinstance(event.payload, _OPENING):
        return state
    attributes: dict[str, AttributeValue] = {"gen_ai.conversation.id": event.session_id, "quaestor.cycle": event.cycle}
    return replace(state, cycle=_named(_opened(event, "cycle", "", None, attributes), state.workflow))


def _named(cycle: OpenSpan, workflow: str) -> OpenSpan:
    own = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": workflow}
    return replace(cycle, name=f"invoke_workflow {workflow}".rstrip(), attributes={**cycle.attributes, **own})


def _touch(state: TraceState, event: Event) -> TraceState:
    """Return the state in which the todo of an event is open, and was the subject of one now."""
    if event.todo_id is None or state.cycle is None:
        return state
    todo = state.todos.get(event.todo_id) or _opened(
        event, "todo", f"todo {event.todo_id}", state.cycle, {"quaestor.todo.id": event.todo_id}
    )
    return replace(state, todos={**state.todos, event.todo_id: replace(todo, last=event.at)})


def _note(state: TraceState, event: Event) -> TraceState:
    attributes = _noted(event)
    if attributes is None or state.cycle is None:
        return state
    if len(state.notes) == _MAX_NOTES:
        return replace(state, notes_dropped=state.notes_dropped + 1)
    return replace(state, notes=(*state.notes, SpanNote(event.at, event.type, attributes)))


def _noted(event: Event) -> Mapping[str, AttributeValue] | None:
    """Return what is noted of an event at the span of its cycle; None: nothing."""
    match event.payload:
        case StateEntered() if event.todo_id is None:
            return {"quaestor.state": event.state}
        case QuestionAsked(kind=kind) | Paused(kind=kind):
            return {"quaestor.kind": kind}
        case Resumed(after=after):
            return {"quaestor.after": after}
        case BudgetWarned(limit=limit):
            return {"quaestor.limit": limit}
        case BudgetReached(spent=spent):
            return spend_attributes(spent)
        case payload if payload.type in {"answered", "finish_requested", "cancelled", "budget_raised", "error"}:
            return {}
        case _:
            return None


def _begin_model_call(state: TraceState, event: Event, asked: ModelRequested) -> TraceState:
    """Return the state in which a call is open, below the action of its key, which the first call opens."""
    own: dict[str, AttributeValue] = {
        "gen_ai.agent.name": asked.role,
        "quaestor.action.key": asked.key,
        "quaestor.action.ordinal": asked.ordinal,
    }
    name = f"{asked.role} {asked.contract or 'tools'}"
    action = state.actions.get(asked.key) or _opened(event, "action", name, _scope(state, event), own)
    attributes = request_attributes(asked, event.session_id)
    call = _opened(event, "call", f"chat {split_model_name(asked.model)[1]}", action, attributes)
    return replace(
        state,
        actions={**state.actions, asked.key: replace(action, last=event.at)},
        calls={**state.calls, asked.key: call},
    )


def _scope(state: TraceState, event: Event) -> OpenSpan | None:
    """Return the todo that an event is about, or the cycle."""
    return state.todos.get(event.todo_id or "") or state.cycle


def _end_calls(
    state: TraceState,
    keys: Sequence[str],
    at: datetime,
    error: str | None,
    more: Mapping[str, AttributeValue] = MappingProxyType({}),
) -> Step:
    ended = tuple(_ended(state.calls[key], at, error, more) for key in keys if key in state.calls)
    return replace(state, calls={key: call for key, call in state.calls.items() if key not in keys}), ended


def _end_action(state: TraceState, key: str, at: datetime, error: str | None) -> Step:
    action = state.actions.get(key)
    if action is None:
        return state, ()
    rest = {other: opened for other, opened in state.actions.items() if other != key}
    return replace(state, actions=rest), (_ended(action, at, error),)


def _end_cycle(state: TraceState, at: datetime, outcome: Outcome | None = None) -> Step:
    """Return the state with nothing open, and the spans of all that was."""
    if state.cycle is None:
        return state, ()
    _, calls = _end_calls(state, tuple(state.calls), at, "interrupted")
    inner = tuple(_ended(each, each.last, None) for each in (*state.actions.values(), *state.todos.values()))
    more = {**spend_attributes(state.spend), **({"quaestor.outcome": outcome} if outcome else {})}
    root = replace(
        _ended(state.cycle, at, "failed" if outcome == "failed" else None, more),
        notes=state.notes,
        notes_dropped=state.notes_dropped,
    )
    return TraceState(workflow=state.workflow), (*calls, *inner, root)


def _ended(
    opened: OpenSpan, at: datetime, error: str | None, more: Mapping[str, AttributeValue] = MappingProxyType({})
) -> Span:
    return Span(
        trace_id=opened.trace_id,
        span_id=opened.span_id,
        parent_id=opened.parent_id,
        name=opened.name,
        start=opened.start,
        end=max(opened.start, at),  # clocks of two machines may differ
        attributes={**opened.attributes, **more, **({"error.type": error} if error else {})},
        is_client=opened.is_client,
        error=error,
    )
