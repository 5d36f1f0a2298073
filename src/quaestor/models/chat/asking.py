"""How a request is put to a server: its words, its format, its tools."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.resources import files
from typing import TypeVar

from quaestor.contracts.agent import Message, Prompt
from quaestor.contracts.model import ModelRequest, OutputRequest, ToolsRequest
from quaestor.contracts.noun import Noun
from quaestor.contracts.provider import OutputMode
from quaestor.models.chat.schema import Schema, plain, snake, strict
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
)

B = TypeVar("B", OutputBody, ToolsBody)
_SIMPLER: dict[OutputMode, OutputMode] = {"schema": "object", "object": "prompt", "tool": "prompt"}


@dataclass(frozen=True, slots=True)
class Manner:
    """How a model is asked; what its server refuses is given up, one thing at a time, and not taken up again."""

    model: str
    output: OutputMode
    stream: bool
    new_limit: bool
    """True sends `max_completion_tokens`, False the older `max_tokens`."""
    temperature: bool = True
    lax: bool = True
    """The server takes schemas that are not strict; else what has no strict one is asked for by a tool."""

    def mode(self, contract: type[Noun]) -> OutputMode:
        """Give the output mode for a contract: one with names that a model chooses has no strict schema."""
        return "tool" if self.output == "schema" and not self.lax and strict(contract) is None else self.output

    def without_temperature(self) -> "Manner":
        """Give the manner that leaves the temperature to the server."""
        return replace(self, temperature=False)

    def simpler(self) -> "Manner | None":
        """Give the manner with the next simpler output mode; None after the simplest."""
        output = _SIMPLER.get(self.output)
        return replace(self, output=output) if output else None

    def and_simpler(self) -> "Iterator[Manner]":
        """Give this manner and those it may come to."""
        yield self
        if less := self.simpler():
            yield from less.and_simpler()


def told(request: ModelRequest, prompt: Prompt, manner: Manner) -> Prompt:
    """Give the prompt as it is sent: the first system message ends with the schema where nothing else tells it."""
    if isinstance(request, ToolsRequest) or manner.mode(request.given.gives) in {"schema", "tool"}:
        return prompt
    words = _words(request.given.gives)
    first, *others = prompt.messages
    if first.role != "system":
        return prompt.model_copy(update={"messages": (Message(role="system", text=words), first, *others)})
    if first.text.endswith(words):
        return prompt
    longer = Message(role="system", text=f"{first.text}\n\n{words}")
    return prompt.model_copy(update={"messages": (longer, *others)})


def ask(request: ModelRequest, prompt: Prompt, manner: Manner) -> Body:
    """Give the body of a request; `prompt` is as `told` gives it."""
    match request:
        case ToolsRequest():
            offers = tuple(_tool(offer.name, offer.description, offer.takes) for offer in request.tools)
            return _body(ToolsBody, prompt, manner)(tools=offers, tool_choice="auto")
        case OutputRequest() if manner.mode(request.given.gives) == "tool":
            schema, taker = plain(request.given.gives), snake(request.given.gives)
            choice = ForcedChoice(function=FunctionName(name=taker))
            tool = _tool(taker, str(schema.get("description", taker)), schema)
            return _body(ToolsBody, prompt, manner)(tools=(tool,), tool_choice=choice)
        case OutputRequest():
            return _body(OutputBody, prompt, manner)(response_format=_format(request.given.gives, manner.output))


def _body(kind: type[B], prompt: Prompt, manner: Manner) -> Callable[..., B]:
    return partial(
        kind,
        model=manner.model,
        messages=tuple(ChatMessage(role=message.role, content=message.text) for message in prompt.messages),
        max_tokens=None if manner.new_limit else prompt.max_output_tokens,
        max_completion_tokens=prompt.max_output_tokens if manner.new_limit else None,
        temperature=prompt.temperature if manner.temperature else None,
        stream=True if manner.stream else None,
        stream_options=StreamOptions() if manner.stream else None,
    )


def _tool(name: str, description: str, takes: Schema) -> FunctionTool:
    return FunctionTool(function=Function(name=name, description=description, parameters=takes))


def _format(contract: type[Noun], output: OutputMode) -> SchemaFormat | ObjectFormat | None:
    match output:
        case "schema":
            enforced = strict(contract)
            schema = plain(contract) if enforced is None else enforced
            named = NamedSchema(name=contract.__name__, strict=enforced is not None, contract=schema)
            return SchemaFormat(json_schema=named)
        case "object":
            return ObjectFormat()
        case "tool" | "prompt":
            return None


@cache
def _words(contract: type[Noun]) -> str:
    template = files("quaestor.models.chat").joinpath("contract.prompt").read_text(encoding="utf-8")
    schema = json.dumps(plain(contract), ensure_ascii=False, separators=(",", ":"))
    return template.replace("{{schema}}", schema).strip()
