"""How a request is put to a provider: the body of a chat call, which has tools or a format, in other words.

Whoever imports this module needs the extra `llm`.
"""

import json
from collections.abc import Iterable
from typing import Literal

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
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition
from pydantic_ai.usage import RequestUsage

from quaestor.contracts.cost import Usage
from quaestor.models.chat.completion import Completion, RawToolCall
from quaestor.models.chat.wire import (
    Body,
    ChatMessage,
    ForcedChoice,
    FunctionTool,
    OutputBody,
    SchemaFormat,
    ToolsBody,
)


def request_parameters(body: Body) -> ModelRequestParameters:
    """Give what a call may answer: one contract, in one way, or a choice of tools."""
    match body:
        case ToolsBody(tools=tools, tool_choice=ForcedChoice()):
            takers = [_tool(tool, kind="output") for tool in tools]
            return ModelRequestParameters(output_mode="tool", output_tools=takers, allow_text_output=False)
        case ToolsBody(tools=tools):
            return ModelRequestParameters(function_tools=[_tool(tool, kind="function") for tool in tools])
        case OutputBody(response_format=SchemaFormat(json_schema=named)):
            contract = OutputObjectDefinition(json_schema=dict(named.contract), name=named.name, strict=named.strict)
            return ModelRequestParameters(output_mode="native", output_object=contract)
        case OutputBody():
            return ModelRequestParameters()  # the words ask for JSON


def to_messages(messages: Iterable[ChatMessage]) -> list[ModelMessage]:
    """Give the messages in order; what is no answer is one request with what follows it."""
    told: list[ModelMessage] = []
    for message in messages:
        match message.role:
            case "assistant":
                told.append(ModelResponse(parts=[TextPart(message.content)]))
            case "system" | "user" as role:
                part = SystemPromptPart(message.content) if role == "system" else UserPromptPart(message.content)
                if told and isinstance(told[-1], ModelRequest):
                    told[-1].parts = [*told[-1].parts, part]
                else:
                    told.append(ModelRequest(parts=[part]))
    return told


def model_settings(body: Body) -> ModelSettings:
    """Give the most tokens of the answer, and the temperature if there is one."""
    settings = ModelSettings()
    if body.max_tokens is not None:
        settings["max_tokens"] = body.max_tokens
    if body.temperature is not None:
        settings["temperature"] = body.temperature
    return settings


def _tool(tool: FunctionTool, kind: Literal["function", "output"]) -> ToolDefinition:
    told = tool.function
    return ToolDefinition(
        name=told.name, description=told.description, parameters_json_schema=dict(told.parameters), kind=kind
    )


_GENERATED_ID_PREFIX = "pyd_ai_"
"""How the ids begin that pydantic-ai makes up at random where a provider gives none."""


def to_completion(response: ModelResponse) -> Completion:
    """Read an answer. What a model thought and did not say is left out.

    An SDK does not check what it is sent: AttributeError, TypeError and ValueError say that it is no answer.
    """
    return Completion(
        text=_valid_utf8("".join(part.content for part in response.parts if isinstance(part, TextPart))),
        refusal=_refusal(response),
        calls=tuple(_tool_call(part) for part in response.parts if isinstance(part, ToolCallPart)),
        finish=response.finish_reason or "",
        usage=_usage(response.usage),
    )


def _refusal(response: ModelResponse) -> str:
    """Name what the provider says went wrong while the model answered."""
    if response.finish_reason != "error":
        return ""
    return f"{(response.provider_details or {}).get('finish_reason', 'error')}"


def _tool_call(part: ToolCallPart) -> RawToolCall:
    ref = "" if part.tool_call_id.startswith(_GENERATED_ID_PREFIX) else part.tool_call_id
    arguments = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
    return RawToolCall(_valid_utf8(ref), _valid_utf8(part.tool_name), _valid_utf8(arguments))


def _valid_utf8(text: str) -> str:
    """Replace what UTF-8 cannot say: JSON may spell half of a pair."""
    return text.encode(errors="replace").decode()


def _usage(counted: RequestUsage) -> Usage | None:
    """Give the tokens, or None where they are not or wrongly counted, for the answer is worth more than its count."""
    if not counted.input_tokens and not counted.output_tokens:
        return None
    cached, written = counted.cache_read_tokens, counted.cache_write_tokens
    try:
        return Usage(
            input_tokens=max(counted.input_tokens, cached + written),
            cached_tokens=cached,
            written_tokens=written,
            output_tokens=counted.output_tokens,
        )
    except ValidationError:
        return None
