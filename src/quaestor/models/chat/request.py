"""From a request to the body of a chat completions call: prompt, output format, tools, and its highest cost."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, partial
from importlib.resources import files
from typing import TypeVar, get_args

from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Price, Spend
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.model import ModelRequest, OutputMode, OutputRequest, ToolsRequest
from quaestor.contracts.roles import FieldChoice, Message, Prompt
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


class RequestMode(Immutable):
    """The features that a call uses. What a server refuses is dropped, one feature at a time, and not tried again."""

    model: str
    output: OutputMode
    stream: bool
    uses_max_completion_tokens: bool
    """True sends `max_completion_tokens`, False the older `max_tokens`."""
    temperature: bool = True
    system_message: bool = True
    """False sends the instructions at the beginning of the user's message, for templates without a system role."""
    accepts_lax_schema: bool = True
    """False asks for contracts without a strict schema by a tool."""

    def output_mode(self, contract: type[Contract]) -> OutputMode:
        """Return the output mode for a contract: one with names that a model chooses has no strict schema."""
        if self.output != "schema" or self.accepts_lax_schema:
            return self.output
        return "tool" if strict_schema(contract, ()) is None else self.output

    def without_temperature(self) -> "RequestMode":
        """Return the mode that leaves the temperature to the server."""
        return replace(self, temperature=False)

    def without_system_message(self) -> "RequestMode":
        """Return the mode that sends the instructions in the user's message."""
        return replace(self, system_message=False)

    def without_stream(self) -> "RequestMode":
        """Return the mode that asks for the reply in one piece."""
        return replace(self, stream=False)

    def differs_from(self, other: "RequestMode") -> str:
        """Return how this mode is simpler than another, as a note of a call."""
        differences = (
            (self.output != other.output, f"asked with {self.output}"),
            (self.temperature != other.temperature, "asked without a temperature"),
            (self.system_message != other.system_message, "the instructions were sent in the user's message"),
            (self.stream != other.stream, "asked for the reply in one piece"),
        )
        return ", ".join(text for differs, text in differences if differs)

    def downgraded(self) -> "RequestMode | None":
        """Return the mode with the next simpler output mode; None after the simplest."""
        output = _DOWNGRADES.get(self.output)
        return replace(self, output=output) if output else None

    def with_downgrades(self) -> "Iterator[RequestMode]":
        """Return this mode and those it may be downgraded to."""
        yield self
        if simpler := self.downgraded():
            yield from simpler.with_downgrades()


def prompt_with_schema(request: ModelRequest, prompt: Prompt, mode: RequestMode) -> Prompt:
    """Return the prompt as it is sent: the first system message ends with the schema where no field carries it."""
    if isinstance(request, ToolsRequest) or mode.output_mode(request.given.gives) in {"schema", "tool"}:
        return prompt
    instructions = _schema_instructions(request.given.gives, request.given.choices())
    first, *others = prompt.messages
    if first.role != "system":
        return prompt.revised(messages=(Message(role="system", text=instructions), first, *others))
    if first.text.endswith(instructions):
        return prompt
    longer = Message(role="system", text=f"{first.text}\n\n{instructions}")
    return prompt.revised(messages=(longer, *others))


def build_body(request: ModelRequest, prompt: Prompt, mode: RequestMode) -> Body:
    """Return the body of a request; `prompt` is the result of `prompt_with_schema`."""
    match request:
        case ToolsRequest():
            offers = tuple(_tool(offer.name, offer.description, offer.takes) for offer in request.tools)
            return _body_factory(ToolsBody, prompt, mode)(tools=offers, tool_choice="auto")
        case OutputRequest() if mode.output_mode(request.given.gives) == "tool":
            schema = plain_schema(request.given.gives, request.given.choices())
            output_tool = tool_name(request.given.gives)
            choice = ForcedChoice(function=FunctionName(name=output_tool))
            tool = _tool(output_tool, str(schema.get("description", output_tool)), schema)
            return _body_factory(ToolsBody, prompt, mode)(tools=(tool,), tool_choice=choice)
        case OutputRequest():
            return _body_factory(OutputBody, prompt, mode)(
                response_format=_response_format(request.given.gives, request.given.choices(), mode.output)
            )


def _body_factory(kind: type[BodyT], prompt: Prompt, mode: RequestMode) -> Callable[..., BodyT]:
    return partial(
        kind,
        model=mode.model,
        messages=_messages(prompt, mode),
        max_tokens=None if mode.uses_max_completion_tokens else prompt.max_output_tokens,
        max_completion_tokens=prompt.max_output_tokens if mode.uses_max_completion_tokens else None,
        temperature=prompt.temperature if mode.temperature else None,
        stream=True if mode.stream else None,
        stream_options=StreamOptions() if mode.stream else None,
    )


def _messages(prompt: Prompt, mode: RequestMode) -> tuple[ChatMessage, ...]:
    messages = tuple(ChatMessage(role=message.role, content=message.text) for message in prompt.messages)
    if mode.system_message or not messages or messages[0].role != "system":
        return messages
    instructions, *others = messages
    if others and others[0].role == "user":
        joined = ChatMessage(role="user", content=f"{instructions.content}\n\n{others[0].content}")
        return (joined, *others[1:])
    return (ChatMessage(role="user", content=instructions.content), *others)


def _tool(name: str, description: str, takes: Schema) -> FunctionTool:
    return FunctionTool(function=Function(name=name, description=description, parameters=takes))


@cache
def _response_format(
    contract: type[Contract], choices: tuple[FieldChoice, ...], output: OutputMode
) -> SchemaFormat | ObjectFormat | None:
    match output:
        case "schema":
            enforced = strict_schema(contract, choices)
            schema = plain_schema(contract, choices) if enforced is None else enforced
            named = NamedSchema(name=contract.__name__, strict=enforced is not None, contract=schema)
            return SchemaFormat(json_schema=named)
        case "object":
            return ObjectFormat()
        case "tool" | "prompt":
            return None


@cache
def _schema_instructions(contract: type[Contract], choices: tuple[FieldChoice, ...]) -> str:
    template = files("quaestor.models.chat").joinpath("contract.prompt").read_text(encoding="utf-8")
    schema = json.dumps(plain_schema(contract, choices), ensure_ascii=False, separators=(",", ":"))
    return template.replace("{{schema}}", schema).strip()


def load_schemas(contract: type[Contract]) -> None:
    """Build the schema of a contract as each output mode sends it, which is then kept."""
    for output in get_args(OutputMode):
        _response_format(contract, (), output)
    _schema_instructions(contract, ())


_TOKENS_PER_MESSAGE = 16
"""Tokens that delimit a message and name its role; published chat templates use three to seven."""
_TOKENS_PER_CALL = 600
"""Tokens a server may add of its own: the most published is Anthropic's tool preamble for Opus 3, 530."""


def cost_ceiling(body: Body, output_tokens: int, price: Price | None) -> Spend:
    """Return the most a call can cost that sends this body and gets at most `output_tokens` back.

    A token encodes at least one byte of the body, so there are no more tokens than bytes. Without a price the dollars
    are 0.
    """
    input_tokens = len(encode_body(body)) + _TOKENS_PER_MESSAGE * len(body.messages) + _TOKENS_PER_CALL
    dollars = price.most(input_tokens, output_tokens) if price else Decimal(0)
    return Spend(model_calls=1, tokens=input_tokens + output_tokens, dollars=dollars)


@dataclass(slots=True)
class ModeMemory:
    """The mode of one model at one server, shared by every caller in the process.

    A server that is out of order for a moment fails with the same status as one that does not know a feature. So what
    follows from a server error counts when it has happened twice.
    """

    mode: RequestMode | None = None
    _suspected: RequestMode | None = None

    def replace(self, before: RequestMode, after: RequestMode) -> None:
        """Remember `after`, unless another call has changed the mode since it was `before`."""
        if self.mode in {None, before}:
            self.mode = after

    def note_success(self, before: RequestMode, after: RequestMode, *, is_certain: bool) -> None:
        """Remember that a request which failed as `before` was answered as `after`, once that is certain."""
        if is_certain or self._suspected == after:
            self.replace(before, after)
        self._suspected = after
