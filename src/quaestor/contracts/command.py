"""Commands that people send to a session, from any process. The holder of the session handles or refuses them."""

import json
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import AwareDatetime, ConfigDict, Field, TypeAdapter, ValidationError

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.base import Contract
from quaestor.contracts.faults import first_fault
from quaestor.contracts.payload import AnyContract


class Answer(Contract):
    """An answer to the open question."""

    kind: Literal["answer"] = "answer"
    text: str = Field(min_length=1, max_length=20_000)


class Pause(Contract):
    """Start nothing more until a person resumes the session, or until a time."""

    kind: Literal["pause"] = "pause"
    until: AwareDatetime | None = Field(default=None, description="When a worker goes on with it; None: it does not.")


class FinishNow(Contract):
    """End gathering and write the report from what there is."""

    kind: Literal["finish"] = "finish"


class Cancel(Contract):
    """End the session without a report."""

    kind: Literal["cancel"] = "cancel"


class AddBudget(Contract):
    """Raise limits of the budget."""

    kind: Literal["add_budget"] = "add_budget"
    dollars: Decimal = Field(default=Decimal(0), ge=0)
    tokens: int = Field(default=0, ge=0)
    model_calls: int = Field(default=0, ge=0)
    tool_calls: int = Field(default=0, ge=0)
    seconds: float = Field(default=0, ge=0)


class Label(Contract):
    """Attach labels to the turn that is going on."""

    kind: Literal["label"] = "label"
    labels: Mapping[str, str] = Field(min_length=1)


class RevokeApproval(Contract):
    """Ask a person again about calls that were approved for good."""

    kind: Literal["revoke_approval"] = "revoke_approval"
    standing: StandingApproval


class OpenCycle(Contract):
    """Begin another cycle of a finished session."""

    kind: Literal["open_cycle"] = "open_cycle"
    why: str = Field(description="What the cycle is for, as the workflow names it.")
    question: str | None = Field(default=None, min_length=1, max_length=20_000, description="The follow-up question.")


class WorkflowCommand(Contract):
    """The base of the commands that one workflow has for itself; its codec reads them."""

    kind: str


class UnknownCommand(WorkflowCommand):
    """A command that no codec has read, kept as it was stored; a workflow refuses it."""

    body: str


class UnreadableCommand(WorkflowCommand):
    """A command that cannot be read at all, kept as it was stored; the kernel sets it aside."""

    kind: Literal["unreadable"] = "unreadable"
    body: str
    reason: str


CoreCommand = Annotated[
    Answer | Pause | FinishNow | Cancel | AddBudget | Label | RevokeApproval | OpenCycle,
    Field(discriminator="kind"),
]
Command = Annotated[
    Answer | Pause | FinishNow | Cancel | AddBudget | Label | RevokeApproval | OpenCycle | WorkflowCommand,
    AnyContract(Contract, CoreCommand),
]

# Built when the first command is read, not at import, which every command of the terminal pays for.
_CORE_COMMANDS: TypeAdapter[CoreCommand] = TypeAdapter(CoreCommand, config=ConfigDict(defer_build=True))
_CORE_KINDS = frozenset({"answer", "pause", "finish", "cancel", "add_budget", "label", "revoke_approval", "open_cycle"})


def serialize_command(order: Command) -> str:
    """Return what is stored of a command: its JSON."""
    return order.body if isinstance(order, UnknownCommand | UnreadableCommand) else order.model_dump_json()


def parse_command(body: str) -> Command:
    """Return the command that was stored; unknown where it is not the core's, unreadable where it is no command."""
    try:
        fields = json.loads(body)
        match fields:
            case {"kind": str(kind)} if kind not in _CORE_KINDS:
                return UnknownCommand(kind=kind, body=body)
            case _:
                return _CORE_COMMANDS.validate_python(fields)
    except ValidationError as error:
        return UnreadableCommand(body=body, reason=first_fault(error))
    except (ValueError, RecursionError) as error:
        return UnreadableCommand(body=body, reason=f"{type(error).__name__}: {error}")


class InboxEntry(Contract):
    """A command in a session's inbox; `number` is its place there."""

    session_id: str
    number: int = Field(ge=1)
    at: datetime
    order: Command


class Settlement(Contract):
    """The settlement of a command: handled, or refused with the reason."""

    number: int = Field(ge=1)
    refused: str | None = None
