"""The public stream of a session: its log, filtered and described for clients.

An event of the log gives none, one or several events of the stream. They carry its number, so a client that has seen
everything up to a number continues after it and misses nothing. `views.stream_events` builds them.
"""

from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import ConfigDict, Field, JsonValue, PlainSerializer, WithJsonSchema

from quaestor.contracts.base import Contract
from quaestor.contracts.event import Outcome
from quaestor.contracts.source import Sha256

PROGRAM_AGENT = "quaestor"
"""The agent of what no role does."""

MAX_JSON_CHARACTERS = 4_000
"""Of JSON: what a tool is given or gives back is cut behind so many; the log has all of it."""

MAX_MESSAGE_CHARACTERS = 500
"""Characters of a message; the log has all of it."""

_IS_CUT_DESCRIPTION = (
    f"True where only the first {MAX_JSON_CHARACTERS:,} characters of its JSON stand here, as a text; the log has all."
)

PlainDecimal = Annotated[
    Decimal,
    PlainSerializer(lambda number: f"{number:f}", return_type=str),
    WithJsonSchema({"type": "string", "pattern": r"^\d+(\.\d+)?$"}),
]
"""An exact number that is written without an exponent."""


class StreamEventBase(Contract):
    """The base of every event of the stream."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=True)

    seq: int = Field(ge=1, description="The number of the event of the log that it comes from.")
    at: datetime = Field(description="When that happened, in UTC.")
    session_id: str


class Status(StreamEventBase):
    """What is going on, in words for a person."""

    type: Literal["status"] = "status"
    message: str = Field(max_length=MAX_MESSAGE_CHARACTERS, description="One line.")
    agent: str = Field(description=f"The role or agent that acts; `{PROGRAM_AGENT}` where none does.")
    is_partial: bool = Field(description="True while it goes on and more about it follows; False when it is over.")


class ClarificationNeeded(StreamEventBase):
    """A question to a person. The session waits for the answer as soon as nothing else is to be done."""

    type: Literal["clarification_needed"] = "clarification_needed"
    question: str
    agent: str = Field(description="Who asks.")
    ref: str = Field(description="Names the question in the answer.")
    kind: Literal["clarification", "plan_confirmation", "approval", "escalation"] = "clarification"


class InterimQuote(Contract):
    """Words of a source, and which source that is."""

    text: str
    source: Sha256
    title: str
    uri: str = Field(description="An absolute path, or a URL.")


class InterimFinding(Contract):
    """A claim with the quotes that prove it."""

    id: str
    claim: str
    quotes: tuple[InterimQuote, ...]


class InterimFindings(StreamEventBase):
    """What one recorded todo found; no finding, if it found nothing."""

    type: Literal["interim_findings"] = "interim_findings"
    todo_id: str
    task: str
    findings: tuple[InterimFinding, ...]
    agent: str = Field(description="Who read them out of the sources.")


class FinalReport(StreamEventBase):
    """A version of the report, or of the evidence brief where no model wrote."""

    type: Literal["final_report"] = "final_report"
    kind: Literal["report", "brief"] = "report"
    markdown: str
    agent: str = Field(description=f"Who wrote its summary; `{PROGRAM_AGENT}` where no model did.")
    version: int = Field(ge=1)


class Failure(StreamEventBase):
    """Something went wrong; the run continues unless a pause or the end follows. Never a finding."""

    type: Literal["error"] = "error"
    message: str = Field(max_length=MAX_MESSAGE_CHARACTERS)
    agent: str | None = Field(default=None, description="Whose call it was, where it was one.")
    ref: str | None = Field(default=None, description="Of that call.")


class ToolRequest(StreamEventBase):
    """A tool is about to run. After a crash the same run may be announced again, under the same ref."""

    type: Literal["tool_request"] = "tool_request"
    agent: str = Field(description="Whose answer led to it.")
    tool: str
    input: JsonValue
    is_cut: bool = Field(description=_IS_CUT_DESCRIPTION)
    ref: str


class ToolResponse(StreamEventBase):
    """How the run of a tool ended; why it failed is in the error that follows."""

    type: Literal["tool_response"] = "tool_response"
    agent: str
    tool: str
    outcome: Literal["done", "failed", "interrupted", "cancelled"]
    output: JsonValue = Field(description="None unless it is done.")
    is_cut: bool = Field(description=_IS_CUT_DESCRIPTION)
    ref: str = Field(description="Of the request.")


class PlannedTodo(Contract):
    """A todo as the plan names it."""

    todo_id: str
    task: str
    kind: str = Field(description="As the workflow names it.")
    agent: str | None = Field(description="To whom it is delegated.")
    dependencies: tuple[str, ...]


class PlanChange(StreamEventBase):
    """A plan was made or changed, or a change of it was refused."""

    type: Literal["plan"] = "plan"
    change: Literal["created", "updated", "edited"]
    agent: str = Field(description=f"Whose plan it is; `{PROGRAM_AGENT}` where the planner gave none.")
    todos: tuple[PlannedTodo, ...] = Field(description="All in plan order; of an update, those that are new.")
    after: str | None = Field(default=None, description="The todo behind whose family the new ones stand.")
    refused: tuple[str, ...] = Field(default=(), description="Why others were not added.")


class TodoChange(StreamEventBase):
    """A todo began or ended. One that is done may still fail, if its reviewer says so."""

    type: Literal["todo"] = "todo"
    status: Literal["started", "done", "failed", "blocked"]
    todo_id: str
    task: str
    agent: str = Field(description="Who acted on it last, or will.")
    reason: str | None = Field(
        default=None, max_length=MAX_MESSAGE_CHARACTERS, description="Why it failed or is blocked."
    )


class SpendTotals(Contract):
    """What the session used up so far, with calls that were lost."""

    model_calls: int = Field(ge=0)
    tool_calls: int = Field(ge=0)
    tokens: int = Field(ge=0)
    dollars: PlainDecimal = Field(ge=0, description="A text, without an exponent.")


class BudgetChange(StreamEventBase):
    """What is spent: after every call that took tokens or dollars, near a limit, at it, and at the end."""

    type: Literal["budget"] = "budget"
    standing: Literal["spent", "warned", "reached"]
    spent: SpendTotals
    limit: str | None = Field(
        default=None,
        description="Its name; of a limit that is reached, with its value and what the next call may take.",
    )
    used: str | None = Field(default=None, description="Of a limit that is near.")
    allowed: str | None = Field(default=None, description="Of a limit that is near.")


class PauseStarted(StreamEventBase):
    """The run stops for now."""

    type: Literal["pause"] = "pause"
    kind: Literal["interrupt", "setup", "person"]
    reason: str


class Finished(StreamEventBase):
    """The end, with its outcome."""

    type: Literal["finished"] = "finished"
    outcome: Outcome
    statement: str


StreamEvent = Annotated[
    Status
    | ClarificationNeeded
    | InterimFindings
    | FinalReport
    | Failure
    | ToolRequest
    | ToolResponse
    | PlanChange
    | TodoChange
    | BudgetChange
    | PauseStarted
    | Finished,
    Field(discriminator="type"),
]
