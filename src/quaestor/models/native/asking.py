"""How a request is put to a provider: the body of a chat call, which has tools or a format, in other words.

Whoever imports this module needs the extra `llm`.
"""

from collections.abc import Iterable
from typing import Literal

from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from quaestor.models.chat.wire import (
    Body,
    ChatMessage,
    ForcedChoice,
    FunctionTool,
    OutputBody,
    SchemaFormat,
    ToolsBody,
)


def parameters(body: Body) -> ModelRequestParameters:
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


def conversation(messages: Iterable[ChatMessage]) -> list[ModelMessage]:
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


def limits(body: Body) -> ModelSettings:
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
