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

from quaestor.models.chat.address import Address
from quaestor.models.chat.complaint import complaint
from quaestor.models.chat.exchange import MOST_BYTES, MOST_OF_AN_ERROR, Lost, Refused, TooLong, Unsent, body_of, named
from quaestor.models.chat.line import Line
from quaestor.patience import asked_to_wait

NO_KEY = "no-key"
"""Stands for a key in an SDK that wants one where there is none; it is not sent."""
_OF_THE_LINE = {"accept-encoding", "connection", "content-length", "transfer-encoding", "user-agent"}
_OF_THE_API = {
    "accept",
    "anthropic-beta",
    "anthropic-version",
    "authorization",
    "content-type",
    "x-api-key",
    "x-goog-api-key",
}
_CODED = {"content-encoding", "content-length", "transfer-encoding"}


@dataclass(slots=True)
class Trip:
    """What became of the one request of a call; nothing is sent yet while `sent` is False."""

    sent: bool = False
    size: int = 0
    ended: Refused | TooLong | Unsent | Lost | None = None
    task: asyncio.Task[object] | None = None
    """What carries the request just now."""


class _Stopped(httpx2.RequestError):
    """Tells an SDK that there is no response."""


_trip: ContextVar[Trip] = ContextVar("_trip")


@contextmanager
def travelling() -> Iterator[Trip]:
    """Give the trip that whatever is sent within this block belongs to; afterwards nothing more is sent."""
    trip = Trip()
    token = _trip.set(trip)
    try:
        yield trip
    finally:
        _trip.reset(token)
        trip.sent = True
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
        sent = {name: value for name, value in headers.items() if name.lower() not in _OF_THE_LINE}
        own = {name: self.address.headers[name] for name in ("accept-encoding", "user-agent")}
        try:
            async with self.line.post(httpx2.URL(url), sent | own, body, self.seconds) as response:
                return await self._received(response, trip)
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
            trip.ended = Unsent(self.address.hide(named("no connection", error)))
            raise
        except TimeoutError as error:
            trip.ended = Lost(f"no answer within {self.seconds:g} s")
            raise _Stopped(trip.ended.reason) from error
        except httpx2.RequestError as error:
            trip.ended = trip.ended or Lost(self.address.hide(named("the connection was cut", error)))
            raise
        finally:
            trip.task = None

    async def _received(self, response: httpx2.Response, trip: Trip) -> httpx2.Response:
        refused = response.is_error or response.is_redirect
        body = await body_of(response, MOST_OF_AN_ERROR if refused else MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            trip.ended = TooLong()
            raise _Stopped("the reply is too long")
        trip.size = len(body)
        text = body.decode("utf-8-sig", errors="replace")
        if refused:
            said = complaint(self.address.hide(text))
            trip.ended = Refused(response.status_code, said, asked_to_wait(response.headers))
        return httpx2.Response(
            response.status_code,
            headers=[(name, value) for name, value in response.headers.multi_items() if name not in _CODED],
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
        """Give what carries requests there. Raises UsageError for a base URL or a key that is none."""
        base_url = self.base_url or otherwise
        return Carrier(self.line, Address(base_url, self.key), base_url, self.seconds)


class LineTransport(httpx2.AsyncBaseTransport):
    """Lets an SDK that speaks through httpx2 send over a line, and of the headers only what its API wants.

    What else it would tell is not the provider's business: the machine it runs on, headers that its own variables name.
    """

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = {
            name: value for name, value in request.headers.items() if name in _OF_THE_API and NO_KEY not in value
        }
        return await self._carrier.carry(str(request.url), headers, await request.aread())
