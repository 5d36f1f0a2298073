"""Agents: the files that say how a role speaks to a model, and what a run knows of them."""

from typing import Literal

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256


class Message(Contract):
    """One message of a prompt, as a model gets it."""

    role: Literal["system", "user", "assistant"]
    text: str


class Prompt(Contract):
    """What an agent's file makes of one request, the part that never changes first."""

    agent: str
    sha256: Sha256 = Field(description="Of the file, with the partials it uses.")
    messages: tuple[Message, ...] = Field(min_length=1)
    max_output_tokens: int = Field(ge=1)
    temperature: float | None = Field(default=None, ge=0, le=2)


class AgentCard(Contract):
    """What a plan may know of an agent that a todo can be delegated to."""

    name: str
    description: str
    contract: str = Field(default="Reading", description="The name of the contract that it fulfils.")
    tools: tuple[str, ...] = Field(default=(), description="The declared tools that the run has; none: no tool pass.")
