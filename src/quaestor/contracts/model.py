"""What a model is asked and what it answers. One request is one event: never tools and a contract at once."""

import json
from collections.abc import Mapping
from hashlib import sha256

from pydantic import Field, JsonValue, SerializeAsAny

from quaestor.contracts.agent import Prompt
from quaestor.contracts.budget import Spend
from quaestor.contracts.event import ToolCall
from quaestor.contracts.noun import Noun
from quaestor.contracts.price import Usage
from quaestor.contracts.roles import Given, Shown


class _Request(Noun):
    """What every model call has."""

    key: str
    todo_id: str | None
    role: str
    ordinal: int = Field(ge=1, description="Which call of this role within this todo (or outside todos) it is.")
    attempt: int = Field(ge=1, description="Rises with every reply that broke the contract.")
    failures: int = Field(default=0, ge=0, description="How often this attempt got no reply at all.")
    objections: tuple[str, ...] = Field(default=(), description="What was wrong with the reply before, if any.")
    rejected: str | None = Field(default=None, description="The reply before, which broke the contract.")


class OutputRequest(_Request):
    """A call for a contract; it carries no tools."""

    given: SerializeAsAny[Given]


class ToolOffer(Noun):
    """A tool as a model is told of it."""

    name: str
    description: str
    takes: Mapping[str, JsonValue] = Field(description="The JSON Schema of what it is given.")


class ToolsRequest(_Request):
    """A call that chooses among tools; it carries no contract."""

    given: SerializeAsAny[Shown]
    tools: tuple[ToolOffer, ...] = Field(min_length=1)


ModelRequest = OutputRequest | ToolsRequest


class Prepared(Noun):
    """What a call will be, known before it is made."""

    model: str = Field(description="Who will answer.")
    prompt: Prompt | None = Field(default=None, description="What it is told; none for a model without prompts.")
    ceiling: Spend = Field(description="The most the call can cost; it is reserved before the call.")
    pure: bool = Field(default=False, description="Making it again costs nothing and reaches nothing outside.")
    refused: str | None = Field(default=None, description="The limit that forbids the call, whatever it costs.")


class ModelReply(Noun):
    """What a model answered, and what it cost."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    fault: str | None = Field(default=None, description="Why the reply cannot be used as it is: cut off, refused.")
    spend: Spend
    usage: Usage | None = None
    priced: bool = True
    cached: bool = False
    notes: tuple[str, ...] = ()


def content_key(
    *,
    role: str,
    contract: str | None,
    tools: tuple[str, ...],
    given: JsonValue,
    attempt: int,
    objections: tuple[str, ...],
) -> str:
    """Give the key that equal calls share in every session: a SHA-256 of what is asked, whoever is asked."""
    asked = [role, contract, list(tools), given, attempt, list(objections)]
    return sha256(json.dumps(asked, sort_keys=True, ensure_ascii=True).encode()).hexdigest()
