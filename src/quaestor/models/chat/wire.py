"""Bodies of the chat completions API. A call has tools or a response format; no type has both."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field, JsonValue

from quaestor.contracts.base import Contract


class ChatMessage(Contract):
    """One message."""

    role: Literal["system", "user", "assistant"]
    content: str


class NamedSchema(Contract):
    """A JSON Schema and its name."""

    name: str
    strict: bool
    contract: Mapping[str, JsonValue] = Field(serialization_alias="schema")


class SchemaFormat(Contract):
    """The reply fits a JSON Schema."""

    type: Literal["json_schema"] = "json_schema"
    json_schema: NamedSchema


class ObjectFormat(Contract):
    """The reply is some JSON object."""

    type: Literal["json_object"] = "json_object"


class Function(Contract):
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: Mapping[str, JsonValue]


class FunctionTool(Contract):
    """A tool the model may call."""

    type: Literal["function"] = "function"
    function: Function


class FunctionName(Contract):
    """The name of a tool."""

    name: str


class ForcedChoice(Contract):
    """The one tool the model must call."""

    type: Literal["function"] = "function"
    function: FunctionName


class StreamOptions(Contract):
    """Requests the usage in the last event of a stream."""

    include_usage: Literal[True] = True


class _Body(Contract):
    """The fields of every request; None is not sent."""

    model: str
    messages: tuple[ChatMessage, ...]
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    temperature: float | None = None
    stream: Literal[True] | None = None
    stream_options: StreamOptions | None = None


class OutputBody(_Body):
    """A request for an answer, as free text or in a format."""

    response_format: SchemaFormat | ObjectFormat | None = None


class ToolsBody(_Body):
    """A request for tool calls."""

    tools: tuple[FunctionTool, ...] = Field(min_length=1)
    tool_choice: Literal["auto"] | ForcedChoice = "auto"


Body = OutputBody | ToolsBody


def encode_body(body: Body) -> bytes:
    """Return the body as JSON in UTF-8."""
    return body.model_dump_json(exclude_none=True, by_alias=True).encode()
