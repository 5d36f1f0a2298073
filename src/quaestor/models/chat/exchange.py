"""One request and what came back of it."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import cast

import httpx2

from quaestor.http.retry import parse_retry_after
from quaestor.models.chat.api_error import ApiError, parse_api_error
from quaestor.models.chat.completion import Completion, CompletionStream, InvalidCompletion, parse_completion
from quaestor.models.chat.connection import Address, ProviderConnection

MAX_REPLY_BYTES = 2 * 1024 * 1024
"""More of a reply is not kept; what frames the pieces of a stream is not kept at all."""
MAX_ERROR_BYTES = 64 * 1024
_DONE_EVENT = "[DONE]"


@dataclass(frozen=True, slots=True)
class CompletionReceived:
    """A whole answer, and how many bytes it came in."""

    completion: Completion
    size: int


@dataclass(frozen=True, slots=True)
class ReplyTooLarge:
    """A reply of more than `MOST_BYTES`; the rest was not read."""


@dataclass(frozen=True, slots=True)
class ErrorResponse:
    """A status other than success, with what the server said."""

    status: int
    said: ApiError
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class RequestNotSent:
    """Nothing was sent, so nothing is charged."""

    reason: str


@dataclass(frozen=True, slots=True)
class ResponseLost:
    """Something was sent and no whole answer came back; the server may charge for it."""

    reason: str


@dataclass(frozen=True, slots=True)
class InvalidRequest:
    """Nothing was sent, for whoever would send it knows that it would be of no use."""

    reason: str


ExchangeOutcome = CompletionReceived | ReplyTooLarge | ErrorResponse | RequestNotSent | ResponseLost | InvalidRequest


async def exchange(line: ProviderConnection, address: Address, body: bytes, seconds: float) -> ExchangeOutcome:
    """Send a body and give what came of it, within `seconds` from when it is its turn."""
    try:
        async with line.post(address.url, address.headers, body, seconds) as response:
            return await _read_response(response, address)
    except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
        return RequestNotSent(address.hide(describe_error("no connection", error)))
    except TimeoutError:
        return ResponseLost(f"no answer within {seconds:g} s")
    except httpx2.RequestError as error:
        return ResponseLost(address.hide(describe_error("the connection was cut", error)))


async def _read_response(response: httpx2.Response, address: Address) -> ExchangeOutcome:
    if response.is_error or response.is_redirect:
        said = parse_api_error(address.hide(_decode(await read_body(response, MAX_ERROR_BYTES))))
        return ErrorResponse(response.status_code, said, parse_retry_after(response.headers))
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return await _read_stream(response, address)
    body = await read_body(response, MAX_REPLY_BYTES + 1)
    if len(body) > MAX_REPLY_BYTES:
        return ReplyTooLarge()
    return _to_outcome(parse_completion(address.redact_reply(_decode(body))), len(body))


async def read_body(response: httpx2.Response, most: int) -> bytes:
    """Read a body, but no more than `most` bytes of it."""
    body = bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) >= most:
                break
    return bytes(body[:most])


def _decode(body: bytes) -> str:
    return body.decode("utf-8-sig", errors="replace")


async def _read_stream(response: httpx2.Response, address: Address) -> ExchangeOutcome:
    stream = CompletionStream()
    done = False
    source = aiter(httpx2.EventSource(response, max_event_size=MAX_REPLY_BYTES))
    try:
        async with aclosing(cast("AsyncGenerator[httpx2.ServerSentEvent]", source)) as events:
            async for event in events:
                if done := event.data == _DONE_EVENT:
                    break
                if fault := stream.add(address.redact_reply(event.data)):
                    return ResponseLost(fault.reason)
                if stream.characters > MAX_REPLY_BYTES:
                    return ReplyTooLarge()
    except httpx2.SSEError:  # one event alone is too long
        return ReplyTooLarge()
    return _to_outcome(stream.completion(done=done), response.num_bytes_downloaded)


def _to_outcome(completion: Completion | InvalidCompletion, size: int) -> CompletionReceived | ResponseLost:
    return (
        ResponseLost(completion.reason)
        if isinstance(completion, InvalidCompletion)
        else CompletionReceived(completion, size)
    )


def describe_error(what: str, error: Exception) -> str:
    """Say what happened, with what the error says of it."""
    return f"{what} ({str(error) or type(error).__name__})"
