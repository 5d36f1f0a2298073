"""The facts. A session is the fold of its events; nothing else is remembered.

Each payload has a `type` and a `version`. A log of an older version is read by upcasting (`storage` hands the
stored pair to `read`); what a newer version wrote is kept as `Unrecognised`, unchanged, and folds to nothing.
"""

import json
from datetime import datetime
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import Field, JsonValue, ValidationError, model_validator

from quaestor.contracts.agent import Message
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget, Spend, Usage
from quaestor.contracts.ledger import Contradiction, LedgerEntry, MemoryLine
from quaestor.contracts.source import Sha256
from quaestor.research.contracts.plan import Plan, PlanEdit, PlanUpdate, Todo
from quaestor.research.contracts.report import Report

_TODO_KEY_PREFIX = "todo/"
"""How the keys of a todo's own actions begin; its id follows."""
Outcome = Literal["done", "partial", "no_evidence", "failed", "cancelled"]
PauseKind = Literal["interrupt", "setup", "person"]
QuestionKind = Literal["clarification", "plan_confirmation", "approval", "escalation"]
"""What a run waits for a person for."""


class EventPayload(Contract):
    """The base of every event's content."""

    version: ClassVar[int] = 1


class SessionStarted(EventPayload):
    """A session begins: the question, the workflow that carries it, and the options it runs with."""

    type: Literal["session_started"] = "session_started"
    question: str
    workflow: str
    task_key: str
    options: JsonValue


class StateEntered(EventPayload):
    """The session (scope ``session``) or a todo (scope: its id) enters the state named by the event."""

    type: Literal["state_entered"] = "state_entered"
    scope: str
    previous: str | None


class PlanCreated(EventPayload):
    """The first plan stands; `fallback` says why it is not the planner's own."""

    type: Literal["plan_created"] = "plan_created"
    plan: Plan
    review: Literal["auto_approved", "awaiting_confirmation", "confirmed"] = "auto_approved"
    fallback: str | None = None


class PlanUpdated(EventPayload):
    """A reviewed todo: what was added after it, what was refused, and why."""

    type: Literal["plan_updated"] = "plan_updated"
    update: PlanUpdate
    added: tuple[Todo, ...] = ()
    refused: tuple[str, ...] = ()


class QuestionAsked(EventPayload):
    """The run asks a person and waits; whatever does not need the answer goes on."""

    type: Literal["question_asked"] = "question_asked"
    ref: str = Field(description="Names the question; its answer carries the same.")
    kind: QuestionKind
    questions: tuple[str, ...]
    agent: str = Field(description="The role that asks, or the part of the run.")


class Answered(EventPayload):
    """A person answered the question with this ref."""

    type: Literal["answered"] = "answered"
    ref: str
    text: str


class PlanEdited(EventPayload):
    """A person edited the plan, which now stands as given."""

    type: Literal["plan_edited"] = "plan_edited"
    edits: tuple[PlanEdit, ...]
    plan: Plan
    used: int = Field(description="The highest number of a todo of the plan so far; none is given twice.")


class PlanReviewed(EventPayload):
    """A person confirmed the plan, or ended its review."""

    type: Literal["plan_reviewed"] = "plan_reviewed"
    review: Literal["confirmed", "auto_approved"]


class TodoRetried(EventPayload):
    """A person wants a failed todo tried again, as this new one."""

    type: Literal["todo_retried"] = "todo_retried"
    todo: Todo


class FinishRequested(EventPayload):
    """A person wants the report written from what there is."""

    type: Literal["finish_requested"] = "finish_requested"


class Cancelled(EventPayload):
    """A person ended the session."""

    type: Literal["cancelled"] = "cancelled"


class BudgetRaised(EventPayload):
    """A person raised limits; the budget is now as given."""

    type: Literal["budget_raised"] = "budget_raised"
    budget: Budget


class Forked(EventPayload):
    """The session was begun with the events of another one up to this place, and goes on by itself from here."""

    type: Literal["forked"] = "forked"
    origin: str = Field(description="The id of the other session.")
    at: int = Field(description="The number of the last event that both have.")
    options: JsonValue = Field(description="What this session runs with from here on.")


class CycleStarted(EventPayload):
    """Another cycle of the session begins: a follow-up question, a refreshed report, or the next decision."""

    type: Literal["cycle_started"] = "cycle_started"
    why: Literal["question", "refresh", "decision"]
    question: str | None = Field(default=None, description="The follow-up question.")


class FactRecorded(EventPayload):
    """Something that a workflow concluded by itself, under a contract of its own."""

    type: Literal["fact_recorded"] = "fact_recorded"
    key: str
    contract: str = Field(description="The name of the contract that the value fulfils.")
    value: JsonValue


class TodoStarted(EventPayload):
    """A todo's dependencies are done and it begins."""

    type: Literal["todo_started"] = "todo_started"
    todo_id: str


class TodoRecorded(EventPayload):
    """A todo is done: its ledger entry, memory line, status and counters, in one fact."""

    type: Literal["todo_recorded"] = "todo_recorded"
    entry: LedgerEntry
    memory: MemoryLine
    loop_count: int
    tools_used: tuple[str, ...] = ()


class TodoFailed(EventPayload):
    """A todo ended without a result that can be used."""

    type: Literal["todo_failed"] = "todo_failed"
    todo_id: str
    reason: str
    loop_count: int = 0


class TodoBlocked(EventPayload):
    """A todo cannot start, because what it depends on finally failed."""

    type: Literal["todo_blocked"] = "todo_blocked"
    todo_id: str
    waits_for: tuple[str, ...]


class ModelRequested(EventPayload):
    """Intent: a role is asked for its contract, or to choose among tools; never both.

    `ordinal` counts the role's calls within one todo, `attempt` the replies that broke the contract.
    """

    version: ClassVar[int] = 2
    type: Literal["model_requested"] = "model_requested"
    key: str
    todo_id: str | None
    role: str
    model: str
    contract: str | None
    tools: tuple[str, ...] = ()
    ordinal: int
    attempt: int
    given: JsonValue
    objections: tuple[str, ...] = ()
    prompt: Sha256 | None = Field(default=None, description="Of the agent's file; none for a model without prompts.")
    messages: tuple[Message, ...] = Field(default=(), description="What the model is told, as it is sent.")
    reserved: Spend = Field(default=Spend(), description="The most the call can cost; held until it is answered.")

    @model_validator(mode="after")
    def _check_exactly_one(self) -> Self:
        if (self.contract is None) == (not self.tools):
            msg = f"a model call has a contract or tools, not {'both' if self.tools else 'neither'}"
            raise ValueError(msg)
        return self


class ToolCall(Contract):
    """A run of a tool that a model chose; `ref` matches it to its result."""

    ref: str
    tool: str
    given: JsonValue


class ModelResponded(EventPayload):
    """The reply as it came, or the error that came in its place."""

    version: ClassVar[int] = 2
    type: Literal["model_responded"] = "model_responded"
    key: str
    todo_id: str | None
    role: str
    reply: str | None
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = Field(default=None, description="Why the reply cannot count, as cut off or refused.")
    error: str | None
    spend: Spend = Field(description="Estimated from above where the provider did not say, or the call was lost.")
    usage: Usage | None = Field(default=None, description="Tokens as the provider counted them.")
    priced: bool = Field(default=True, description="False when the model's price is unknown, so no dollars count.")
    cached: bool = Field(default=False, description="Answered from an earlier session, at no cost.")
    notes: tuple[str, ...] = Field(default=(), description="What happened on the way: waits, retries, other modes.")
    milliseconds: int


class ToolsChosen(EventPayload):
    """What came of a tool pass: the calls to be made, and those that cannot be, with the reason."""

    type: Literal["tools_chosen"] = "tools_chosen"
    key: str
    todo_id: str | None
    role: str
    calls: tuple[ToolCall, ...] = ()
    refused: tuple[str, ...] = ()


class ContractAccepted(EventPayload):
    """The reply fulfils its contract."""

    version: ClassVar[int] = 2
    type: Literal["contract_accepted"] = "contract_accepted"
    key: str
    todo_id: str | None
    role: str
    contract: str
    output: JsonValue
    repaired: bool = Field(default=False, description="The reply was no valid JSON until it was repaired.")


class ContractRejected(EventPayload):
    """The reply breaks its contract; `final` when it will not be asked for again."""

    type: Literal["contract_rejected"] = "contract_rejected"
    key: str
    todo_id: str | None
    role: str
    contract: str
    attempt: int
    objections: tuple[str, ...]
    final: bool


class ToolRequested(EventPayload):
    """Intent: a tool is about to run."""

    version: ClassVar[int] = 2
    type: Literal["tool_requested"] = "tool_requested"
    key: str
    todo_id: str | None
    tool: str
    repeatable: bool
    given: JsonValue
    reserved: Spend = Spend()


class ToolResponded(EventPayload):
    """What a tool gave, or the error that came in its place."""

    type: Literal["tool_responded"] = "tool_responded"
    key: str
    todo_id: str | None
    tool: str
    result: JsonValue
    error: str | None
    spend: Spend
    milliseconds: int


class ToolInterrupted(EventPayload):
    """A tool that must not run twice was in flight when its process ended; nobody knows how far it came."""

    type: Literal["tool_interrupted"] = "tool_interrupted"
    key: str
    todo_id: str | None
    tool: str


class ActionCancelled(EventPayload):
    """An action in flight is no longer wanted and was stopped."""

    type: Literal["action_cancelled"] = "action_cancelled"
    key: str
    todo_id: str | None


class MemoryCompressed(EventPayload):
    """Several memory lines became one."""

    type: Literal["memory_compressed"] = "memory_compressed"
    line: MemoryLine
    fallback: bool = False


class ContradictionsFound(EventPayload):
    """Findings of different sources give one subject different values."""

    type: Literal["contradictions_found"] = "contradictions_found"
    contradictions: tuple[Contradiction, ...]


class BudgetWarned(EventPayload):
    """Four fifths of a limit are spent."""

    type: Literal["budget_warned"] = "budget_warned"
    limit: str = Field(description="Its name.")
    allowed: str
    used: str


class BudgetReached(EventPayload):
    """A limit does not allow the next action; gathering ends."""

    type: Literal["budget_reached"] = "budget_reached"
    limit: str = Field(description="Its name and its value.")
    spent: Spend
    refused_key: str


class QuoteVerdict(Contract):
    """Whether the quotes under one finding stand where they are said to stand."""

    finding: str
    verified: bool
    reason: str = ""


class ReportVerified(EventPayload):
    """Every finding that the report cites was compared with the stored sources."""

    type: Literal["report_verified"] = "report_verified"
    verdicts: tuple[QuoteVerdict, ...]
    supported: int
    unsupported: int


class ReportWritten(EventPayload):
    """A version of the report."""

    type: Literal["report_written"] = "report_written"
    report: Report


class Paused(EventPayload):
    """The run stops for now; it goes on when it is resumed."""

    type: Literal["paused"] = "paused"
    kind: PauseKind
    reason: str


class Resumed(EventPayload):
    """Another process, or the same one later, goes on with the run."""

    type: Literal["resumed"] = "resumed"
    after: Literal["pause", "crash"]
    reopened: tuple[str, ...] = Field(default=(), description="Keys of actions that were in flight.")


class SessionFinished(EventPayload):
    """The end, with its outcome."""

    type: Literal["session_finished"] = "session_finished"
    outcome: Outcome
    statement: str


class ErrorRecorded(EventPayload):
    """Something went wrong that no contract foresees; never a finding."""

    type: Literal["error"] = "error"
    message: str
    key: str | None = None


class UnknownPayload(EventPayload):
    """An event of a newer version, kept as it was stored."""

    type: str
    stored_version: int
    body: str


KnownPayload = (
    SessionStarted
    | StateEntered
    | PlanCreated
    | PlanUpdated
    | QuestionAsked
    | Answered
    | PlanEdited
    | PlanReviewed
    | TodoRetried
    | FinishRequested
    | Cancelled
    | BudgetRaised
    | Forked
    | CycleStarted
    | FactRecorded
    | TodoStarted
    | TodoRecorded
    | TodoFailed
    | TodoBlocked
    | ModelRequested
    | ModelResponded
    | ToolsChosen
    | ContractAccepted
    | ContractRejected
    | ToolRequested
    | ToolResponded
    | ToolInterrupted
    | ActionCancelled
    | MemoryCompressed
    | ContradictionsFound
    | BudgetWarned
    | BudgetReached
    | ReportVerified
    | ReportWritten
    | Paused
    | Resumed
    | SessionFinished
    | ErrorRecorded
)

PersonEvent = Answered | PlanEdited | PlanReviewed | TodoRetried | FinishRequested | Cancelled | BudgetRaised | Forked
"""What a person told. It may come while nobody carries the session on, so it moves no clock."""

_PAYLOAD_TYPES: dict[str, type[KnownPayload]] = {
    kind.model_fields["type"].default: kind for kind in get_args(KnownPayload)
}
PAYLOAD_VERSIONS: dict[str, int] = {name: kind.version for name, kind in _PAYLOAD_TYPES.items()}
"""The current version of every event type this release knows."""


class Event(Contract):
    """An immutable, numbered fact of one session."""

    session_id: str
    seq: int = Field(ge=1)
    cycle: int = Field(ge=1)
    at: datetime
    state: str
    payload: Annotated[KnownPayload, Field(discriminator="type")] | UnknownPayload

    @property
    def type(self) -> str:
        """The name of what happened."""
        return self.payload.type

    @property
    def todo_id(self) -> str | None:
        """The todo that the fact is about, or None for one about the session."""
        match self.payload:
            case TodoRecorded(entry=entry):
                return entry.todo_id
            case PlanUpdated(update=update):
                return update.completed_todo_id
            case TodoStarted() | TodoFailed() | TodoBlocked() | ActionCancelled() as own:
                return own.todo_id
            case ModelRequested() | ModelResponded() | ToolsChosen() | ContractAccepted() | ContractRejected() as own:
                return own.todo_id
            case ToolRequested() | ToolResponded() | ToolInterrupted() as own:
                return own.todo_id
            case FactRecorded(key=key) | QuestionAsked(ref=key) | Answered(ref=key) if key.startswith(_TODO_KEY_PREFIX):
                return key.split("/")[1]
            case _:
                return None


def serialize_payload(payload: KnownPayload | UnknownPayload) -> tuple[str, int, str]:
    """Give what is stored of a payload: its type, its version, and its other fields as JSON."""
    if isinstance(payload, UnknownPayload):
        return payload.type, payload.stored_version, payload.body
    return payload.type, payload.version, payload.model_dump_json(exclude={"type"})


def parse_payload(kind: str, version: int, body: str) -> KnownPayload | UnknownPayload:
    """Give the payload that was stored; what this release does not know is kept as `Unrecognised`."""
    known = _PAYLOAD_TYPES.get(kind)
    if known is None or version > known.version:
        return UnknownPayload(type=kind, stored_version=version, body=body)
    try:
        return known.model_validate_json(body)
    except ValidationError as error:
        if error.errors()[0]["type"] != "json_invalid":
            raise
        return known.model_validate(json.loads(body))  # which follows brackets deeper
