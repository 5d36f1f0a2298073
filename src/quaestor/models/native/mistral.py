"""Mistral's SDK over the HTTP client of the provider."""

from mistralai.client.errors import MistralError, NoResponseError
from pydantic_ai.models.mistral import MistralModel
from pydantic_ai.providers.mistral import MistralProvider
from pydantic_ai.settings import ModelSettings

from quaestor.models.native.adapter import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, SdkEndpoint


def open_sdk(model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Return Mistral's SDK. Raises UsageError for an invalid base URL or key."""
    transport = endpoint.transport("https://api.mistral.ai")
    provider = MistralProvider(
        api_key=endpoint.key or PLACEHOLDER_KEY, base_url=transport.base_url, http_client=http_client(transport)
    )
    return SdkModel(
        model=MistralModel(model, provider=provider),
        endpoint=transport.endpoint,
        settings=ModelSettings(max_retries=0),
        errors=(MistralError, NoResponseError),
    )
