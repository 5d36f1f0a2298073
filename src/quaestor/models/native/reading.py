"""What a provider answered, as a chat server would have said it.

Whoever imports this module needs the extra `llm`.
"""

from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from quaestor.contracts.price import Usage
from quaestor.models.chat.completion import Called, Completion

_MADE_UP = "pyd_ai_"
"""How the ids begin that pydantic-ai makes up at random where a provider gives none."""


def completion(response: ModelResponse) -> Completion:
    """Read an answer. What a model thought and did not say is left out."""
    return Completion(
        text="".join(part.content for part in response.parts if isinstance(part, TextPart)),
        refusal=_refusal(response),
        calls=tuple(_called(part) for part in response.parts if isinstance(part, ToolCallPart)),
        finish=response.finish_reason or "",
        usage=_usage(response.usage),
    )


def _refusal(response: ModelResponse) -> str:
    """Name what the provider says went wrong while the model answered."""
    if response.finish_reason != "error":
        return ""
    return f"{(response.provider_details or {}).get('finish_reason', 'error')}"


def _called(part: ToolCallPart) -> Called:
    made_up = part.tool_call_id.startswith(_MADE_UP)
    arguments = part.args if isinstance(part.args, str) else part.args_as_json_str()
    return Called("" if made_up else part.tool_call_id, part.tool_name, arguments)


def _usage(counted: RequestUsage) -> Usage | None:
    """Give the tokens, or None where the provider did not count them."""
    if not counted.input_tokens and not counted.output_tokens:
        return None
    cached, written = counted.cache_read_tokens, counted.cache_write_tokens
    return Usage(
        input_tokens=max(counted.input_tokens, cached + written),
        cached_tokens=cached,
        written_tokens=written,
        output_tokens=counted.output_tokens,
    )
