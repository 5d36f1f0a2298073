"""The transport of provider SDKs: what an SDK sends goes through the HTTP client of its provider.

So every provider has the same limits, pauses and time limits, no reply is read without end, and the outcome is known,
whatever an SDK makes of it. An SDK that retries by itself is stopped: one call is one request.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2
from typing_extensions import override

from quaestor.contracts.immutable import Immutable
from quaestor.http.body import decode_text, read_body, read_error_text
from quaestor.http.client import HttpClient
from quaestor.http.endpoint import Endpoint
from quaestor.http.errors import HttpError
from quaestor.models.chat.exchange import (
    MAX_ERROR_BYTES,
    MAX_REPLY_BYTES,
    ErrorResponse,
    ReplyTooLarge,
    RequestNotSent,
    ResponseLost,
    failed_outcome,
    is_error_response,
    parse_error_response,
    provider_endpoint,
)

PLACEHOLDER_KEY = "no-key"
"""Passed to an SDK that insists on a key where there is none; it is never sent."""
_CONNECTION_HEADERS = {"accept-encoding", "connection", "content-length", "transfer-encoding", "user-agent"}
_API_HEADERS = {
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "authorization",
    "content-type",
    "x-api-key",
    "x-goog-api-key",
}
_ENCODING_HEADERS = {"content-encoding", "content-length", "transfer-encoding"}


@dataclass(slots=True)
class CallRecord:
    """The course of the one request of a call; nothing is sent yet while `sent` is False."""

    sent: bool = False
    size: int = 0
    failure: ErrorResponse | ReplyTooLarge | RequestNotSent | ResponseLost | None = None
    task: asyncio.Task[object] | None = None
    """The task that sends the request at the moment."""


class _NoResponse(httpx2.RequestError):
    """The error that reports to an SDK that there is no response."""


_current_call: ContextVar[CallRecord] = ContextVar("_current_call")


@contextmanager
def track_call() -> Iterator[CallRecord]:
    """Record what is sent within the block; afterwards nothing more is sent for this call."""
    record = CallRecord()
    token = _current_call.set(record)
    try:
        yield record
    finally:
        _current_call.reset(token)
        record.sent = True
        if record.task:  # the call was cancelled while a thread of its SDK waits
            record.task.cancel()


class SdkTransport(Immutable):
    """A transport that sends the requests of an SDK to one endpoint."""

    client: HttpClient
    endpoint: Endpoint
    base_url: str

    async def send(self, url: str, headers: Mapping[str, str], body: bytes) -> httpx2.Response:
        """Send a request and return its whole response, whatever its status.

        Raises httpx2.RequestError when there is none; the record of the call holds the reason.
        """
        record = _current_call.get()
        if record.sent:
            raise _NoResponse("a call is one request")
        record.sent = True
        record.task = asyncio.current_task()
        kept = {name: value for name, value in headers.items() if name.lower() not in _CONNECTION_HEADERS}
        own = {name: self.endpoint.headers[name] for name in ("accept-encoding", "user-agent")}
        try:
            async with self.client.send("POST", httpx2.URL(url), kept | own, body) as response:
                return await self._read_response(response, record)
        except HttpError as error:
            record.failure = failed_outcome(error, self.endpoint.redaction)
            raise _NoResponse(str(error)) from error
        finally:
            record.task = None

    async def _read_response(self, response: httpx2.Response, record: CallRecord) -> httpx2.Response:
        redaction = self.endpoint.redaction
        if is_error_response(response):
            text = await read_error_text(response, MAX_ERROR_BYTES)
            record.failure = parse_error_response(response, text, redaction)
        else:
            body = await read_body(response, MAX_REPLY_BYTES)
            record.size = len(body)
            text = decode_text(body)
        return httpx2.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.multi_items() if name not in _ENCODING_HEADERS],
            content=redaction.redact_reply(text).encode(),
        )


class SdkEndpoint(Immutable):
    """The configured address and key of a provider; without a base URL the SDK's own default applies."""

    base_url: str | None
    key: str | None
    client: HttpClient

    def transport(self, default_url: str) -> SdkTransport:
        """Return the transport to the address. Raises UsageError for an invalid base URL or key."""
        base_url = self.base_url or default_url
        return SdkTransport(self.client, provider_endpoint(base_url, self.key), base_url)


class HttpxTransport(httpx2.AsyncBaseTransport):
    """The link from an SDK that uses httpx2 to an SdkTransport; it passes only the headers that its API needs.

    Others would reveal the machine to the provider, or come from environment variables of the SDK.
    """

    def __init__(self, transport: SdkTransport) -> None:
        self._transport = transport

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {
            name: value
            for name, value in request.headers.items()
            if name in _API_HEADERS and PLACEHOLDER_KEY not in value
        }
        return await self._transport.send(str(request.url), headers, await request.aread())
