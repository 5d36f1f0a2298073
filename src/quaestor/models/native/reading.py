"""What a provider answered, as a chat server would have said it.

Whoever imports this module needs the extra `llm`.
"""

import json

from pydantic import ValidationError
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.usage import RequestUsage

from quaestor.contracts.price import Usage
from quaestor.models.chat.completion import Called, Completion

_MADE_UP = "pyd_ai_"
"""How the ids begin that pydantic-ai makes up at random where a provider gives none."""


def completion(response: ModelResponse) -> Completion:
    """Read an answer. What a model thought and did not say is left out.

    An SDK does not check what it is sent: AttributeError, TypeError and ValueError say that it is no answer.
    """
    return Completion(
        text=_sayable("".join(part.content for part in response.parts if isinstance(part, TextPart))),
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
    ref = "" if part.tool_call_id.startswith(_MADE_UP) else part.tool_call_id
    arguments = part.args if isinstance(part.args, str) else json.dumps(part.args or {})
    return Called(_sayable(ref), _sayable(part.tool_name), _sayable(arguments))


def _sayable(text: str) -> str:
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
