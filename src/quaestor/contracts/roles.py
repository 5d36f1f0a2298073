"""The input and the output contract of each role, the prompt made of them, and what a plan may know of an agent.

An input may refuse a reply that fits its contract but not the question: its `objections` are sent to the model as
validation errors are.
"""

from collections.abc import Sequence
from typing import ClassVar, Literal, NamedTuple

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Sha256


class PromptFrame(NamedTuple):
    """Untrusted text as a prompt frames it: a text, or short texts one a line, with words on its origin."""

    content: str | tuple[str, ...]
    origins: tuple[str, ...]
    """What it is, as its label, then where it is from."""


class PromptInput(Contract):
    """What a role is shown; the base of every role input."""

    for_delegates: ClassVar[bool] = False
    """Whether it is given to an agent to which a todo is delegated: to choose tools, or to fulfil the contract."""

    def frames(self, field: str) -> Sequence[PromptFrame] | None:  # noqa: ARG002 -- what subclasses decide by
        """Return how a field is framed in a prompt where its value alone does not say it; None: by its value."""
        return None


class FieldChoice(NamedTuple):
    """The values that a field of a reply may have in a run, fewer than its contract allows."""

    contract: str
    """The name of the contract that has the field."""
    field: str
    values: tuple[str, ...]


class RoleInput(PromptInput):
    """What a role is given to fulfil a contract; `gives` is the contract of the reply."""

    gives: ClassVar[type[Contract]]

    def choices(self) -> tuple[FieldChoice, ...]:
        """Return what the schema names as the only values of a field.

        They are those of the run and not of the call, because a provider compiles every schema that it has not seen.
        """
        return ()

    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Name what makes a well-formed reply unacceptable here; nothing when it may be accepted."""
        if isinstance(reply, self.gives):
            return ()
        return (f"a {self.gives.__name__} is wanted, not a {type(reply).__name__}",)


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
