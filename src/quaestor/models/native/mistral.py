from mistralai.client.errors import MistralError, NoResponseError
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.mistral import MistralProvider
from pydantic_ai.settings import ModelSettings

from quaestor.models.native.sdk import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, Endpoint


def open_sdk(model: str, way: Endpoint) -> SdkModel:
    """Give Mistral's SDK. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://api.mistral.ai")
    provider = MistralProvider(
        api_key=way.key or PLACEHOLDER_KEY, base_url=carrier.base_url, http_client=http_client(carrier)
    )
    return SdkModel(
        model=MistralModel(model, provider=provider),
        address=carrier.address,
        settings=ModelSettings(max_retries=0),
        errors=(MistralError, NoResponseError),
    )
