"""Bedrock's SDK, which works in threads and signs its requests, over the HTTP client of the provider."""

import re
from collections.abc import Iterator
from functools import partial

import boto3  # type: ignore[import-untyped]
from anyio import from_thread
from botocore import UNSIGNED  # type: ignore[import-untyped]
from botocore.awsrequest import AWSPreparedRequest, AWSResponse  # type: ignore[import-untyped]
from botocore.client import BaseClient  # type: ignore[import-untyped]
from botocore.config import Config  # type: ignore[import-untyped]
from botocore.exceptions import BotoCoreError, ClientError, NoRegionError  # type: ignore[import-untyped]
from botocore.parsers import ResponseParserError  # type: ignore[import-untyped]
from pydantic_ai.models.bedrock import BedrockConverseModel
from pydantic_ai.providers.bedrock import BedrockProvider

from quaestor.contracts.errors import SetupError
from quaestor.models.native.adapter import PROMPT_CACHING, SdkModel
from quaestor.models.native.transport import SdkEndpoint, SdkTransport

_REGION = re.compile(r"bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.")
_DEFAULT_REGION = "us-east-1"
"""For a server whose address does not contain the region."""


def open_sdk(model: str, endpoint: SdkEndpoint) -> SdkModel:
    """Return Bedrock's SDK for an address, else for the region of AWS's own settings.

    Without a key, requests are signed with the credentials of AWS's own settings. Raises UsageError for a base URL
    or a key that is none, SetupError without a region and for AWS settings that cannot be used.
    """
    if endpoint.base_url is not None:
        endpoint.transport(endpoint.base_url)  # validates it with our own message before the SDK sees it
    try:
        client = _client(endpoint.base_url, signed=endpoint.key is None)
    except NoRegionError as error:
        raise SetupError(
            "Bedrock needs a region: set AWS_DEFAULT_REGION, or write "
            'base_url = "https://bedrock-runtime.REGION.amazonaws.com" below [providers.bedrock]'
        ) from error
    except BotoCoreError as error:
        raise SetupError(
            f"Bedrock cannot be asked with AWS's own settings as they are: {error}; correct them"
        ) from error
    transport = endpoint.transport(client.meta.endpoint_url)
    client.meta.events.register("before-send.bedrock-runtime", partial(_send, transport=transport, key=endpoint.key))
    return SdkModel(
        model=BedrockConverseModel(model, provider=BedrockProvider(bedrock_client=client)),
        endpoint=transport.endpoint,
        settings=PROMPT_CACHING,
        errors=(BotoCoreError, ClientError, ResponseParserError),
    )


def _client(base_url: str | None, *, signed: bool) -> BaseClient:
    region_in_url = _REGION.search(base_url or "")
    config = Config(retries={"total_max_attempts": 1}, **({} if signed else {"signature_version": UNSIGNED}))
    session = boto3.Session(region_name=region_in_url[1] if region_in_url else None)
    region = session.region_name or (_DEFAULT_REGION if base_url else None)
    return session.client("bedrock-runtime", region_name=region, endpoint_url=base_url, config=config)


def _send(request: AWSPreparedRequest, transport: SdkTransport, key: str | None, **_: object) -> AWSResponse:
    headers = {name: value.decode() if isinstance(value, bytes) else value for name, value in request.headers.items()}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    response = from_thread.run(transport.send, request.url, headers, request.body)
    return AWSResponse(request.url, response.status_code, dict(response.headers), _BufferedBody(response.content))


class _BufferedBody:
    """A body in memory, with the interface that the SDK reads."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self) -> Iterator[bytes]:
        yield self._content
