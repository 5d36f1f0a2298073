from openai import AsyncOpenAI, OpenAIError
from pydantic_ai.models.openai import OpenAIResponsesModel, OpenAIResponsesModelSettings
from pydantic_ai.providers.openai import OpenAIProvider

from quaestor.models.native.sdk import SdkModel, http_client
from quaestor.models.native.transport import PLACEHOLDER_KEY, Endpoint


def open_sdk(model: str, way: Endpoint) -> SdkModel:
    """Give OpenAI's SDK for the Responses API. Raises UsageError for a base URL or a key that is none."""
    carrier = way.carrier("https://api.openai.com/v1")
    client = AsyncOpenAI(
        api_key=way.key or PLACEHOLDER_KEY, base_url=carrier.base_url, http_client=http_client(carrier), max_retries=0
    )
    return SdkModel(
        model=OpenAIResponsesModel(model, provider=OpenAIProvider(openai_client=client)),
        address=carrier.address,
        settings=OpenAIResponsesModelSettings(openai_store=False),  # the log is ours to keep
        errors=(OpenAIError,),
    )
