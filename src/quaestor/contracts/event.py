"""Events: the immutable, numbered facts of a session. Its state is their fold; nothing else is stored.

Every payload has a `type` and a `version`. `contracts.codec` reads and writes them: an older version is upcast, and a
payload of a newer version or of a type that is not known is kept unchanged as `UnknownPayload`, which folds to nothing.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import Field, JsonValue, model_validator
from typing_extensions import override

from quaestor.contracts.approvals import ApprovableCall, StandingApproval
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget, Spend, Usage
from quaestor.contracts.payload import AnyContract, EventPayload, QuestionKind, Value, WorkflowPayload
from quaestor.contracts.roles import Message
from quaestor.contracts.source import Sha256

SESSION_SCOPE = "session"
"""The scope of the states of a session as a whole; a todo's states have the todo's id as their scope."""
_TODO_KEY_PREFIX = "todo/"
"""How the keys of a todo's own actions begin; its id follows."""
Outcome = Literal["done", "partial", "no_result", "failed", "cancelled"]
PauseKind = Literal["interrupt", "setup", "person"]


class SessionStarted(EventPayload):
    """A session begins: the question, the workflow that carries it, and the options it runs with."""

    type: Literal["session_started"] = "session_started"
    question: str
    workflow: str
    task_key: str
    options: JsonValue


def _todo_of_key(key: JsonValue) -> str | None:
    """Return the todo that a key begins with, as versions without a `todo_id` in the envelope had it."""
    return key.split("/")[1] if isinstance(key, str) and key.startswith(_TODO_KEY_PREFIX) else None


class StateEntered(EventPayload):
    """The session (scope ``session``) or a todo (scope: its id) enters the state named by the event."""

    version: ClassVar[int] = 2
    type: Literal["state_entered"] = "state_entered"
    scope: str
    previous: str | None

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its scope names, and the fields."""
        return None if fields["scope"] == SESSION_SCOPE else str(fields["scope"]), fields


class QuestionAsked(EventPayload):
    """The run asks a person and waits; work that does not need the answer continues."""

    version: ClassVar[int] = 3
    type: Literal["question_asked"] = "question_asked"
    ref: str = Field(description="Names the question; its answer carries the same.")
    kind: QuestionKind
    questions: tuple[str, ...]
    agent: str = Field(description="The role that asks, or the part of the run.")
    call: ApprovableCall | None = Field(
        default=None, description="The call that waits, if it may be approved for good."
    )

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its ref names, and the fields."""
        return _todo_of_key(fields["ref"]), fields


class Answered(EventPayload):
    """A person answered the question with this ref."""

    version: ClassVar[int] = 3
    from_person: ClassVar[bool] = True
    type: Literal["answered"] = "answered"
    ref: str
    text: str
    standing: StandingApproval | None = Field(default=None, description="What the answer approves for good.")

    @override
    def settles(self, kind: QuestionKind, ref: str) -> bool:
        """Return whether the question has this ref."""
        del kind
        return ref == self.ref

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its ref names, and the fields."""
        return _todo_of_key(fields["ref"]), fields


class FinishRequested(EventPayload):
    """A person asked for a report of what has been found so far."""

    from_person: ClassVar[bool] = True
    type: Literal["finish_requested"] = "finish_requested"


class Cancelled(EventPayload):
    """A person ended the session."""

    from_person: ClassVar[bool] = True
    type: Literal["cancelled"] = "cancelled"


class Labelled(EventPayload):
    """A client attached labels to the turn that is going on; nothing in the session depends on them."""

    from_person: ClassVar[bool] = True
    type: Literal["labelled"] = "labelled"
    labels: Mapping[str, str]


class ApprovalRevoked(EventPayload):
    """A person revoked what was approved for good: calls of this kind are asked about again."""

    from_person: ClassVar[bool] = True
    type: Literal["approval_revoked"] = "approval_revoked"
    standing: StandingApproval


class BudgetRaised(EventPayload):
    """A person raised limits; the budget is now as given."""

    from_person: ClassVar[bool] = True
    type: Literal["budget_raised"] = "budget_raised"
    budget: Budget


class Forked(EventPayload):
    """The session starts with the events of another one up to this number, and continues independently.

    The other one may be that of another home, of which it is an import: then both have the same id.
    """

    from_person: ClassVar[bool] = True
    type: Literal["forked"] = "forked"
    origin: str = Field(description="The id of the other session; its own for an import.")
    at: int = Field(description="The number of the last event that both have.")
    options: JsonValue = Field(description="What this session runs with from here on.")


class CycleStarted(EventPayload):
    """Another cycle of the session begins: a follow-up question, a refreshed report, or the next decision."""

    type: Literal["cycle_started"] = "cycle_started"
    why: str = Field(description="What the cycle is for, as the workflow names it.")
    question: str | None = Field(default=None, description="The follow-up question.")


class FactRecorded(EventPayload):
    """Something that a workflow concluded by itself, under a contract of its own."""

    version: ClassVar[int] = 2
    type: Literal["fact_recorded"] = "fact_recorded"
    key: str
    contract: str = Field(description="The name of the contract that the value fulfils.")
    value: Value

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the todo that its key names, and the fields."""
        return _todo_of_key(fields["key"]), fields


class ModelRequested(EventPayload):
    """Intent: a role is asked for its contract, or to choose among tools; never both.

    `ordinal` counts the role's calls within one todo, `attempt` the replies that broke the contract.
    """

    version: ClassVar[int] = 3
    type: Literal["model_requested"] = "model_requested"
    key: str
    role: str
    model: str
    contract: str | None
    tools: tuple[str, ...] = ()
    ordinal: int
    attempt: int
    given: Value
    objections: tuple[str, ...] = ()
    prompt: Sha256 | None = Field(default=None, description="Of the agent's file; none for a model without prompts.")
    messages: tuple[Message, ...] = Field(default=(), description="The prompt as it is sent to the model.")
    reserved: Spend = Field(default=Spend(), description="The most the call can cost; held until it is answered.")

    @model_validator(mode="after")
    def _check_exactly_one(self) -> Self:
        if (self.contract is None) == (not self.tools):
            raise ValueError(f"a model call has a contract or tools, not {'both' if self.tools else 'neither'}")
        return self


class ToolCall(Contract):
    """A run of a tool that a model chose; `ref` matches it to its result."""

    ref: str
    tool: str
    given: JsonValue


class ModelResponded(EventPayload):
    """The reply as it came, or the error that came in its place."""

    version: ClassVar[int] = 4
    type: Literal["model_responded"] = "model_responded"
    key: str
    role: str
    reply: str | None
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = Field(default=None, description="Why the reply cannot count, as cut off or refused.")
    error: str | None
    unavailable: bool = Field(default=False, description="The provider was out of order; the call is open.")
    retry_at: datetime | None = Field(default=None, description="Until when the provider asks to be left alone.")
    spend: Spend = Field(description="Estimated from above where the provider did not say, or the call was lost.")
    recorded: Spend | None = Field(default=None, description="In a replay, which costs nothing: what the call cost.")
    lost: Spend | None = Field(default=None, description="In a replay: reserved for calls that were lost before it.")
    usage: Usage | None = Field(default=None, description="Tokens as the provider counted them.")
    priced: bool = Field(default=True, description="False when the model's price is unknown, so no dollars count.")
    cached: bool = Field(default=False, description="Answered from an earlier session, at no cost.")
    notes: tuple[str, ...] = Field(default=(), description="What happened on the way: waits, retries, other modes.")
    milliseconds: int


class ToolsChosen(EventPayload):
    """The result of a tool pass: the calls to make, and those that are refused, with the reason."""

    version: ClassVar[int] = 2
    type: Literal["tools_chosen"] = "tools_chosen"
    key: str
    role: str
    calls: tuple[ToolCall, ...] = ()
    refused: tuple[str, ...] = ()


class ContractAccepted(EventPayload):
    """The reply fulfils its contract."""

    version: ClassVar[int] = 3
    type: Literal["contract_accepted"] = "contract_accepted"
    key: str
    role: str
    contract: str
    output: Value
    repaired: bool = Field(default=False, description="The reply was no valid JSON until it was repaired.")


class ContractRejected(EventPayload):
    """The reply breaks its contract; `final` when it will not be asked for again."""

    version: ClassVar[int] = 2
    type: Literal["contract_rejected"] = "contract_rejected"
    key: str
    role: str
    contract: str
    attempt: int
    objections: tuple[str, ...]
    final: bool
    unanswered: bool = Field(default=False, description="It is given up because nobody answered, not for its replies.")


class ToolRequested(EventPayload):
    """Intent: a tool is about to run."""

    version: ClassVar[int] = 3
    type: Literal["tool_requested"] = "tool_requested"
    key: str
    tool: str
    repeatable: bool
    given: Value
    reserved: Spend = Spend()


class ToolResponded(EventPayload):
    """What a tool gave, or the error that came in its place."""

    version: ClassVar[int] = 3
    type: Literal["tool_responded"] = "tool_responded"
    key: str
    tool: str
    result: Value
    error: str | None
    unavailable: bool = Field(default=False, description="The service that it needs was out of order.")
    retry_at: datetime | None = Field(default=None, description="Until when that asks to be left alone.")
    spend: Spend
    lost: Spend | None = Field(default=None, description="In a replay: reserved for calls that were lost before it.")
    milliseconds: int


class ToolInterrupted(EventPayload):
    """A tool that must not run twice was in flight when its process ended; it is unknown how far it came."""

    version: ClassVar[int] = 2
    type: Literal["tool_interrupted"] = "tool_interrupted"
    key: str
    tool: str


class ActionCancelled(EventPayload):
    """An action in flight is no longer needed and was stopped."""

    version: ClassVar[int] = 2
    type: Literal["action_cancelled"] = "action_cancelled"
    key: str


class BudgetWarned(EventPayload):
    """Four fifths of a limit are spent."""

    type: Literal["budget_warned"] = "budget_warned"
    limit: str = Field(description="Its name.")
    allowed: str
    used: str


class BudgetReached(EventPayload):
    """A limit does not allow the next action; gathering ends."""

    type: Literal["budget_reached"] = "budget_reached"
    limit: str = Field(description="Its name and its value; what the next action may take of it, where some is left.")
    spent: Spend
    refused_key: str


class Paused(EventPayload):
    """The run stops for now and continues when it is resumed."""

    type: Literal["paused"] = "paused"
    kind: PauseKind
    reason: str
    until: datetime | None = Field(default=None, description="When it goes on by itself; None: when it is resumed.")


class Resumed(EventPayload):
    """Another process, or the same one later, continues the run."""

    type: Literal["resumed"] = "resumed"
    after: Literal["pause", "crash"]
    reopened: tuple[str, ...] = Field(default=(), description="Keys of actions that were in flight.")


class SessionFinished(EventPayload):
    """The end, with its outcome."""

    version: ClassVar[int] = 2
    type: Literal["session_finished"] = "session_finished"
    outcome: Outcome
    statement: str

    @override
    @classmethod
    def upcast(cls, fields: dict[str, JsonValue]) -> tuple[str | None, dict[str, JsonValue]]:
        """Return the fields with the outcome as it is named today."""
        return None, {**fields, "outcome": "no_result"} if fields["outcome"] == "no_evidence" else fields


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


CorePayload = (
    SessionStarted
    | StateEntered
    | QuestionAsked
    | Answered
    | FinishRequested
    | Cancelled
    | Labelled
    | BudgetRaised
    | ApprovalRevoked
    | Forked
    | CycleStarted
    | FactRecorded
    | ModelRequested
    | ModelResponded
    | ToolsChosen
    | ContractAccepted
    | ContractRejected
    | ToolRequested
    | ToolResponded
    | ToolInterrupted
    | ActionCancelled
    | BudgetWarned
    | BudgetReached
    | Paused
    | Resumed
    | SessionFinished
    | ErrorRecorded
)
"""The payloads that the core itself reads and writes."""

_ANY_PAYLOAD = AnyContract(EventPayload, Annotated[CorePayload, Field(discriminator="type")])
KnownPayload = Annotated[CorePayload | WorkflowPayload, _ANY_PAYLOAD]
"""What may be recorded."""

CORE_PAYLOADS: dict[str, type[CorePayload]] = {
    kind.model_fields["type"].default: kind for kind in get_args(CorePayload)
}
"""The payloads of the core by their type."""
PAYLOAD_VERSIONS: dict[str, int] = {name: kind.version for name, kind in CORE_PAYLOADS.items()}
"""The current version of every event type of the core."""


class Event(Contract):
    """An immutable, numbered fact of one session."""

    session_id: str
    seq: int = Field(ge=1)
    cycle: int = Field(ge=1)
    at: datetime
    state: str
    todo_id: str | None = Field(default=None, description="The todo that it is about; None: the session.")
    payload: Annotated[CorePayload | WorkflowPayload | UnknownPayload, _ANY_PAYLOAD]

    @property
    def type(self) -> str:
        """The name of what happened."""
        return self.payload.type
