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
from quaestor.patience import asked_to_wait, backoff
from quaestor.tools.engines.access import Access, Pace
from quaestor.tools.engines.shape import Misshapen
from quaestor.tools.engines.words import line

MOST_BYTES = 2 * 1024 * 1024
"""A longer answer, as it is when decoded, is refused."""
TRIES = 3
"""A request is sent at most so often."""

_MOST_OF_AN_ERROR = 16 * 1024
_IDLE_SECONDS = 4
"""How long an unused connection is kept: less than the five seconds after which common servers close theirs."""
_PASSING = frozenset({408, 429})
_UNPROVEN = frozenset({401, 403})
_SERVER_ERROR = 500


@dataclass(frozen=True, slots=True)
class _Refused:
    status: int
    said: str
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class _Lost:
    reason: str
    passing: bool


class Exchange:
    """Sends requests to one service, at its pace; it belongs to the event loop it is first used in."""

    def __init__(self, name: str, access: Access, pace: Pace) -> None:
        self.base = access.shown
        """Where the service is reached."""
        self._access = access
        self._who = f"{name} at {access.shown}"
        self._pace = pace
        self._room = asyncio.Semaphore(pace.in_flight)
        self._not_before = 0.0
        self._client: httpx2.AsyncClient | None = None

    async def get(self, path: str, parameters: Mapping[str, str | int]) -> bytes:
        """Ask for a path with parameters and give the body of the answer. Raises as `post` does."""
        url = self._access.url(path).copy_merge_params(parameters)
        return await self._send(httpx2.Request("GET", url, headers=self._access.headers))

    async def post(self, path: str, body: Mapping[str, JsonValue]) -> bytes:
        """Send JSON to a path and give the body of the answer.

        Raises ToolFailed when there is none after three tries, SetupError when the service refuses the key.
        """
        headers = {**self._access.headers, "content-type": "application/json"}
        content = json.dumps(body, ensure_ascii=False).encode(errors="replace")
        return await self._send(httpx2.Request("POST", self._access.url(path), headers=headers, content=content))

    def misshapen(self, why: Misshapen, body: bytes) -> ToolFailed:
        """Give the error for an answer that cannot be read, with how it begins."""
        said = self._said(body)
        return ToolFailed(f"{self._who} gave an answer {why}; it begins: {said}")

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _send(self, request: httpx2.Request) -> bytes:
        for times in range(1, TRIES + 1):
            outcome = await self._once(request)
            if isinstance(outcome, bytes):
                return outcome
            if times == TRIES or not _is_passing(outcome):
                raise self._failure(outcome, times)
            await self._pause(request, times, outcome)
        raise AssertionError

    async def _once(self, request: httpx2.Request) -> bytes | _Refused | _Lost:
        client = self._connected()
        async with self._room:
            await self._turn()
            try:
                async with asyncio.timeout(self._pace.seconds):
                    return await self._read(await client.send(request, stream=True))
            except TimeoutError:
                return _Lost(f"gave no answer within {self._pace.seconds:g} s", passing=False)
            except httpx2.DecodingError as error:
                return _Lost(f"gave an answer that cannot be decoded ({error})", passing=False)
            except httpx2.RequestError as error:
                said = line(self._access.hide(str(error))) or type(error).__name__
                return _Lost(f"gave no answer, for the connection failed ({said})", passing=True)

    async def _read(self, response: httpx2.Response) -> bytes | _Refused | _Lost:
        async with aclosing(response):
            if not response.is_success:
                said = self._said(await _body(response, _MOST_OF_AN_ERROR))
                return _Refused(response.status_code, said, asked_to_wait(response.headers))
            body = await _body(response, MOST_BYTES + 1)
        if len(body) > MOST_BYTES:
            return _Lost(f"gave an answer of more than {MOST_BYTES:,} bytes; ask for fewer hits", passing=False)
        return body

    async def _pause(self, request: httpx2.Request, times: int, outcome: _Refused | _Lost) -> None:
        """Wait before the next try; where the service says how long, no request of this engine is sent before."""
        if isinstance(outcome, _Refused) and outcome.retry_after is not None:
            clock = asyncio.get_running_loop().time()
            self._not_before = max(self._not_before, clock + outcome.retry_after)
        await asyncio.sleep(backoff(f"{request.method} {request.url}", times, self._pace.backoff))

    async def _turn(self) -> None:
        clock = asyncio.get_running_loop()
        while (wait := self._not_before - clock.time()) > 0:  # noqa: ASYNC110 -- it may be put off while waiting
            await asyncio.sleep(wait)
        self._not_before = clock.time() + self._pace.between

    def _failure(self, outcome: _Refused | _Lost, times: int) -> ToolFailed | SetupError:
        after = f" (asked {times} times)" if times > 1 else ""
        match outcome:
            case _Lost(reason=reason):
                return ToolFailed(f"{self._who} {reason}{after}")
            case _Refused(status=status, said=said) if _is_passing(outcome):
                return ToolFailed(f"{self._who} answered {status}{after}: {said}; try again later")
            case _Refused(status=status, said=said) if status in _UNPROVEN and self._access.proven:
                return SetupError(f"{self._who} answered {status}: {said}; {self._access.advice}")
            case _Refused(status=status, said=said):
                return ToolFailed(f"{self._who} answered {status}: {said}; {self._access.advice}")

    def _said(self, body: bytes) -> str:
        return line(self._access.hide(body[:_MOST_OF_AN_ERROR].decode(errors="replace"))) or "nothing"

    def _connected(self) -> httpx2.AsyncClient:
        if self._client is None:
            # Reading the certificates of the authorities costs more CPU than 20 calls; plain HTTP needs none of them.
            encrypted = self._access.base.scheme == "https"
            transport = _Signing(
                self._access.parameters,
                verify=True if encrypted else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
                limits=httpx2.Limits(keepalive_expiry=_IDLE_SECONDS),
                trust_env=False,
            )
            self._client = httpx2.AsyncClient(transport=transport, timeout=None, trust_env=False)
        return self._client


class _Signing(httpx2.AsyncHTTPTransport):
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


async def _body(response: httpx2.Response, most: int) -> bytes:
    body = bytearray()
    async with aclosing(response.aiter_bytes()) as chunks:
        async for chunk in chunks:
            body += chunk
            if len(body) >= most:
                break
    return bytes(body[:most])


def _is_passing(outcome: _Refused | _Lost) -> bool:
    match outcome:
        case _Lost(passing=passing):
            return passing
        case _Refused(status=status):
            return status in _PASSING or status >= _SERVER_ERROR
