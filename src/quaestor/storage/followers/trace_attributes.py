"""The attributes of spans, by the semantic conventions of OpenTelemetry for generative AI.

Names below `gen_ai.` and `error.` are those of the conventions in the version of `SCHEMA_URL`; what they have no name
for is below `quaestor.`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import ModelRequested, ModelResponded, ToolRequested, ToolResponded

AttributeValue = str | int | float | bool

SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0"

_PROVIDER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "bedrock": "aws.bedrock",
        "google": "gcp.gemini",
        "mistral": "mistral_ai",
        "openai-responses": "openai",
        "xai": "x_ai",
    }
)
"""Providers that the conventions name in another way."""
_OWN_PROVIDER = "quaestor"
"""Of a model without a provider: the offline one, and scripts."""


def split_model_name(name: str) -> tuple[str, str]:
    """Return the provider of a model as the conventions name it, and the model."""
    provider, separator, model = name.partition(":")
    return (_PROVIDER_NAMES.get(provider, provider), model) if separator else (_OWN_PROVIDER, name)


def request_attributes(asked: ModelRequested, session_id: str) -> Mapping[str, AttributeValue]:
    """Return the attributes of a model call that are known before its reply."""
    provider, model = split_model_name(asked.model)
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": provider,
        "gen_ai.request.model": model,
        "gen_ai.conversation.id": session_id,
        "gen_ai.agent.name": asked.role,
        "gen_ai.output.type": "json" if asked.contract else "text",
        "quaestor.attempt": asked.attempt,
    }


def reply_attributes(reply: ModelResponded) -> Mapping[str, AttributeValue]:
    """Return the attributes of a model call that its reply brings."""
    attributes: dict[str, AttributeValue] = {
        **spend_attributes(reply.spend),
        "quaestor.cached": reply.cached,
        "quaestor.priced": reply.priced,
    }
    if reply.usage:
        attributes |= {
            "gen_ai.usage.input_tokens": reply.usage.input_tokens,
            "gen_ai.usage.output_tokens": reply.usage.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": reply.usage.cached_tokens,
            "gen_ai.usage.cache_creation.input_tokens": reply.usage.written_tokens,
        }
    return attributes


def reply_error(reply: ModelResponded) -> str | None:
    """Return the type of the error of a model call; None: it was answered."""
    if reply.error is not None:
        return "unavailable" if reply.unavailable else "error"
    return "unusable_reply" if reply.fault else None


def result_error(result: ToolResponded) -> str | None:
    """Return the type of the error of a tool call; None: it was carried out."""
    if result.error is None:
        return None
    return "unavailable" if result.unavailable else "error"


def tool_attributes(asked: ToolRequested) -> Mapping[str, AttributeValue]:
    """Return the attributes of a tool call."""
    return {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": asked.tool,
        "quaestor.action.key": asked.key,
        "quaestor.repeatable": asked.repeatable,
    }


def spend_attributes(spend: Spend) -> Mapping[str, AttributeValue]:
    """Return what was spent; the log has the dollars exactly."""
    return {
        "quaestor.spend.model_calls": spend.model_calls,
        "quaestor.spend.tool_calls": spend.tool_calls,
        "quaestor.spend.tokens": spend.tokens,
        "quaestor.spend.dollars": float(spend.dollars),
    }
