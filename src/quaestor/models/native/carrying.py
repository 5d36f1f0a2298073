"""What a provider's SDK sends goes over the line of the run.

So every provider has the same limits, pauses and time limits, no reply is read without end, and it is known what came
back, whatever an SDK makes of it. An SDK that sends again by itself is stopped: one call is one request.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import aclosing, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import httpx2
from typing_extensions import override

from quaestor.models.chat.address import Address
from quaestor.models.chat.complaint import complaint
from quaestor.models.chat.exchange import MOST_BYTES, Lost, Refused, TooLong, Unsent
from quaestor.models.chat.line import Line
from quaestor.models.chat.patience import asked_to_wait

_CLIENT_ERROR = 300
_OWN_HEADERS = {"accept-encoding", "connection", "content-length", "transfer-encoding"}
_CODED_HEADERS = {"content-encoding", "content-length", "transfer-encoding"}


@dataclass(slots=True)
class Trip:
    """What became of the one request of a call; nothing is sent yet while `sent` is False."""

    sent: bool = False
    size: int = 0
    ended: Refused | TooLong | Unsent | Lost | None = None
    task: asyncio.Task[object] | None = None
    """What carries the request just now."""


@dataclass(frozen=True, slots=True)
class Unaskable:
    """Nothing was sent, for the SDK knows that it would be of no use."""

    reason: str


class _Stopped(httpx2.RequestError):
    """Tells an SDK that there is no response."""


_trip: ContextVar[Trip] = ContextVar("_trip")


@contextmanager
def travelling() -> Iterator[Trip]:
    """Give the trip that whatever is sent within this block belongs to."""
    trip = Trip()
    token = _trip.set(trip)
    try:
        yield trip
    finally:
        _trip.reset(token)
        if trip.task:  # the call was given up while a thread of its SDK waits
            trip.task.cancel()


@dataclass(frozen=True, slots=True)
class Carrier:
    """Carries requests to one address, each within `seconds` from when it is its turn."""

    line: Line
    address: Address
    base_url: str
    seconds: float

    async def carry(self, url: str, headers: Mapping[str, str], body: bytes) -> httpx2.Response:
        """Send a request and give its whole response, whatever its status.

        Raises httpx2.RequestError when there is none; the trip says why.
        """
        trip = _trip.get()
        if trip.sent:
            raise _Stopped("a call is one request")
        trip.sent = True
        trip.task = asyncio.current_task()
        kept = {name: value for name, value in headers.items() if name.lower() not in _OWN_HEADERS}
        try:
            async with self.line.post(
                httpx2.URL(url), kept | {"accept-encoding": "identity"}, body, self.seconds
            ) as response:
                return await self._received(response, trip)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            trip.ended = Unsent(self.address.hide(_named("no connection", error)))
            raise
        except TimeoutError as error:
            trip.ended = Lost(f"no answer within {self.seconds:g} s")
            raise _Stopped(trip.ended.reason) from error
        except httpx2.RequestError as error:
            trip.ended = trip.ended or Lost(self.address.hide(_named("the connection was cut", error)))
            raise
        finally:
            trip.task = None

    async def _received(self, response: httpx2.Response, trip: Trip) -> httpx2.Response:
        body = bytearray()
        async with aclosing(response.aiter_bytes()) as chunks:
            async for chunk in chunks:
                body += chunk
                if len(body) > MOST_BYTES:
                    trip.ended = TooLong()
                    raise _Stopped("the reply is too long")
        trip.size = len(body)
        text = body.decode("utf-8-sig", errors="replace")
        if response.status_code >= _CLIENT_ERROR:
            said = complaint(self.address.hide(text))
            trip.ended = Refused(response.status_code, said, asked_to_wait(response.headers))
        return httpx2.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.multi_items() if name not in _CODED_HEADERS],
            content=self.address.hide_in_reply(text).encode(),
        )


@dataclass(frozen=True, slots=True)
class Way:
    """How a provider is reached; without a base URL, where it is known to be."""

    base_url: str | None
    key: str | None
    line: Line
    seconds: float

    def carrier(self, otherwise: str) -> Carrier:
        """Give what carries requests there."""
        base_url = self.base_url or otherwise
        return Carrier(self.line, Address(base_url, self.key), base_url, self.seconds)


class LineTransport(httpx2.AsyncBaseTransport):
    """Lets an SDK that speaks through httpx2 send over a line."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        return await self._carrier.carry(str(request.url), request.headers, await request.aread())


def _named(what: str, error: Exception) -> str:
    return f"{what} ({str(error) or type(error).__name__})"
