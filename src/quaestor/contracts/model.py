"""What a model is asked and what it answers. One request is one event: never tools and a contract at once."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue, SerializeAsAny

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend, Usage
from quaestor.contracts.event import ToolCall
from quaestor.contracts.roles import Prompt, PromptInput, RoleInput


class _BaseRequest(Contract):
    """What every model call has."""

    key: str
    todo_id: str | None
    role: str
    ordinal: int = Field(ge=1, description="Which call of this role within this todo (or outside todos) it is.")
    attempt: int = Field(ge=1, description="Rises with every reply that broke the contract.")
    failures: int = Field(default=0, ge=0, description="How often this attempt got no reply at all.")
    objections: tuple[str, ...] = Field(default=(), description="What was wrong with the reply before, if any.")
    rejected: str | None = Field(default=None, description="The reply before, which broke the contract.")


class OutputRequest(_BaseRequest):
    """A call for a contract; it carries no tools."""

    given: SerializeAsAny[RoleInput]


class ToolOffer(Contract):
    """A tool as it is offered to a model."""

    name: str
    description: str
    takes: Mapping[str, JsonValue] = Field(description="The JSON Schema of what it is given.")


class ToolsRequest(_BaseRequest):
    """A call that chooses among tools; it carries no contract."""

    given: SerializeAsAny[PromptInput]
    tools: tuple[ToolOffer, ...] = Field(min_length=1)


ModelRequest = OutputRequest | ToolsRequest


class PreparedCall(Contract):
    """What a call will be, known before it is made."""

    model: str = Field(description="Who will answer.")
    prompt: Prompt | None = Field(default=None, description="What is sent; none for a model without prompts.")
    ceiling: Spend = Field(description="The most the call can cost; it is reserved before the call.")
    pure: bool = Field(default=False, description="Making it again costs nothing and reaches nothing outside.")
    refused: str | None = Field(default=None, description="The limit that forbids the call, whatever it costs.")


class ModelReply(Contract):
    """What a model answered, and what it cost."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = Field(default=None, description="Why the reply cannot be used as it is: cut off, refused.")
    spend: Spend
    recorded: Spend | None = Field(default=None, description="In a replay: what the call cost when it was made.")
    usage: Usage | None = None
    priced: bool = True
    cached: bool = False
    notes: tuple[str, ...] = ()


OutputMode = Literal["schema", "object", "tool", "prompt"]
"""How a contract is asked for: by a JSON Schema the provider enforces, as any JSON object, as a call of one tool that
takes the contract, or by words alone."""

VARIABLE_NAME = r"^[A-Z_][A-Z0-9_]{0,63}$"
"""Of a variable that holds a secret; the secret itself, written in its place, does not look like this."""


class Provider(Contract):
    """One provider as a run uses it; every call of the run to it shares its limits."""

    dialect: Literal["chat", "native"] = Field(
        default="chat", description="chat: the OpenAI chat API. native: the provider's own, with the extra llm."
    )
    base_url: str | None = Field(default=None, description="Of the chat API, as https://api.openai.com/v1.")
    key_env: str | None = Field(
        default=None,
        pattern=VARIABLE_NAME,
        description="The variable that holds the key, in capitals; None: no key is sent.",
    )
    output: OutputMode = Field(default="schema", description="Tried first; what a server refuses is not tried again.")
    stream: bool = Field(default=False, description="Read the reply as it is written.")
    seconds: float | None = Field(default=None, gt=0, description="Time limit of one request; else call_seconds.")
    retries: int = Field(default=4, ge=0, description="Of a request that was answered 408, 409, 429 or 5xx.")
    backoff_seconds: float = Field(default=0.5, gt=0, description="Before the first retry; twice as long each time.")
    in_flight: int = Field(default=8, ge=1, description="Requests at the same time.")
    per_minute: int | None = Field(default=None, ge=1, description="Requests a minute.")
    tokens_per_minute: int | None = Field(
        default=None, ge=1, description="Tokens a minute, of all workers of a store in Postgres."
    )
    shared_in_flight: int | None = Field(
        default=None, ge=1, description="Requests at the same time of all workers of a store in Postgres."
    )
