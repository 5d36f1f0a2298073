"""What a workflow may ask for. No kind carries both tools and an output contract."""

from typing import Literal

from pydantic import Field, SerializeAsAny

from quaestor.contracts.base import Contract
from quaestor.contracts.event import KnownPayload, Outcome
from quaestor.contracts.roles import PromptInput, RoleInput


class _BaseAction(Contract):
    """What every action has: a deterministic key, the state that asks, and the todo it is for."""

    key: str = Field(min_length=1, description="Equal work has an equal key, in every process and after every restart.")
    state: str
    todo_id: str | None = None
    uses_reserve: bool = Field(default=False, description="May use the share of the budget that is kept back.")


class OutputPass(_BaseAction):
    """A model call that must fulfil a contract, `given.gives`, and is offered no tools."""

    kind: Literal["output_pass"] = "output_pass"
    role: str
    given: SerializeAsAny[RoleInput]


class ToolPass(_BaseAction):
    """A model call that may choose among tools and has no contract."""

    kind: Literal["tool_pass"] = "tool_pass"
    role: str
    given: SerializeAsAny[PromptInput]
    tools: tuple[str, ...] = Field(min_length=1)


class ToolRun(_BaseAction):
    """One run of one tool."""

    kind: Literal["tool_run"] = "tool_run"
    tool: str
    given: SerializeAsAny[Contract]


class Record(_BaseAction):
    """Facts that follow from the state alone; they are appended together or not at all."""

    kind: Literal["record"] = "record"
    facts: tuple[KnownPayload, ...] = Field(min_length=1)


class Finish(_BaseAction):
    """The end of the session's cycle."""

    kind: Literal["finish"] = "finish"
    outcome: Outcome
    statement: str


Effect = OutputPass | ToolPass | ToolRun
"""The actions that reach outside; an intent is appended before each."""

Action = Effect | Record | Finish
