from mistralai.client.errors import MistralError, NoResponseError
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.mistral import MistralProvider
from pydantic_ai.settings import ModelSettings

from quaestor.models.native.carrying import NO_KEY, Way
from quaestor.models.native.sdk import Sdk, http_client


def opened(model: str, way: Way) -> Sdk:
    """Give Mistral's SDK. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://api.mistral.ai")
    provider = MistralProvider(api_key=way.key or NO_KEY, base_url=carrier.base_url, http_client=http_client(carrier))
    return Sdk(
        model=MistralModel(model, provider=provider),
        address=carrier.address,
        settings=ModelSettings(max_retries=0),
        errors=(MistralError, NoResponseError),
    )
