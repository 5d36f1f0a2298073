from anthropic import AnthropicError, AsyncAnthropic
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.providers.anthropic import AnthropicProvider

from quaestor.models.native.carrying import NO_KEY, Way
from quaestor.models.native.sdk import CACHED, Sdk, http_client


def opened(model: str, way: Way) -> Sdk:
    """Give Anthropic's SDK. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://api.anthropic.com")
    client = AsyncAnthropic(
        api_key=way.key or NO_KEY, base_url=carrier.base_url, http_client=http_client(carrier), max_retries=0
    )
    return Sdk(
        model=AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client)),
        address=carrier.address,
        settings=CACHED,
        errors=(AnthropicError,),
    )
