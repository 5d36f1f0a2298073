"""The one place where engines reach outside: turns, tries and limits of what is sent to a service."""

import asyncio
import json
import ssl
from collections.abc import Mapping
from contextlib import aclosing
from dataclasses import dataclass

import httpx2
from pydantic import JsonValue
from typing_extensions import override

from quaestor.contracts.errors import SetupError, ToolFailed
from quaestor.http.retry import backoff, parse_retry_after
from quaestor.tools.engines.endpoint import Endpoint, RateLimit
from quaestor.tools.engines.response import InvalidResponse
from quaestor.tools.engines.text_fields import one_line

MAX_RESPONSE_BYTES = 2 * 1024 * 1024
"""A longer answer, as it is when decoded, is refused."""
MAX_ATTEMPTS = 3
"""A request is sent at most so often."""

_MAX_ERROR_BYTES = 16 * 1024
_IDLE_SECONDS = 4
"""How long an unused connection is kept: less than the five seconds after which common servers close theirs."""
_TRANSIENT_STATUSES = frozenset({408, 429})
_UNAUTHORIZED_STATUSES = frozenset({401, 403})
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class _ErrorResponse:
    status: int
    said: str
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class _NoResponse:
    reason: str
    transient: bool


class ServiceClient:
    """Sends requests to one service, at its pace; it belongs to the event loop it is first used in."""

    def __init__(self, name: str, access: Endpoint, pace: RateLimit) -> None:
        self.base = access.shown
        """Where the service is reached."""
        self._endpoint = access
        self._who = f"{name} at {access.shown}"
        self._rate_limit = pace
        self._room = asyncio.Semaphore(pace.in_flight)
        self._not_before = 0.0
        self._client: httpx2.AsyncClient | None = None

    async def get(self, path: str, parameters: Mapping[str, str | int]) -> bytes:
        """Ask for a path with parameters and give the body of the answer. Raises as `post` does."""
        url = self._endpoint.url(path).copy_merge_params(parameters)
        return await self._send(httpx2.Request("GET", url, headers=self._endpoint.headers))

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> bytes:
        """Send JSON to a path and give the body of the answer.

        Raises ToolFailed when there is none after three tries, SetupError when the service refuses the key.
        """
        headers = {**self._endpoint.headers, "content-type": "application/json"}
        content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        return await self._send(httpx2.Request("POST", self._endpoint.url(path), headers=headers, content=content))

    def invalid_response(self, why: InvalidResponse, body: bytes) -> ToolFailed:
        """Give the error for an answer that cannot be read, with how it begins."""
        said = self._said(body)
        return ToolFailed(f"{self._who} gave an answer {why}; it begins: {said}")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _send(self, request: httpx2.Request) -> bytes:
        for times in range(1, MAX_ATTEMPTS + 1):
            outcome = await self._attempt(request)
            if isinstance(outcome, bytes):
                return outcome
            if times == MAX_ATTEMPTS or not _is_transient(outcome):
                raise self._failure(outcome, times)
            await self._pause(request, times, outcome)
        raise AssertionError

    async def _attempt(self, request: httpx2.Request) -> bytes | _ErrorResponse | _NoResponse:
        client = self._connected()
        async with self._room:
            await self._turn()
            try:
                async with asyncio.timeout(self._rate_limit.seconds):
                    return await self._read(await client.send(request, stream=True))
            except TimeoutError:
                return _NoResponse(f"gave no answer within {self._rate_limit.seconds:g} s", transient=False)
            except httpx2.DecodingError as error:
                return _NoResponse(f"gave an answer that cannot be decoded ({error})", transient=False)
            except httpx2.RequestError as error:
                said = one_line(self._endpoint.hide(str(error))) or type(error).__name__
                return _NoResponse(f"gave no answer, for the connection failed ({said})", transient=True)

    async def _read(self, response: httpx2.Response) -> bytes | _ErrorResponse | _NoResponse:
        async with aclosing(response):
            if not response.is_success:
                said = self._said(await _read_body(response, _MAX_ERROR_BYTES))
                return _ErrorResponse(response.status_code, said, parse_retry_after(response.headers))
            body = await _read_body(response, MAX_RESPONSE_BYTES + 1)
        if len(body) > MAX_RESPONSE_BYTES:
            return _NoResponse(
                f"gave an answer of more than {MAX_RESPONSE_BYTES:,} bytes; ask for fewer hits", transient=False
            )
        return body

    async def _pause(self, request: httpx2.Request, times: int, outcome: _ErrorResponse | _NoResponse) -> None:
        """Wait before the next try; where the service says how long, no request of this engine is sent before."""
        if isinstance(outcome, _ErrorResponse) and outcome.retry_after is not None:
            clock = asyncio.get_running_loop().time()
            self._not_before = max(self._not_before, clock + outcome.retry_after)
        await asyncio.sleep(backoff(f"{request.method} {request.url}", times, self._rate_limit.backoff))

    async def _turn(self) -> None:
        clock = asyncio.get_running_loop()
        while (wait := self._not_before - clock.time()) > 0:  # noqa: ASYNC110 -- it may be put off while waiting
            await asyncio.sleep(wait)
        self._not_before = clock.time() + self._rate_limit.between

    def _failure(self, outcome: _ErrorResponse | _NoResponse, times: int) -> ToolFailed | SetupError:
        after = f" (asked {times} times)" if times > 1 else ""
        match outcome:
            case _NoResponse(reason=reason):
                return ToolFailed(f"{self._who} {reason}{after}")
            case _ErrorResponse(status=status, said=said) if _is_transient(outcome):
                return ToolFailed(f"{self._who} answered {status}{after}: {said}; try again later")
            case _ErrorResponse(status=status, said=said) if (
                status in _UNAUTHORIZED_STATUSES and self._endpoint.has_credentials
            ):
                return SetupError(f"{self._who} answered {status}: {said}; {self._endpoint.advice}")
            case _ErrorResponse(status=status, said=said):
                return ToolFailed(f"{self._who} answered {status}: {said}; {self._endpoint.advice}")

    def _said(self, body: bytes) -> str:
        return one_line(self._endpoint.hide(body[:_MAX_ERROR_BYTES].decode(errors="replace"))) or "nothing"

    def _connected(self) -> httpx2.AsyncClient:
        if self._client is None:
            # Reading the certificates of the authorities costs more CPU than 20 calls; plain HTTP needs none of them.
            encrypted = self._endpoint.base.scheme == "https"
            transport = _AuthTransport(
                self._endpoint.parameters,
                verify=True if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                limits=httpx2.Limits(keepalive_expiry=_IDLE_SECONDS),
                trust_env=False,
            )
            self._client = httpx2.AsyncClient(transport=transport, timeout=None, trust_env=False)
        return self._client


class _AuthTransport(httpx2.AsyncHTTPTransport):
    """Adds the parameters that prove who asks on the last step, behind the log of the client."""

    def __init__(
        self, parameters: Mapping[str, str], *, verify: ssl.SSLContext | bool, limits: httpx2.Limits, trust_env: bool
    ) -> None:
        super().__init__(verify=verify, limits=limits, trust_env=trust_env)
        self._parameters = parameters

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        if not self._parameters:
            return await super().handle_async_request(request)
        signed = httpx2.Request(
            request.method,
            request.url.copy_merge_params(self._parameters),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return await super().handle_async_request(signed)


async def _read_body(response: httpx2.Response, most: int) -> bytes:
    body = bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) >= most:
                break
    return bytes(body[:most])


def _is_transient(outcome: _ErrorResponse | _NoResponse) -> bool:
    match outcome:
        case _NoResponse(transient=passing):
            return passing
        case _ErrorResponse(status=status):
            return status in _TRANSIENT_STATUSES or status >= _SERVER_ERROR
