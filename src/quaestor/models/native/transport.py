"""What a provider's SDK sends goes over the line of the run.

So every provider has the same limits, pauses and time limits, no reply is read without end, and it is known what came
back, whatever an SDK makes of it. An SDK that sends again by itself is stopped: one call is one request.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2
from typing_extensions import override

from quaestor.http.retry import parse_retry_after
from quaestor.models.chat.api_error import parse_api_error
from quaestor.models.chat.connection import Address, ProviderConnection
from quaestor.models.chat.exchange import (
    MAX_ERROR_BYTES,
    MAX_REPLY_BYTES,
    ErrorResponse,
    ReplyTooLarge,
    RequestNotSent,
    ResponseLost,
    describe_error,
    read_body,
)

PLACEHOLDER_KEY = "no-key"
"""Stands for a key in an SDK that wants one where there is none; it is not sent."""
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
    """What became of the one request of a call; nothing is sent yet while `sent` is False."""

    sent: bool = False
    size: int = 0
    ended: ErrorResponse | ReplyTooLarge | RequestNotSent | ResponseLost | None = None
    task: asyncio.Task[object] | None = None
    """What carries the request just now."""


class _NoResponse(httpx2.RequestError):
    """Tells an SDK that there is no response."""


_current_call: ContextVar[CallRecord] = ContextVar("_trip")


@contextmanager
def track_call() -> Iterator[CallRecord]:
    """Give the trip that whatever is sent within this block belongs to; afterwards nothing more is sent."""
    trip = CallRecord()
    token = _current_call.set(trip)
    try:
        yield trip
    finally:
        _current_call.reset(token)
        trip.sent = True
        if trip.task:  # the call was given up while a thread of its SDK waits
            trip.task.cancel()


@dataclass(frozen=True, slots=True)
class SdkTransport:
    """Carries requests to one address, each within `seconds` from when it is its turn."""

    line: ProviderConnection
    address: Address
    base_url: str
    seconds: float

    async def carry(self, url: str, headers: Mapping[str, str], body: bytes) -> httpx2.Response:
        """Send a request and give its whole response, whatever its status.

        Raises httpx2.RequestError when there is none; the trip says why.
        """
        trip = _current_call.get()
        if trip.sent:
            raise _NoResponse("a call is one request")
        trip.sent = True
        trip.task = asyncio.current_task()
        sent = {name: value for name, value in headers.items() if name.lower() not in _CONNECTION_HEADERS}
        own = {name: self.address.headers[name] for name in ("accept-encoding", "user-agent")}
        try:
            async with self.line.post(httpx2.URL(url), sent | own, body, self.seconds) as response:
                return await self._read_response(response, trip)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            trip.ended = RequestNotSent(self.address.hide(describe_error("no connection", error)))
            raise
        except TimeoutError as error:
            trip.ended = ResponseLost(f"no answer within {self.seconds:g} s")
            raise _NoResponse(trip.ended.reason) from error
        except httpx2.RequestError as error:
            trip.ended = trip.ended or ResponseLost(self.address.hide(describe_error("the connection was cut", error)))
            raise
        finally:
            trip.task = None

    async def _read_response(self, response: httpx2.Response, trip: CallRecord) -> httpx2.Response:
        refused = response.is_error or response.is_redirect
        body = await read_body(response, MAX_ERROR_BYTES if refused else MAX_REPLY_BYTES + 1)
        if len(body) > MAX_REPLY_BYTES:
            trip.ended = ReplyTooLarge()
            raise _NoResponse("the reply is too long")
        trip.size = len(body)
        text = body.decode("utf-8-sig", errors="replace")
        if refused:
            said = parse_api_error(self.address.hide(text))
            trip.ended = ErrorResponse(response.status_code, said, parse_retry_after(response.headers))
        return httpx2.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.multi_items() if name not in _ENCODING_HEADERS],
            content=self.address.redact_reply(text).encode(),
        )


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How a provider is reached; without a base URL, where it is known to be."""

    base_url: str | None
    key: str | None
    line: ProviderConnection
    seconds: float

    def carrier(self, otherwise: str) -> SdkTransport:
        """Give what carries requests there. Raises UsageError for a base URL or a key that is none."""
        base_url = self.base_url or otherwise
        return SdkTransport(self.line, Address(base_url, self.key), base_url, self.seconds)


class HttpxTransport(httpx2.AsyncBaseTransport):
    """Lets an SDK that speaks through httpx2 send over a line, and of the headers only what its API wants.

    What else it would tell is not the provider's business: the machine it runs on, headers that its own variables name.
    """

    def __init__(self, carrier: SdkTransport) -> None:
        self._transport = carrier

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {
            name: value
            for name, value in request.headers.items()
            if name in _API_HEADERS and PLACEHOLDER_KEY not in value
        }
        return await self._transport.carry(str(request.url), headers, await request.aread())
