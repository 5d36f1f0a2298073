import logging

from google.genai.errors import APIError
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.settings import ModelSettings

from quaestor.models.native.sdk import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, Endpoint

# It tells the terminal which of two keys in the environment it takes, though it is given one; who logs still hears it.
logging.getLogger("google_genai").addHandler(logging.NullHandler())


def open_sdk(model: str, way: Endpoint) -> SdkModel:
    """Give Google's SDK for the Gemini API. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://generativelanguage.googleapis.com")
    provider = GoogleProvider(
        api_key=way.key or PLACEHOLDER_KEY, base_url=carrier.base_url, http_client=http_client(carrier)
    )
    return SdkModel(
        model=GoogleModel(model, provider=provider),
        address=carrier.address,
        settings=ModelSettings(max_retries=0),
        errors=(APIError,),
    )
