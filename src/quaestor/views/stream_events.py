"""The public stream of a session: none, one or several stream events for each event of its log.

What an event of the log does not say itself is folded from those before it, so a follower may start at any number.
Neither what a model said and no contract took is in the stream, nor the objections to it, which may quote it.
"""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Literal, TypedDict, assert_never

from pydantic import JsonValue

from quaestor.contracts.codec import value_to_json
from quaestor.contracts.cost import Spend
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
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
    UnknownPayload,
)
from quaestor.contracts.payload import Value, WorkflowPayload
from quaestor.contracts.stream import (
    MAX_JSON_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    PROGRAM_AGENT,
    BudgetChange,
    ClarificationNeeded,
    Failure,
    Finished,
    PauseStarted,
    SpendTotals,
    Status,
    StreamEvent,
    ToolRequest,
    ToolResponse,
)
from quaestor.contracts.stream_view import StreamState, StreamView
from quaestor.views.escaping import one_line
from quaestor.views.stream_state import fold_stream

StreamEvents = tuple[StreamEvent, ...]


class StreamEncoder:
    """An encoder from the events of a session to those of its stream, one by one."""

    def __init__(self, view: StreamView, known: StreamState | None = None) -> None:
        self._view = view
        self.known = known or StreamState()
        """The fold of the events until now."""

    def encode(self, event: Event) -> StreamEvents:
        """Return the stream events of the next event."""
        streamed = stream_events(self.known, event, self._view)
        self.known = fold_stream(self.known, event, self._view)
        return streamed


def stream_events(known: StreamState, event: Event, view: StreamView) -> StreamEvents:  # noqa: C901 -- one arm an event
    """Return the stream events of one event; `known` is the fold of those before it."""
    head = event_header(event)
    match event.payload:
        case SessionStarted(question=question):
            return (status(head, f"begins: {question}"),)
        case StateEntered(scope=scope):
            return (status(head, event.state.lower().replace("_", " ")),) if scope == SESSION_SCOPE else ()
        case ModelRequested() as asked:
            return (status(head, f"works on {_describe_work(known, asked, event.todo_id)}", asked.role),)
        case ModelResponded() as answered:
            return (*_model_failure(head, answered), *_spend_change(head, known, answered.spend))
        case ToolsChosen(role=role, calls=calls, refused=refused):
            return (status(head, f"tool calls: {len(calls)} chosen, {len(refused)} refused", role, over=True),)
        case ContractAccepted(contract=contract, role=role):
            return (status(head, f"gave its {contract} for {event.todo_id or 'the question'}", role, over=True),)
        case ContractRejected() as rejected:
            return (_rejection(head, rejected),)
        case ToolRequested() as asked:
            return (_tool_request(head, known, asked, event.todo_id),)
        case ToolResponded() as answered:
            return tuple(_tool_result(head, known, answered, event.todo_id))
        case ToolInterrupted() as stopped:
            return _interrupted_call(head, known, stopped, event.todo_id)
        case ActionCancelled(key=key):
            return _cancelled_call(head, known, key)
        case BudgetWarned() as near:
            return (_budget_change(head, "warned", known.spent, near.limit, near),)
        case BudgetReached(limit=limit):
            return (_budget_change(head, "reached", known.spent, limit),)
        case Paused(kind=kind, reason=reason):
            return (PauseStarted(**head, kind=kind, reason=reason),)
        case Resumed(after=after):
            return (status(head, f"continues after a {after}"),)
        case SessionFinished(outcome=outcome, statement=statement):
            return (_budget_change(head, "spent", known.spent), Finished(**head, outcome=outcome, statement=statement))
        case ErrorRecorded(message=message, key=key):
            return (_failure(head, message, known.caller(key), key),)
        case (
            QuestionAsked()
            | Answered()
            | FinishRequested()
            | Cancelled()
            | Labelled()
            | Forked()
            | ApprovalRevoked()
            | BudgetRaised() as person
        ):
            return (_person_status(head, person),)
        case CycleStarted(why=why, question=question):
            purpose = view.cycles.get(why, f"for a {why}")
            return (status(head, f"begins again, {purpose}{f': {question}' if question else ''}"),)
        case FactRecorded(contract=contract):
            return (status(head, f"recorded: {contract}", over=True),)
        case WorkflowPayload():
            return view.describe(known, event)
        case UnknownPayload():
            return ()
        case never:
            assert_never(never)


class EventHeader(TypedDict):
    """What every event of the stream begins with."""

    seq: int
    at: datetime
    session_id: str


def event_header(event: Event) -> EventHeader:
    """Return what every event of the stream that comes from this event begins with."""
    return EventHeader(seq=event.seq, at=event.at, session_id=event.session_id)


def _person_status(
    head: EventHeader,
    payload: QuestionAsked
    | Answered
    | FinishRequested
    | Cancelled
    | Labelled
    | Forked
    | ApprovalRevoked
    | BudgetRaised,
) -> StreamEvent:
    """Return the event of the stream for a question to a person, or for what a person did."""
    match payload:
        case QuestionAsked() as asked:
            question = " ".join(asked.questions)
            return ClarificationNeeded(**head, question=question, agent=asked.agent, ref=asked.ref, kind=asked.kind)
        case Answered(ref=ref):
            return status(head, f"a person answered {ref}")
        case FinishRequested():
            return status(head, "a person asked to finish")
        case Cancelled():
            return status(head, "a person cancelled the session")
        case Forked(origin=origin, at=at):
            return status(head, f"continues from event {at} of session {origin}")
        case Labelled(labels=labels):
            return status(head, f"labelled: {', '.join(labels)}", over=True)
        case ApprovalRevoked(standing=standing):
            return status(head, f"a person revoked an approval: {standing.describe()}")
        case BudgetRaised():
            return status(head, "a person raised the budget")


def status(head: EventHeader, message: str, agent: str = PROGRAM_AGENT, *, over: bool = False) -> Status:
    """Build what is going on, in one line; `over` when nothing more about it follows."""
    return Status(**head, message=truncate_message(message), agent=agent, is_partial=not over)


def _failure(head: EventHeader, message: str, agent: str | None, ref: str | None) -> Failure:
    return Failure(**head, message=truncate_message(message), agent=agent, ref=ref)


def _describe_work(known: StreamState, asked: ModelRequested, todo_id: str | None) -> str:
    again = f", attempt {asked.attempt}" if asked.attempt > 1 else ""
    return f"{todo_id}{again}: {known.task(todo_id)}" if todo_id else f"the question{again}"


def _model_failure(head: EventHeader, answered: ModelResponded) -> Iterator[Failure]:
    if answered.error is not None:
        yield _failure(head, f"the {answered.role} got no reply: {answered.error}", answered.role, answered.key)


def _rejection(head: EventHeader, rejected: ContractRejected) -> Status | Failure:
    role = rejected.role
    if not rejected.final:
        return status(head, "its answer is refused, and it is asked again", role)
    why = f"event {head['seq']} of the log says why"
    return _failure(head, f"the {role} gave no usable {rejected.contract}; {why}", role, rejected.key)


def _spend_change(head: EventHeader, known: StreamState, spend: Spend) -> Iterator[BudgetChange]:
    if spend.tokens or spend.dollars:
        yield _budget_change(head, "spent", known.spent + spend)


def _budget_change(
    head: EventHeader,
    standing: Literal["spent", "warned", "reached"],
    spent: Spend,
    limit: str | None = None,
    near: BudgetWarned | None = None,
) -> BudgetChange:
    return BudgetChange(
        **head,
        standing=standing,
        spent=SpendTotals.model_validate(spent.model_dump()),
        limit=limit,
        used=near.used if near else None,
        allowed=near.allowed if near else None,
    )


def _tool_request(head: EventHeader, known: StreamState, asked: ToolRequested, todo_id: str | None) -> ToolRequest:
    given, is_cut = _truncate_json(asked.given)
    agent = known.actor(todo_id)
    return ToolRequest(**head, agent=agent, tool=asked.tool, input=given, is_cut=is_cut, ref=asked.key)


def _tool_response(
    head: EventHeader,
    agent: str,
    ended: ToolResponded | ToolInterrupted,
    outcome: Literal["done", "failed", "interrupted"],
    result: Value = None,
) -> ToolResponse:
    output, is_cut = _truncate_json(result)
    return ToolResponse(
        **head, agent=agent, tool=ended.tool, outcome=outcome, output=output, is_cut=is_cut, ref=ended.key
    )


def _tool_result(
    head: EventHeader, known: StreamState, answered: ToolResponded, todo_id: str | None
) -> Iterator[ToolResponse | Failure]:
    agent = known.caller(answered.key) or known.actor(todo_id)
    if answered.error is None:
        yield _tool_response(head, agent, answered, "done", answered.result)
    else:
        yield _tool_response(head, agent, answered, "failed")
        yield _failure(head, f"{answered.tool} failed: {answered.error}", known.caller(answered.key), answered.key)


def _interrupted_call(
    head: EventHeader, known: StreamState, stopped: ToolInterrupted, todo_id: str | None
) -> StreamEvents:
    how = "was running when its process ended; it is not known how far it came"
    caller = known.caller(stopped.key)
    failure = _failure(head, f"{stopped.tool} {how}", caller, stopped.key)
    return (_tool_response(head, caller or known.actor(todo_id), stopped, "interrupted"), failure)


def _cancelled_call(head: EventHeader, known: StreamState, key: str) -> StreamEvents:
    call = known.open.get(key)
    if call is None:
        return ()
    if call.tool is None:
        return (status(head, "is not needed any more, and was stopped", call.agent, over=True),)
    cancelled = ToolResponse(
        **head, agent=call.agent, tool=call.tool, outcome="cancelled", output=None, is_cut=False, ref=key
    )
    return (cancelled,)


def _truncate_json(value: Value) -> tuple[JsonValue, bool]:
    """Return the JSON of a value, or its beginning as a text where that is too long; and whether it is."""
    plain = value_to_json(value)
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return (text[:MAX_JSON_CHARACTERS], True) if len(text) > MAX_JSON_CHARACTERS else (plain, False)


def truncate_message(text: str) -> str:
    """Return a text as one line of bounded length."""
    line = one_line(text)
    return line if len(line) <= MAX_MESSAGE_CHARACTERS else f"{line[: MAX_MESSAGE_CHARACTERS - 1]}…"
