"""Anthropic's SDK over the HTTP client of the provider."""

from anthropic import AnthropicError, AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from quaestor.models.native.adapter import PROMPT_CACHING, SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, SdkEndpoint


def open_sdk(model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Return Anthropic's SDK. Raises UsageError for an invalid base URL or key."""
    transport = endpoint.transport("https://api.anthropic.com")
    client = AsyncAnthropic(
        api_key=endpoint.key or PLACEHOLDER_KEY,
        base_url=transport.base_url,
        http_client=http_client(transport),
        max_retries=0,
    )
    return SdkModel(
        model=AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client)),
        endpoint=transport.endpoint,
        settings=PROMPT_CACHING,
        errors=(AnthropicError,),
    )
