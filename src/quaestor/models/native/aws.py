"""Bedrock's SDK, which works in threads and signs what it sends, on the line of the run."""

import re
from collections.abc import Iterator
from functools import partial

import boto3  # type: ignore[import-untyped]
from anyio import from_thread
from botocore import UNSIGNED  # type: ignore[import-untyped]
from botocore.awsrequest import AWSPreparedRequest, AWSResponse  # type: ignore[import-untyped]
from botocore.client import BaseClient  # type: ignore[import-untyped]
from botocore.config import Config  # type: ignore[import-untyped]
from botocore.exceptions import NoRegionError  # type: ignore[import-untyped]

from quaestor.contracts.errors import UsageError
from quaestor.models.native.carrying import Carrier

_REGION = re.compile(r"bedrock-runtime(?:-fips)?\.([a-z0-9-]+)\.")
_ANY_REGION = "us-east-1"
"""For a server of one's own, where the region is no part of the address."""


def runtime(base_url: str | None, *, signed: bool) -> BaseClient:
    """Give a client of Bedrock at this address, or else in the region that AWS's own settings name.

    A signed one proves who asks by the credentials that AWS's own settings name. Raises UsageError without a region.
    """
    named = _REGION.search(base_url or "")
    config = Config(retries={"total_max_attempts": 1}, **({} if signed else {"signature_version": UNSIGNED}))
    session = boto3.Session(region_name=named[1] if named else None)
    region = session.region_name or (_ANY_REGION if base_url else None)
    try:
        return session.client("bedrock-runtime", region_name=region, endpoint_url=base_url, config=config)
    except NoRegionError as error:
        raise UsageError(
            "Bedrock needs a region: set AWS_DEFAULT_REGION, or write "
            'base_url = "https://bedrock-runtime.REGION.amazonaws.com" below [providers.bedrock]'
        ) from error


def connected(client: BaseClient, carrier: Carrier, key: str | None) -> None:
    """Let a client send over a line; what it does not sign goes with the key."""
    client.meta.events.register("before-send.bedrock-runtime", partial(_send, carrier=carrier, key=key))


def _send(request: AWSPreparedRequest, carrier: Carrier, key: str | None, **_: object) -> AWSResponse:
    headers = {name: value.decode() if isinstance(value, bytes) else value for name, value in request.headers.items()}
    if key is not None:
        headers["Authorization"] = f"Bearer {key}"
    response = from_thread.run(carrier.carry, request.url, headers, request.body)
    return AWSResponse(request.url, response.status_code, dict(response.headers), _Body(response.content))


class _Body:
    """A body as the SDK reads it."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def stream(self) -> Iterator[bytes]:
        yield self._content
