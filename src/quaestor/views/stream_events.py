"""The public stream of a session: none, one or several stream events for each event of its log.

What an event of the log does not say itself is folded from those before it, so a follower may start at any number.
Neither what a model said and no contract took is in the stream, nor the objections to it, which may quote it.
"""

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Literal, TypedDict, assert_never

from pydantic import JsonValue

from quaestor.contracts.codec import value_to_json
from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    SESSION_SCOPE,
    ActionCancelled,
    Answered,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    ContradictionsFound,
    CycleStarted,
    ErrorRecorded,
    Event,
    FactRecorded,
    FinishRequested,
    Forked,
    MemoryCompressed,
    ModelRequested,
    ModelResponded,
    Paused,
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    QuestionAsked,
    ReportVerified,
    ReportWritten,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    TodoBlocked,
    TodoFailed,
    TodoRecorded,
    TodoRetried,
    TodoStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
    UnknownPayload,
    Value,
    WorkflowPayload,
)
from quaestor.contracts.ledger import Finding, LedgerEntry
from quaestor.contracts.source import Source
from quaestor.contracts.stream import (
    MAX_JSON_CHARACTERS,
    MAX_MESSAGE_CHARACTERS,
    PROGRAM_AGENT,
    BudgetChange,
    ClarificationNeeded,
    Failure,
    FinalReport,
    Finished,
    InterimFinding,
    InterimFindings,
    InterimQuote,
    PauseStarted,
    PlanChange,
    SpendTotals,
    Status,
    StreamEvent,
    TodoChange,
    ToolRequest,
    ToolResponse,
)
from quaestor.research.views.report_markdown import render_markdown
from quaestor.views.escaping import one_line
from quaestor.views.stream_state import StreamState, fold_stream, planned_todos

StreamEvents = tuple[StreamEvent, ...]

_CYCLE_REASONS = {
    "question": "with a follow-up question",
    "refresh": "with a new look at the sources",
    "decision": "to decide",
}


def stream_session(events: Iterable[Event], after: int = 0) -> Iterator[StreamEvent]:
    """Give the stream of a session; `events` are all from the first, those up to the number `after` are only folded."""
    known = StreamState()
    for event in events:
        if event.seq > after:
            yield from stream_events(known, event)
        known = fold_stream(known, event)


def stream_events(known: StreamState, event: Event) -> StreamEvents:  # noqa: C901, PLR0915 -- one arm an event
    """Give what the stream says of one event; `known` is the fold of those before it."""
    head = _EventHeader(seq=event.seq, at=event.at, session_id=event.session_id)
    match event.payload:
        case SessionStarted(question=question):
            return (_status(head, f"begins: {question}"),)
        case StateEntered(scope=scope):
            return (_status(head, event.state.lower().replace("_", " ")),) if scope == SESSION_SCOPE else ()
        case PlanCreated(plan=plan, fallback=fallback):
            agent = PROGRAM_AGENT if fallback else known.author("PlanDraft")
            return (PlanChange(**head, change="created", agent=agent, todos=planned_todos(plan.todos)),)
        case PlanUpdated() as updated:
            return (*_plan_growth(head, known, updated), *_failed_in_review(head, known, updated))
        case TodoStarted():
            todo_id = event.todo_id or ""
            agent = known.delegate(todo_id)
            return (TodoChange(**head, status="started", todo_id=todo_id, task=known.task(todo_id), agent=agent),)
        case TodoRecorded(entry=entry):
            return (_interim_findings(head, known, entry), _todo_ended(head, known, entry.todo_id, "done"))
        case TodoFailed(reason=reason):
            todo_id = event.todo_id or ""
            silent = known.silent.get(todo_id)
            why = f"the {silent} gave no usable answer" if silent else reason
            return (_todo_ended(head, known, todo_id, "failed", why),)
        case TodoBlocked(waits_for=waits_for):
            return (
                _todo_ended(
                    head, known, event.todo_id or "", "blocked", f"waits for {', '.join(waits_for)}, which failed"
                ),
            )
        case ModelRequested() as asked:
            return (_status(head, f"works on {_describe_work(known, asked, event.todo_id)}", asked.role),)
        case ModelResponded() as answered:
            return (*_model_failure(head, answered), *_spend_change(head, known, answered.spend))
        case ToolsChosen(role=role, calls=calls, refused=refused):
            return (_status(head, f"tool calls: {len(calls)} chosen, {len(refused)} refused", role, over=True),)
        case ContractAccepted(contract=contract, role=role):
            return (_status(head, f"gave its {contract} for {event.todo_id or 'the question'}", role, over=True),)
        case ContractRejected(final=False, role=role):
            return (_status(head, "its answer is refused, and it is asked again", role),)
        case ContractRejected(key=key, role=role, contract=contract):
            why = f"event {event.seq} of the log says why"
            return (_failure(head, f"the {role} gave no usable {contract}; {why}", role, key),)
        case ToolRequested() as asked:
            return (_tool_request(head, known, asked, event.todo_id),)
        case ToolResponded() as answered:
            return tuple(_tool_result(head, known, answered, event.todo_id))
        case ToolInterrupted() as stopped:
            how = "was running when its process ended; it is not known how far it came"
            failure = _failure(head, f"{stopped.tool} {how}", known.caller(stopped.key), stopped.key)
            return (_tool_response(head, known, stopped, event.todo_id, "interrupted"), failure)
        case ActionCancelled(key=key):
            return _cancelled_call(head, known, key)
        case ContradictionsFound(contradictions=found):
            return (_status(head, f"{len(found)} contradictions between sources", over=True),) if found else ()
        case BudgetWarned() as near:
            return (_budget_change(head, "warned", known.spent, near.limit, near),)
        case BudgetReached(limit=limit):
            return (_budget_change(head, "reached", known.spent, limit),)
        case ReportVerified(supported=supported, unsupported=unsupported):
            return (_status(head, f"verified: {supported} claims supported, {unsupported} unsupported", over=True),)
        case ReportWritten(report=report):
            agent = known.author("Frame")
            return (FinalReport(**head, markdown=render_markdown(report), agent=agent, version=report.version),)
        case Paused(kind=kind, reason=reason):
            return (PauseStarted(**head, kind=kind, reason=reason),)
        case Resumed(after=after):
            return (_status(head, f"goes on after a {after}"),)
        case SessionFinished(outcome=outcome, statement=statement):
            return (_budget_change(head, "spent", known.spent), Finished(**head, outcome=outcome, statement=statement))
        case ErrorRecorded(message=message, key=key):
            return (_failure(head, message, known.caller(key), key),)
        case QuestionAsked() as asked:
            question = " ".join(asked.questions)
            return (ClarificationNeeded(**head, question=question, agent=asked.agent, ref=asked.ref, kind=asked.kind),)
        case Answered(ref=ref):
            return (_status(head, f"a person answered {ref}"),)
        case PlanEdited(plan=plan):
            return (PlanChange(**head, change="edited", agent=PROGRAM_AGENT, todos=planned_todos(plan.todos)),)
        case TodoRetried(todo=todo):
            change = PlanChange(
                **head, change="updated", agent=PROGRAM_AGENT, todos=planned_todos([todo]), after=todo.retries
            )
            return (change,)
        case PlanReviewed(review=review):
            return (_status(head, f"the plan is {review.replace('_', ' ')}"),)
        case FinishRequested():
            return (_status(head, "a person asked for the report"),)
        case Cancelled():
            return (_status(head, "a person cancelled the session"),)
        case Forked(origin=origin, at=at):
            return (_status(head, f"goes on from event {at} of session {origin}"),)
        case BudgetRaised():
            return (_status(head, "a person raised the budget"),)
        case CycleStarted(why=why, question=question):
            return (_status(head, f"begins again, {_CYCLE_REASONS[why]}{f': {question}' if question else ''}"),)
        case FactRecorded(contract=contract):
            return (_status(head, f"recorded: {contract}", over=True),)
        case MemoryCompressed() | WorkflowPayload() | UnknownPayload():
            return ()
        case never:
            assert_never(never)


class _EventHeader(TypedDict):
    """What every event of the stream begins with."""

    seq: int
    at: datetime
    session_id: str


def _status(head: _EventHeader, message: str, agent: str = PROGRAM_AGENT, *, over: bool = False) -> Status:
    return Status(**head, message=_truncate_message(message), agent=agent, is_partial=not over)


def _failure(head: _EventHeader, message: str, agent: str | None, ref: str | None) -> Failure:
    return Failure(**head, message=_truncate_message(message), agent=agent, ref=ref)


def _describe_work(known: StreamState, asked: ModelRequested, todo_id: str | None) -> str:
    again = f", attempt {asked.attempt}" if asked.attempt > 1 else ""
    return f"{todo_id}{again}: {known.task(todo_id)}" if todo_id else f"the question{again}"


def _todo_ended(
    head: _EventHeader,
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
        reason=None if reason is None else _truncate_message(reason),
    )


def _interim_findings(head: _EventHeader, known: StreamState, entry: LedgerEntry) -> InterimFindings:
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


def _plan_growth(head: _EventHeader, known: StreamState, updated: PlanUpdated) -> Iterator[PlanChange]:
    if updated.added or updated.refused:
        after = updated.update.completed_todo_id
        yield PlanChange(
            **head,
            change="updated",
            agent=known.author("PlanUpdate", after),
            todos=planned_todos(updated.added),
            after=after,
            refused=updated.refused,
        )


def _failed_in_review(head: _EventHeader, known: StreamState, updated: PlanUpdated) -> Iterator[TodoChange]:
    """Say that a todo which was done counts as failed, when its reviewer judged so."""
    todo_id = updated.update.completed_todo_id
    if updated.update.status == "failed" and todo_id in known.done:
        yield _todo_ended(head, known, todo_id, "failed", "its reviewer judged that it failed")


def _model_failure(head: _EventHeader, answered: ModelResponded) -> Iterator[Failure]:
    if answered.error is not None:
        yield _failure(head, f"the {answered.role} got no reply: {answered.error}", answered.role, answered.key)


def _spend_change(head: _EventHeader, known: StreamState, spend: Spend) -> Iterator[BudgetChange]:
    if spend.tokens or spend.dollars:
        yield _budget_change(head, "spent", known.spent + spend)


def _budget_change(
    head: _EventHeader,
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


def _tool_request(head: _EventHeader, known: StreamState, asked: ToolRequested, todo_id: str | None) -> ToolRequest:
    given, is_cut = _truncate_json(asked.given)
    agent = known.actor(todo_id)
    return ToolRequest(**head, agent=agent, tool=asked.tool, input=given, is_cut=is_cut, ref=asked.key)


def _tool_response(
    head: _EventHeader,
    known: StreamState,
    ended: ToolResponded | ToolInterrupted,
    todo_id: str | None,
    outcome: Literal["done", "failed", "interrupted"],
    result: Value = None,
) -> ToolResponse:
    output, is_cut = _truncate_json(result)
    agent = known.caller(ended.key) or known.actor(todo_id)
    return ToolResponse(
        **head, agent=agent, tool=ended.tool, outcome=outcome, output=output, is_cut=is_cut, ref=ended.key
    )


def _tool_result(
    head: _EventHeader, known: StreamState, answered: ToolResponded, todo_id: str | None
) -> Iterator[ToolResponse | Failure]:
    if answered.error is None:
        yield _tool_response(head, known, answered, todo_id, "done", answered.result)
    else:
        yield _tool_response(head, known, answered, todo_id, "failed")
        yield _failure(head, f"{answered.tool} failed: {answered.error}", known.caller(answered.key), answered.key)


def _cancelled_call(head: _EventHeader, known: StreamState, key: str) -> StreamEvents:
    call = known.open.get(key)
    if call is None:
        return ()
    if call.tool is None:
        return (_status(head, "is not needed any more, and was stopped", call.agent, over=True),)
    cancelled = ToolResponse(
        **head, agent=call.agent, tool=call.tool, outcome="cancelled", output=None, is_cut=False, ref=key
    )
    return (cancelled,)


def _truncate_json(value: Value) -> tuple[JsonValue, bool]:
    """Return the JSON of a value, or its beginning as a text where that is too long; and whether it is."""
    plain = value_to_json(value)
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return (text[:MAX_JSON_CHARACTERS], True) if len(text) > MAX_JSON_CHARACTERS else (plain, False)


def _truncate_message(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= MAX_MESSAGE_CHARACTERS else f"{line[: MAX_MESSAGE_CHARACTERS - 1]}…"
