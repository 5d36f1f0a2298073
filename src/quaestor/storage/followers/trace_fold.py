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
    """A span that has begun; `kind` and the number of the event that began it are its identity in the session."""

    kind: str
    seq: int
    start: datetime
    name: str
    last: datetime
    """When the last event came that it is the subject of."""
    parent: str | None = None
    attributes: Mapping[str, AttributeValue] = field(default_factory=dict)


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
    session, payload = event.session_id, event.payload
    ended: tuple[Span, ...] = ()
    match payload:
        case CycleStarted() if state.at:
            state, ended = _end_cycle(state, session, state.at, {})
        case Resumed() if state.at:  # the process that made these calls is gone
            state, ended = _end_calls(state, session, tuple(state.calls), state.at, "interrupted")
    state = _note(_touch(_open_cycle(state, event), event), event)
    state, more = _apply(state, event)
    return replace(state, seq=event.seq, hash=event_hash, at=event.at), (*ended, *more)


def trace_id(session_id: str) -> str:
    """Return the 16 bytes that name the trace of a session, as hexadecimal digits."""
    return sha256(f"trace\0{session_id}".encode(errors="surrogatepass")).hexdigest()[:32]


def span_id(session_id: str, kind: str, seq: int) -> str:
    """Return the 8 bytes, as hexadecimal digits, that name the span which begins with the event of this number."""
    return sha256(f"{kind}\0{seq}\0{session_id}".encode(errors="surrogatepass")).hexdigest()[:16]


def _apply(state: TraceState, event: Event) -> Step:
    session, at = event.session_id, event.at
    match event.payload:
        case SessionStarted(workflow=workflow):
            return replace(state, workflow=workflow, cycle=_named(state.cycle, workflow)), ()
        case ModelRequested() as asked:
            return _begin_model_call(state, event, asked), ()
        case ToolRequested() as asked:
            name, attributes = f"execute_tool {asked.tool}", tool_attributes(asked)
            call = OpenSpan("tool", event.seq, at, name, at, _scope(state, event), attributes)
            return replace(state, calls={**state.calls, asked.key: call}), ()
        case ModelResponded() as reply:
            state = replace(state, spend=state.spend + reply.spend)
            return _end_calls(state, session, (reply.key,), at, reply_error(reply), reply_attributes(reply))
        case ToolResponded(key=key, spend=spend, error=error, unavailable=unavailable):
            fault = None if error is None else "unavailable" if unavailable else "error"
            state = replace(state, spend=state.spend + spend)
            return _end_calls(state, session, (key,), at, fault, spend_attributes(spend))
        case ToolInterrupted(key=key):
            return _end_calls(state, session, (key,), at, "interrupted")
        case ContractAccepted(key=key) | ToolsChosen(key=key):
            return _end_action(state, session, key, at, None)
        case ContractRejected(key=key, final=True):
            return _end_action(state, session, key, at, "rejected")
        case ActionCancelled(key=key):
            state, calls = _end_calls(state, session, (key,), at, "cancelled")
            state, actions = _end_action(state, session, key, at, "cancelled")
            return state, (*calls, *actions)
        case SessionFinished(outcome=outcome):
            return _end_cycle(state, session, at, {"quaestor.outcome": outcome})
        case _:
            return state, ()


def _open_cycle(state: TraceState, event: Event) -> TraceState:
    if state.cycle or not isinstance(event.payload, _OPENING):
        return state
    attributes: dict[str, AttributeValue] = {
        "gen_ai.conversation.id": event.session_id,
        "quaestor.cycle": event.cycle,
    }
    opened = OpenSpan("cycle", event.seq, event.at, "invoke_workflow", event.at, None, attributes)
    return replace(state, cycle=_named(opened, state.workflow) if state.workflow else opened)


def _named(cycle: OpenSpan | None, workflow: str) -> OpenSpan | None:
    if cycle is None:
        return None
    own = {"gen_ai.operation.name": "invoke_workflow", "gen_ai.workflow.name": workflow}
    return replace(cycle, name=f"invoke_workflow {workflow}", attributes={**cycle.attributes, **own})


def _touch(state: TraceState, event: Event) -> TraceState:
    """Return the state in which the todo of an event is open, and was the subject of one now."""
    if event.todo_id is None or state.cycle is None:
        return state
    known = state.todos.get(event.todo_id)
    todo = (
        replace(known, last=event.at)
        if known
        else OpenSpan(
            kind="todo",
            seq=event.seq,
            start=event.at,
            name=f"todo {event.todo_id}",
            last=event.at,
            parent=_id(state.cycle, event.session_id),
            attributes={"quaestor.todo.id": event.todo_id},
        )
    )
    return replace(state, todos={**state.todos, event.todo_id: todo})


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
    action = state.actions.get(asked.key) or OpenSpan(
        kind="action",
        seq=event.seq,
        start=event.at,
        name=f"{asked.role} {asked.contract or 'tools'}",
        last=event.at,
        parent=_scope(state, event),
        attributes={
            "gen_ai.agent.name": asked.role,
            "quaestor.action.key": asked.key,
            "quaestor.action.ordinal": asked.ordinal,
        },
    )
    call = OpenSpan(
        kind="call",
        seq=event.seq,
        start=event.at,
        name=f"chat {split_model_name(asked.model)[1]}",
        last=event.at,
        parent=_id(action, event.session_id),
        attributes=request_attributes(asked, event.session_id),
    )
    return replace(
        state,
        actions={**state.actions, asked.key: replace(action, last=event.at)},
        calls={**state.calls, asked.key: call},
    )


def _scope(state: TraceState, event: Event) -> str | None:
    """Return the id of the todo that an event is about, or of the cycle."""
    scope = state.todos.get(event.todo_id or "") or state.cycle
    return _id(scope, event.session_id) if scope else None


def _id(opened: OpenSpan, session_id: str) -> str:
    return span_id(session_id, opened.kind, opened.seq)


def _end_calls(
    state: TraceState,
    session_id: str,
    keys: Sequence[str],
    at: datetime,
    error: str | None,
    more: Mapping[str, AttributeValue] = MappingProxyType({}),
) -> Step:
    ended = tuple(_ended(state.calls[key], session_id, at, error, more) for key in keys if key in state.calls)
    return replace(state, calls={key: call for key, call in state.calls.items() if key not in keys}), ended


def _end_action(state: TraceState, session_id: str, key: str, at: datetime, error: str | None) -> Step:
    action = state.actions.get(key)
    if action is None:
        return state, ()
    rest = {other: opened for other, opened in state.actions.items() if other != key}
    return replace(state, actions=rest), (_ended(action, session_id, at, error),)


def _end_cycle(state: TraceState, session_id: str, at: datetime, more: Mapping[str, AttributeValue]) -> Step:
    """Return the state with nothing open, and the spans of all that was."""
    if state.cycle is None:
        return state, ()
    state, calls = _end_calls(state, session_id, tuple(state.calls), at, "interrupted")
    inner = (*state.actions.values(), *state.todos.values())
    spans = tuple(_ended(each, session_id, each.last, None) for each in inner)
    error = "failed" if more.get("quaestor.outcome") == "failed" else None
    root = replace(
        _ended(state.cycle, session_id, at, error, {**spend_attributes(state.spend), **more}),
        notes=state.notes,
        notes_dropped=state.notes_dropped,
    )
    return TraceState(seq=state.seq, hash=state.hash, at=state.at, workflow=state.workflow), (*calls, *spans, root)


def _ended(
    opened: OpenSpan,
    session_id: str,
    at: datetime,
    error: str | None,
    more: Mapping[str, AttributeValue] = MappingProxyType({}),
) -> Span:
    return Span(
        trace_id=trace_id(session_id),
        span_id=_id(opened, session_id),
        parent_id=opened.parent,
        name=opened.name,
        start=opened.start,
        end=max(opened.start, at),  # clocks of two machines may differ
        attributes={**opened.attributes, **more, **({"error.type": error} if error else {})},
        is_client=opened.kind == "call",
        error=error,
    )
