"""Requests to the fake chat completions server, and the answers that can be configured."""

import json
from collections.abc import Callable, Mapping
from typing import Literal, Self

from pydantic import Field, JsonValue, model_validator

from quaestor.contracts.base import Contract


class AskedMessage(Contract):
    role: Literal["system", "user", "assistant"]
    content: str


class AskedSchema(Contract):
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    strict: bool
    contract: Mapping[str, JsonValue] = Field(alias="schema")


class AskedFormat(Contract):
    type: Literal["json_schema", "json_object"]
    json_schema: AskedSchema | None = None


class AskedFunction(Contract):
    name: str = Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")
    description: str
    parameters: Mapping[str, JsonValue]


class AskedTool(Contract):
    type: Literal["function"]
    function: AskedFunction


class Asked(Contract):
    """A body as the API takes it; one with tools and a format at once is refused."""

    model: str
    messages: tuple[AskedMessage, ...] = Field(min_length=1)
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | None = None
    stream: bool = False
    stream_options: Mapping[str, bool] = {}
    response_format: AskedFormat | None = None
    tools: tuple[AskedTool, ...] = ()
    tool_choice: JsonValue = None

    @model_validator(mode="after")
    def _tools_or_a_format(self) -> Self:
        if self.tools and self.response_format:
            msg = "tools and response_format at once"
            raise ValueError(msg)
        return self

    @property
    def limit(self) -> int:
        """The most tokens the answer may have."""
        return self.max_completion_tokens or self.max_tokens or 1_000_000


class Said(Contract):
    """An answer in words."""

    text: str
    finish: str = "stop"
    refusal: str | None = None
    counted: bool = True


class Call(Contract):
    """One call of a tool; `arguments` is sent as it is."""

    name: str
    arguments: str
    id: str | None = None


class Calls(Contract):
    """An answer by calls of tools."""

    calls: tuple[Call, ...]
    text: str | None = None


class Status(Contract):
    """An error; `echo` says the Authorization header back."""

    status: int
    message: str = "no"
    code: str | None = None
    headers: Mapping[str, str] = {}
    echo: bool = False


class Raw(Contract):
    """A body of these pieces, each sent on its own.

    With `done` False the connection is cut after the last; `endless` sends the last again and again.
    """

    pieces: tuple[bytes, ...]
    content_type: str = "application/json"
    status: int = 200
    headers: Mapping[str, str] = {}
    done: bool = True
    endless: bool = False


class Cut(Contract):
    """The connection is cut before the headers, or in the middle of the answer."""

    text: str
    after: Literal["nothing", "half"]


class Hang(Contract):
    """No answer ever."""


class Slow(Contract):
    """An answer so many seconds after its request came."""

    seconds: float
    then: "Answer"


Answer = str | Said | Calls | Status | Raw | Cut | Hang | Slow
Reply = Callable[[Asked], Answer]


def refusing(then: Reply, *things: Literal["json_schema", "json_object", "tools", "temperature"]) -> Reply:
    """Return a reply that refuses these with 400, in the words servers use, and else answers as `then` does."""

    def reply(asked: Asked) -> Answer:
        kind = asked.response_format.type if asked.response_format else None
        if kind in things:
            return Status(status=400, message=f"This response_format type is unavailable now: {kind}")
        if "tools" in things and asked.tools:
            return Status(status=400, message="this model does not support tools")
        if "temperature" in things and asked.temperature is not None:
            return Status(status=400, message="Unsupported value: 'temperature' does not support 0.2 with this model.")
        return then(asked)

    return reply


FAULTS: Mapping[str, Callable[[str], Answer]] = {
    "429 with Retry-After": lambda _: Status(status=429, message="too many", headers={"Retry-After": "0"}),
    "500": lambda _: Status(status=500, message="something broke"),
    "hang": lambda _: Hang(),
    "cut before the headers": lambda good: Cut(text=good, after="nothing"),
    "cut in the middle": lambda good: Cut(text=good, after="half"),
    "half a JSON": lambda good: good[: len(good) // 2],
    "no JSON as body": lambda _: Raw(pieces=(b"<html>Bad gateway</html>",), content_type="text/html"),
    "empty": lambda _: "",
    "prose": lambda _: "I looked into it, and there is a lot to say about this question.",
    "a tool call": lambda _: Calls(calls=(Call(name="search", arguments='{"query": "x"}', id="c1"),)),
    "extra fields": lambda good: json.dumps({**json.loads(good), "confidence": 0.9}),
    "another language": lambda _: "这个问题需要更多的资料才能回答。",
    "2 MB": lambda _: Raw(pieces=(b'{"choices":[{"message":{"content":"', b"x" * (2 * 1024 * 1024), b'"}}]}')),
    "refusal": lambda _: Said(text="", refusal="I cannot help with that."),
    "no usage": lambda good: Said(text=good, counted=False),
    "content filter": lambda good: Said(text=good[:5], finish="content_filter"),
    "length": lambda good: Said(text=good[: len(good) // 2], finish="length"),
}
"""What a server may make of a good reply."""
