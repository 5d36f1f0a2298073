"""Conversion between the chat dialect and pydantic-ai, whose SDKs use the HTTP client of a provider and never retry.

Importing this module needs the extra `llm`.
"""

import json
from collections.abc import Iterable
from typing import Any, Literal

import httpx2
from pydantic import ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from quaestor.contracts.cost import Usage
from quaestor.contracts.immutable import Immutable
from quaestor.http.endpoint import Endpoint
from quaestor.models.chat.completion import Completion, RawToolCall
from quaestor.models.chat.wire import Body, ChatMessage, ForcedChoice, FunctionTool, OutputBody, SchemaFormat, ToolsBody
from quaestor.models.native.transport import HttpxTransport, SdkTransport

_GENERATED_ID_PREFIX = "pyd_ai_"
"""The prefix of the random ids that pydantic-ai generates where a provider sends none."""
PROMPT_CACHING = ModelSettings(cache={"messages": False})
"""Marks the system prompt and the tools as the prefix that later calls of the role share."""


def request_parameters(body: Body) -> ModelRequestParameters:
    """Return what a call may answer: one contract, in one mode, or a choice of tools."""
    match body:
        case ToolsBody(tools=tools, tool_choice=ForcedChoice()):
            output_tools = [_tool(tool, kind="output") for tool in tools]
            return ModelRequestParameters(output_mode="tool", output_tools=output_tools, allow_text_output=False)
        case ToolsBody(tools=tools):
            return ModelRequestParameters(function_tools=[_tool(tool, kind="function") for tool in tools])
        case OutputBody(response_format=SchemaFormat(json_schema=named)):
            contract = OutputObjectDefinition(json_schema=dict(named.contract), name=named.name, strict=named.strict)
            return ModelRequestParameters(output_mode="native", output_object=contract)
        case OutputBody():
            return ModelRequestParameters()  # the prompt asks for JSON


def to_messages(messages: Iterable[ChatMessage]) -> list[ModelMessage]:
    """Return the messages in order; adjacent system and user messages form one request."""
    history: list[ModelMessage] = []
    for message in messages:
        match message.role:
            case "assistant":
                history.append(ModelResponse(parts=[TextPart(message.content)]))
            case "system" | "user" as role:
                part = SystemPromptPart(message.content) if role == "system" else UserPromptPart(message.content)
                if history and isinstance(history[-1], ModelRequest):
                    history[-1].parts = [*history[-1].parts, part]
                else:
                    history.append(ModelRequest(parts=[part]))
    return history


def model_settings(body: Body) -> ModelSettings:
    """Return the limit of output tokens, and the temperature if there is one."""
    settings = ModelSettings()
    if body.max_tokens is not None:
        settings["max_tokens"] = body.max_tokens
    if body.temperature is not None:
        settings["temperature"] = body.temperature
    return settings


def _tool(tool: FunctionTool, kind: Literal["function", "output"]) -> ToolDefinition:
    function = tool.function
    return ToolDefinition(
        name=function.name,
        description=function.description,
        parameters_json_schema=dict(function.parameters),
        kind=kind,
    )


def to_completion(response: ModelResponse) -> Completion:
    """Return a response as a completion, without the text of thinking.

    SDKs do not validate responses: AttributeError, TypeError and ValueError are raised for what is none.
    """
    return Completion(
        text=_valid_utf8("".join(part.content for part in response.parts if isinstance(part, TextPart))),
        refusal=_refusal(response),
        calls=tuple(_tool_call(part) for part in response.parts if isinstance(part, ToolCallPart)),
        finish=response.finish_reason or "",
        usage=_usage(response.usage),
    )


def _refusal(response: ModelResponse) -> str:
    """Return the error that the provider reports within the answer, or nothing."""
    if response.finish_reason != "error":
        return ""
    return f"{(response.provider_details or {}).get('finish_reason', 'error')}"


def _tool_call(part: ToolCallPart) -> RawToolCall:
    ref = "" if part.tool_call_id.startswith(_GENERATED_ID_PREFIX) else part.tool_call_id
    arguments = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
    return RawToolCall(_valid_utf8(ref), _valid_utf8(part.tool_name), _valid_utf8(arguments))


def _valid_utf8(text: str) -> str:
    """Replace lone surrogates, which JSON can spell and UTF-8 cannot."""
    return text.encode(errors="replace").decode()


def _usage(usage: RequestUsage) -> Usage | None:
    """Return the tokens; None for a wrong count, because the answer is worth more than its count."""
    cached, written = usage.cache_read_tokens, usage.cache_write_tokens
    try:
        return Usage(
            input_tokens=max(usage.input_tokens, cached + written),
            cached_tokens=cached,
            written_tokens=written,
            output_tokens=usage.output_tokens,
        )
    except ValidationError:
        return None


class SdkModel(Immutable):
    """A model of one provider, as pydantic-ai reaches it."""

    model: Model[Any]
    endpoint: Endpoint
    settings: ModelSettings
    """Sent with every call."""
    errors: tuple[type[Exception], ...]
    """The exceptions of its SDK that are not built in."""


def http_client(transport: SdkTransport) -> httpx2.AsyncClient:
    """Return a client for an SDK, without connections to close and without a time limit of its own."""
    return httpx2.AsyncClient(transport=HttpxTransport(transport), timeout=None)
