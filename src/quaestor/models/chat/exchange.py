"""One request and what came back of it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

import httpx2

from quaestor.models.chat.address import Address
from quaestor.models.chat.complaint import Complaint, complaint
from quaestor.models.chat.completion import Completion, Stream, Unreadable, whole
from quaestor.models.chat.line import Line
from quaestor.patience import asked_to_wait

MOST_BYTES = 2 * 1024 * 1024
"""More of a reply is not kept; what frames the pieces of a stream is not kept at all."""
MOST_OF_AN_ERROR = 64 * 1024
_END = "[DONE]"


@dataclass(frozen=True, slots=True)
class Answered:
    """A whole answer, and how many bytes it came in."""

    completion: Completion
    size: int


@dataclass(frozen=True, slots=True)
class TooLong:
    """A reply of more than `MOST_BYTES`; the rest was not read."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A status other than success, with what the server said."""

    status: int
    said: Complaint
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class Unsent:
    """Nothing was sent, so nothing is charged."""

    reason: str


@dataclass(frozen=True, slots=True)
class Lost:
    """Something was sent and no whole answer came back; the server may charge for it."""

    reason: str


@dataclass(frozen=True, slots=True)
class Unaskable:
    """Nothing was sent, for whoever would send it knows that it would be of no use."""

    reason: str


Outcome = Answered | TooLong | Refused | Unsent | Lost | Unaskable


async def exchange(line: Line, address: Address, body: bytes, seconds: float) -> Outcome:
    """Send a body and give what came of it, within `seconds` from when it is its turn."""
    try:
        async with line.post(address.url, address.headers, body, seconds) as response:
            return await _read(response, address)
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        return Unsent(address.hide(named("no connection", error)))
    except TimeoutError:
        return Lost(f"no answer within {seconds:g} s")
    except httpx2.RequestError as error:
        return Lost(address.hide(named("the connection was cut", error)))


async def _read(response: httpx2.Response, address: Address) -> Outcome:
    if response.is_error or response.is_redirect:
        said = complaint(address.hide(_decoded(await body_of(response, MOST_OF_AN_ERROR))))
        return Refused(response.status_code, said, asked_to_wait(response.headers))
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return await _read_stream(response, address)
    body = await body_of(response, MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        return TooLong()
    return _answer(whole(address.hide_in_reply(_decoded(body))), len(body))


async def body_of(response: httpx2.Response, most: int) -> bytes:
    """Read a body, but no more than `most` bytes of it."""
    body = bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) >= most:
                break
    return bytes(body[:most])


def _decoded(body: bytes) -> str:
    return body.decode("utf-8-sig", errors="replace")


async def _read_stream(response: httpx2.Response, address: Address) -> Outcome:
    stream = Stream()
    done = False
    source = aiter(httpx2.EventSource(response, max_event_size=MOST_BYTES))
    try:
        async with aclosing(cast("AsyncGenerator[httpx2.ServerSentEvent]", source)) as events:
            async for event in events:
                if done := event.data == _END:
                    break
                if fault := stream.add(address.hide_in_reply(event.data)):
                    return Lost(fault.reason)
                if stream.characters > MOST_BYTES:
                    return TooLong()
    except httpx2.SSEError:  # one event alone is too long
        return TooLong()
    return _answer(stream.completion(done=done), response.num_bytes_downloaded)


def _answer(completion: Completion | Unreadable, size: int) -> Answered | Lost:
    return Lost(completion.reason) if isinstance(completion, Unreadable) else Answered(completion, size)


def named(what: str, error: Exception) -> str:
    """Say what happened, with what the error says of it."""
    return f"{what} ({str(error) or type(error).__name__})"
