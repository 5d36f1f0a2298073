"""One request to a chat completions API, and its outcome as a value."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import cast

import httpx2

from quaestor.contracts.errors import UsageError
from quaestor.contracts.immutable import Immutable
from quaestor.http.body import decode_text, read_body, read_error_text
from quaestor.http.client import LAST_MOMENT, HttpClient
from quaestor.http.endpoint import Credential, Endpoint, Redaction, build_endpoint, is_valid_key, parse_base_url
from quaestor.http.errors import (
    BodyTooLarge,
    ConnectionFailed,
    HttpError,
    ResponseTimeout,
    SlotTimeout,
    UndecodableBody,
)
from quaestor.http.retry import parse_retry_after
from quaestor.models.chat.completion import (
    Completion,
    CompletionStream,
    InvalidCompletion,
    TextListener,
    parse_completion,
)
from quaestor.models.chat.wire import ApiError, parse_api_error

MAX_REPLY_BYTES = 2 * 1024 * 1024
"""A longer reply is cut; the framing of a stream's events does not count."""
MAX_ERROR_BYTES = 64 * 1024
_DONE_EVENT = "[DONE]"


class CompletionReceived(Immutable):
    """A whole reply, and its size in bytes."""

    completion: Completion
    size: int


class ReplyTooLarge(Immutable):
    """A reply of more than MAX_REPLY_BYTES; the rest was not read."""


class ErrorResponse(Immutable):
    """A status other than success, with the error in its body."""

    status: int
    error: ApiError
    retry_after: float | None


class RequestNotSent(Immutable):
    """Nothing was sent, so nothing is charged; `pause` is what the server asked for, in seconds, if that is why."""

    reason: str
    pause: float | None = None


class ResponseLost(Immutable):
    """Something was sent and no whole reply came back; the server may charge for it."""

    reason: str


class InvalidRequest(Immutable):
    """Nothing was sent, because an SDK knows that the server would refuse it."""

    reason: str


ExchangeOutcome = CompletionReceived | ReplyTooLarge | ErrorResponse | RequestNotSent | ResponseLost | InvalidRequest


def provider_endpoint(base_url: str, key: str | None) -> Endpoint:
    """Return the endpoint of a provider. Raises UsageError for an invalid base URL or key."""
    try:
        base = parse_base_url(base_url)
    except ValueError as error:
        raise UsageError(f"the base_url of a provider {error}; write it as http://host:port/v1") from error
    endpoint = build_endpoint(base, None if key is None else Credential(key=key))
    if key is not None and not is_valid_key(key):
        raise UsageError(f"the key for {endpoint.display_url} is empty or has characters no key has; copy it again")
    return endpoint


async def exchange(client: HttpClient, endpoint: Endpoint, body: bytes, on_text: TextListener) -> ExchangeOutcome:
    """Send a body to the chat completions of an endpoint; return the outcome. `on_text` takes the text of a stream."""
    headers = {**endpoint.headers, "content-type": "application/json"}
    try:
        async with client.send("POST", endpoint.url("chat/completions"), headers, body) as response:
            return await _read_response(response, endpoint.redaction, on_text)
    except HttpError as error:
        return failed_outcome(error, endpoint.redaction)


def failed_outcome(error: HttpError, redaction: Redaction) -> RequestNotSent | ResponseLost | ReplyTooLarge:
    """Return the outcome of a request without a whole response: whether it may be charged depends on what was sent."""
    match error:
        case SlotTimeout(pause=pause):
            return RequestNotSent(str(error), pause)
        case ConnectionFailed():
            return RequestNotSent(redaction.redact(str(error)))
        case BodyTooLarge():
            return ReplyTooLarge()
        case ResponseTimeout() | UndecodableBody():
            return ResponseLost(redaction.redact(str(error)))
        case _:
            return ResponseLost(redaction.redact(f"the connection was cut ({error.detail})"))


def is_error_response(response: httpx2.Response) -> bool:
    """Return whether a response is an error; a redirect is one, because no API redirects on purpose."""
    return response.is_error or response.is_redirect


def parse_error_response(response: httpx2.Response, text: str, redaction: Redaction) -> ErrorResponse:
    """Return the error that a response with this body reports."""
    error = parse_api_error(redaction.redact(text))
    return ErrorResponse(response.status_code, error, parse_retry_after(response.headers))


async def _read_response(response: httpx2.Response, redaction: Redaction, on_text: TextListener) -> ExchangeOutcome:
    if is_error_response(response):
        return parse_error_response(response, await read_error_text(response, MAX_ERROR_BYTES), redaction)
    if response.headers.get("content-type", "").startswith("text/event-stream"):
        return await _read_stream(response, redaction, on_text)
    body = await read_body(response, MAX_REPLY_BYTES)
    return _to_outcome(parse_completion(redaction.redact_reply(decode_text(body))), len(body))


async def _read_stream(response: httpx2.Response, redaction: Redaction, on_text: TextListener) -> ExchangeOutcome:
    stream = CompletionStream(on_text)
    done = False
    source = aiter(httpx2.EventSource(response, max_event_size=MAX_REPLY_BYTES))
    try:
        async with (
            aclosing(cast("AsyncGenerator[httpx2.ServerSentEvent]", source)) as events,
            asyncio.timeout_at(response.extensions.get(LAST_MOMENT)),
        ):
            async for event in events:
                if done := event.data == _DONE_EVENT:
                    break
                if fault := stream.add(redaction.redact_reply(event.data)):
                    return ResponseLost(fault.reason)
                if stream.length > MAX_REPLY_BYTES:
                    return ReplyTooLarge()
                if stream.repeats_itself:
                    stream.cut("repetition")
                    break
    except TimeoutError:
        if not stream.length:
            raise  # else what has come so far is worth reading
        stream.cut("time")
    except httpx2.SSEError:  # one event alone is too long
        return ReplyTooLarge()
    return _to_outcome(stream.completion(done=done), response.num_bytes_downloaded)


def _to_outcome(completion: Completion | InvalidCompletion, size: int) -> CompletionReceived | ResponseLost:
    if isinstance(completion, InvalidCompletion):
        return ResponseLost(completion.reason)
    return CompletionReceived(completion, size)
