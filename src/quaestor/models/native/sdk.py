"""The SDK of each provider, told to send over the line of the run and never to send twice.

Whoever imports this module needs the extra `llm`; each SDK is imported when a model of its provider is first asked.
"""

from dataclasses import dataclass
from typing import Any

import httpx2
from pydantic_ai.models import Model
from pydantic_ai.settings import ModelSettings

from quaestor.models.chat.address import Address
from quaestor.models.native.carrying import Carrier, LineTransport, Way
from quaestor.models.native.kind import Kind

_NO_KEY = "no-key"
"""Sent where there is none: the SDKs do not send without; whoever wants a key answers 401."""
_CACHED = ModelSettings(cache={"messages": False})
"""The system prompt and the tools are marked as what later calls of the role begin with."""


@dataclass(frozen=True, slots=True)
class Sdk:
    """A model of one provider, as pydantic-ai reaches it."""

    model: Model[Any]
    address: Address
    settings: ModelSettings
    """Sent with every call."""
    errors: tuple[type[Exception], ...]
    """What its SDK raises by itself."""


def opened(kind: Kind, model: str, way: Way) -> Sdk:
    """Give the SDK for a model. Raises UsageError for a base URL, a key or a region that is none."""
    match kind:
        case "anthropic":
            return _anthropic(model, way.carrier("https://api.anthropic.com"), way.key)
        case "bedrock":
            return _bedrock(model, way)
        case "google":
            return _google(model, way.carrier("https://generativelanguage.googleapis.com"), way.key)
        case "mistral":
            return _mistral(model, way.carrier("https://api.mistral.ai"), way.key)
        case "openai-responses":
            return _openai(model, way.carrier("https://api.openai.com/v1"), way.key)


def _client(carrier: Carrier) -> httpx2.AsyncClient:
    """Give a client without connections of its own, so that there is nothing to close."""
    return httpx2.AsyncClient(transport=LineTransport(carrier), timeout=httpx2.Timeout(None, read=carrier.seconds))


def _anthropic(model: str, carrier: Carrier, key: str | None) -> Sdk:
    from anthropic import AnthropicError, AsyncAnthropic  # noqa: PLC0415 -- an extra, and slow to import
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415 -- imports the SDK
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415 -- imports the SDK

    client = AsyncAnthropic(
        api_key=key or _NO_KEY,
        base_url=carrier.base_url,
        http_client=_client(carrier),
        max_retries=0,
        timeout=carrier.seconds,
    )
    return Sdk(
        model=AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client)),
        address=carrier.address,
        settings=_CACHED,
        errors=(AnthropicError,),
    )


def _bedrock(model: str, way: Way) -> Sdk:
    from botocore.exceptions import (  # type: ignore[import-untyped]  # noqa: PLC0415 -- an extra, and slow to import
        BotoCoreError,
    )
    from pydantic_ai.models.bedrock import BedrockConverseModel  # noqa: PLC0415 -- imports the SDK
    from pydantic_ai.providers.bedrock import BedrockProvider  # noqa: PLC0415 -- imports the SDK

    from quaestor.models.native.aws import connected, runtime  # noqa: PLC0415 -- imports the SDK

    client = runtime(way.base_url, signed=way.key is None)
    carrier = way.carrier(client.meta.endpoint_url)
    connected(client, carrier, way.key)
    return Sdk(
        model=BedrockConverseModel(model, provider=BedrockProvider(bedrock_client=client)),
        address=carrier.address,
        settings=_CACHED,
        errors=(BotoCoreError,),
    )


def _google(model: str, carrier: Carrier, key: str | None) -> Sdk:
    from google.genai.errors import APIError  # noqa: PLC0415 -- an extra, and slow to import
    from pydantic_ai.models.google import GoogleModel  # noqa: PLC0415 -- imports the SDK
    from pydantic_ai.providers.google import GoogleProvider  # noqa: PLC0415 -- imports the SDK

    provider = GoogleProvider(api_key=key or _NO_KEY, base_url=carrier.base_url, http_client=_client(carrier))
    return Sdk(
        model=GoogleModel(model, provider=provider),
        address=carrier.address,
        settings=ModelSettings(timeout=carrier.seconds, max_retries=0),  # the time limit is told to the server too
        errors=(APIError,),
    )


def _mistral(model: str, carrier: Carrier, key: str | None) -> Sdk:
    from mistralai.client.errors import MistralError  # noqa: PLC0415 -- an extra, and slow to import
    from pydantic_ai.models.mistral import MistralModel  # noqa: PLC0415 -- imports the SDK
    from pydantic_ai.providers.mistral import MistralProvider  # noqa: PLC0415 -- imports the SDK

    provider = MistralProvider(api_key=key or _NO_KEY, base_url=carrier.base_url, http_client=_client(carrier))
    return Sdk(
        model=MistralModel(model, provider=provider),
        address=carrier.address,
        settings=ModelSettings(max_retries=0),
        errors=(MistralError,),
    )


def _openai(model: str, carrier: Carrier, key: str | None) -> Sdk:
    from openai import AsyncOpenAI, OpenAIError  # noqa: PLC0415 -- an extra, and slow to import
    from pydantic_ai.models.openai import (  # noqa: PLC0415 -- imports the SDK
        OpenAIResponsesModel,
        OpenAIResponsesModelSettings,
    )
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415 -- imports the SDK

    client = AsyncOpenAI(
        api_key=key or _NO_KEY,
        base_url=carrier.base_url,
        http_client=_client(carrier),
        max_retries=0,
        timeout=carrier.seconds,
    )
    return Sdk(
        model=OpenAIResponsesModel(model, provider=OpenAIProvider(openai_client=client)),
        address=carrier.address,
        settings=OpenAIResponsesModelSettings(openai_store=False),  # the log is ours to keep
        errors=(OpenAIError,),
    )
