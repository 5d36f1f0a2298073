from anthropic import AnthropicError, AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from quaestor.models.native.sdk import PROMPT_CACHING, SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, Endpoint


def open_sdk(model: str, way: Endpoint) -> SdkModel:
    """Give Anthropic's SDK. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://api.anthropic.com")
    client = AsyncAnthropic(
        api_key=way.key or PLACEHOLDER_KEY, base_url=carrier.base_url, http_client=http_client(carrier), max_retries=0
    )
    return SdkModel(
        model=AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client)),
        address=carrier.address,
        settings=PROMPT_CACHING,
        errors=(AnthropicError,),
    )
