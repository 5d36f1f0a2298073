"""How a request is put to a server: its words, its format, its tools."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files
from typing import TypeVar

from quaestor.contracts.agent import Message, Prompt
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Price, Spend
from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest, ToolsRequest
from quaestor.models.chat.schema import Schema, plain_schema, strict_schema, tool_name
from quaestor.models.chat.wire import (
    Body,
    ChatMessage,
    ForcedChoice,
    Function,
    FunctionName,
    FunctionTool,
    NamedSchema,
    ObjectFormat,
    OutputBody,
    SchemaFormat,
    StreamOptions,
    ToolsBody,
    encode_body,
)

BodyT = TypeVar("BodyT", OutputBody, ToolsBody)
_DOWNGRADES: dict[OutputMode, OutputMode] = {"schema": "object", "object": "prompt", "tool": "prompt"}


@dataclass(frozen=True, slots=True)
class RequestMode:
    """How a model is asked; what its server refuses is given up, one thing at a time, and not taken up again."""

    model: str
    output: OutputMode
    stream: bool
    uses_max_completion_tokens: bool
    """True sends `max_completion_tokens`, False the older `max_tokens`."""
    temperature: bool = True
    accepts_lax_schema: bool = True
    """The server takes schemas that are not strict; else what has no strict one is asked for by a tool."""

    def mode(self, contract: type[Contract]) -> OutputMode:
        """Give the output mode for a contract: one with names that a model chooses has no strict schema."""
        return (
            "tool"
            if self.output == "schema" and not self.accepts_lax_schema and strict_schema(contract) is None
            else self.output
        )

    def without_temperature(self) -> "RequestMode":
        """Give the manner that leaves the temperature to the server."""
        return replace(self, temperature=False)

    def simpler(self) -> "RequestMode | None":
        """Give the manner with the next simpler output mode; None after the simplest."""
        output = _DOWNGRADES.get(self.output)
        return replace(self, output=output) if output else None

    def and_simpler(self) -> "Iterator[RequestMode]":
        """Give this manner and those it may come to."""
        yield self
        if less := self.simpler():
            yield from less.and_simpler()


def prompt_with_schema(request: ModelRequest, prompt: Prompt, manner: RequestMode) -> Prompt:
    """Give the prompt as it is sent: the first system message ends with the schema where nothing else tells it."""
    if isinstance(request, ToolsRequest) or manner.mode(request.given.gives) in {"schema", "tool"}:
        return prompt
    words = _schema_instructions(request.given.gives)
    first, *others = prompt.messages
    if first.role != "system":
        return prompt.model_copy(update={"messages": (Message(role="system", text=words), first, *others)})
    if first.text.endswith(words):
        return prompt
    longer = Message(role="system", text=f"{first.text}\n\n{words}")
    return prompt.model_copy(update={"messages": (longer, *others)})


def build_body(request: ModelRequest, prompt: Prompt, manner: RequestMode) -> Body:
    """Give the body of a request; `prompt` is as `told` gives it."""
    match request:
        case ToolsRequest():
            offers = tuple(_tool(offer.name, offer.description, offer.takes) for offer in request.tools)
            return _body_factory(ToolsBody, prompt, manner)(tools=offers, tool_choice="auto")
        case OutputRequest() if manner.mode(request.given.gives) == "tool":
            schema, taker = plain_schema(request.given.gives), tool_name(request.given.gives)
            choice = ForcedChoice(function=FunctionName(name=taker))
            tool = _tool(taker, str(schema.get("description", taker)), schema)
            return _body_factory(ToolsBody, prompt, manner)(tools=(tool,), tool_choice=choice)
        case OutputRequest():
            return _body_factory(OutputBody, prompt, manner)(
                response_format=_response_format(request.given.gives, manner.output)
            )


def _body_factory(kind: type[BodyT], prompt: Prompt, manner: RequestMode) -> Callable[..., BodyT]:
    return partial(
        kind,
        model=manner.model,
        messages=tuple(ChatMessage(role=message.role, content=message.text) for message in prompt.messages),
        max_tokens=None if manner.uses_max_completion_tokens else prompt.max_output_tokens,
        max_completion_tokens=prompt.max_output_tokens if manner.uses_max_completion_tokens else None,
        temperature=prompt.temperature if manner.temperature else None,
        stream=True if manner.stream else None,
        stream_options=StreamOptions() if manner.stream else None,
    )


def _tool(name: str, description: str, takes: Schema) -> FunctionTool:
    return FunctionTool(function=Function(name=name, description=description, parameters=takes))


def _response_format(contract: type[Contract], output: OutputMode) -> SchemaFormat | ObjectFormat | None:
    match output:
        case "schema":
            enforced = strict_schema(contract)
            schema = plain_schema(contract) if enforced is None else enforced
            named = NamedSchema(name=contract.__name__, strict=enforced is not None, contract=schema)
            return SchemaFormat(json_schema=named)
        case "object":
            return ObjectFormat()
        case "tool" | "prompt":
            return None


@cache
def _schema_instructions(contract: type[Contract]) -> str:
    template = files("quaestor.models.chat").joinpath("contract.prompt").read_text(encoding="utf-8")
    schema = json.dumps(plain_schema(contract), ensure_ascii=False, separators=(",", ":"))
    return template.replace("{{schema}}", schema).strip()


_TOKENS_PER_MESSAGE = 16
"""Tokens that mark where a message begins and ends and who speaks; published chat templates use three to seven."""
_TOKENS_PER_CALL = 600
"""Tokens a server may add of its own: the most that is published is Anthropic's tool preamble for Opus 3, 530."""


def cost_ceiling(body: Body, output: int, price: Price | None) -> Spend:
    """Give the most a call can cost that sends this body and gets at most `output` tokens back.

    A token stands for at least one byte of what is sent, so there are no more tokens than bytes. Without a price the
    dollars are 0.
    """
    given = len(encode_body(body)) + _TOKENS_PER_MESSAGE * len(body.messages) + _TOKENS_PER_CALL
    dollars = price.most(given, output) if price else Decimal(0)
    return Spend(model_calls=1, tokens=given + output, dollars=dollars)
