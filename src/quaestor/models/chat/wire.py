"""The chat dialect on the wire: bodies of requests, and the errors that APIs report in a response."""

import json
from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, JsonValue, PlainSerializer

from quaestor.contracts.base import Contract
from quaestor.contracts.immutable import Immutable

_MAX_MESSAGE_LENGTH = 300
_MAX_SEARCHED_LENGTH = 2000


JsonSchema = Annotated[Mapping[str, JsonValue], PlainSerializer(lambda schema: schema)]
"""A JSON Schema, written as the dictionary it is: for a `JsonValue` pydantic would ask for the type of every value."""


class ChatMessage(Contract):
    """One message."""

    role: Literal["system", "user", "assistant"]
    content: str


class NamedSchema(Contract):
    """A JSON Schema and its name."""

    name: str
    strict: bool
    contract: JsonSchema = Field(serialization_alias="schema")


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
    parameters: JsonSchema


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
    """The request for the usage in the last event of a stream."""

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


class ApiError(Immutable):
    """An error as a server reports it."""

    message: str
    """On one line, at most 300 characters."""
    code: str
    lowercase_text: str
    """The whole body in lower case, at most 2,000 characters."""

    def mentions(self, *keywords: str) -> bool:
        """Return whether the body contains one of these words."""
        return any(keyword in self.lowercase_text for keyword in keywords)


def parse_api_error(text: str) -> ApiError:
    """Parse an error body: OpenAI's `{"error": {"message", "code", "param"}}`, its relatives, or plain text."""
    try:
        error = _error_object(json.loads(text))
    except (ValueError, RecursionError):
        error = None
    message = " ".join((_message(error) or text).split()) or "nothing"
    return ApiError(
        message=message if len(message) <= _MAX_MESSAGE_LENGTH else f"{message[:_MAX_MESSAGE_LENGTH]} ...",
        code=str(error.get("code", "")) if isinstance(error, dict) else "",
        lowercase_text=text[:_MAX_SEARCHED_LENGTH].lower(),
    )


def _error_object(body: JsonValue) -> JsonValue:
    match body:
        case [first, *_]:  # Gemini answers with a list of one
            return _error_object(first)
        case {"error": error} if error:
            return error
        case _:  # vLLM and FastAPI do not wrap it
            return body


def _message(error: JsonValue) -> str:
    match error:
        case str():
            return error
        case {"message": str(message), "metadata": {"raw": str(raw)}}:  # OpenRouter forwards the provider's own error
            return f"{message}: {raw}"
        case {"message": str(message)} | {"detail": str(message)}:
            return message
        case _:
            return ""
