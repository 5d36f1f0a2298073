"""OpenAI's SDK, for the Responses API, over the HTTP client of the provider."""

from openai import AsyncOpenAI, OpenAIError
from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.providers.openai import OpenAIProvider

from quaestor.models.native.adapter import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, SdkEndpoint


def open_sdk(model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Return OpenAI's SDK for the Responses API. Raises UsageError for an invalid base URL or key."""
    transport = endpoint.transport("https://api.openai.com/v1")
    client = AsyncOpenAI(
        api_key=endpoint.key or PLACEHOLDER_KEY,
        base_url=transport.base_url,
        http_client=http_client(transport),
        max_retries=0,
    )
    return SdkModel(
        model=OpenAIResponsesModel(model, provider=OpenAIProvider(openai_client=client)),
        endpoint=transport.endpoint,
        settings=OpenAIResponsesModelSettings(openai_store=False),  # the session's own log keeps it
        errors=(OpenAIError,),
    )
