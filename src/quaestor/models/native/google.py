"""Google's SDK over the HTTP client of the provider."""

import logging

from google.genai.errors import APIError
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from quaestor.models.native.adapter import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, SdkEndpoint

# Without a handler it prints to the terminal which key of the environment it prefers, though it is given one.
logging.getLogger("google_genai").addHandler(logging.NullHandler())


def open_sdk(model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Return Google's SDK for the Gemini API. Raises UsageError for an invalid base URL or key."""
    transport = endpoint.transport("https://generativelanguage.googleapis.com")
    provider = GoogleProvider(
        api_key=endpoint.key or PLACEHOLDER_KEY, base_url=transport.base_url, http_client=http_client(transport)
    )
    return SdkModel(
        model=GoogleModel(model, provider=provider),
        endpoint=transport.endpoint,
        settings=ModelSettings(max_retries=0),
        errors=(APIError,),
    )
