import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import httpx2

from quaestor.contracts.provider import Provider

_CONNECT_SECONDS = 10
_CONNECT_SHARE = 1 / 3
"""Of a request's time, for the connection and for its handshake each: so they end before the request is given up, which
would leave a socket open."""
_IDLE_SECONDS = 4
"""How long an unused connection is kept: less than the five seconds after which common servers close theirs."""


class Line:
    """The way to one provider, shared by every call of a run: its connections, its limits, its pauses.

    It belongs to the event loop it is first used in, whose clock is its own.
    """

    def __init__(self, provider: Provider) -> None:
        self.backoff_seconds = provider.backoff_seconds
        self._room = asyncio.Semaphore(provider.in_flight)
        self._limits = httpx2.Limits(max_connections=provider.in_flight, keepalive_expiry=_IDLE_SECONDS)
        self._between = 60 / provider.per_minute if provider.per_minute else 0.0
        self._not_before = 0.0
        self._client: httpx2.AsyncClient | None = None

    @asynccontextmanager
    async def post(
        self, url: httpx2.URL, headers: Mapping[str, str], body: bytes, seconds: float
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request when its time has come; the block has `seconds` from then on, else TimeoutError is raised.

        Raises httpx2.ConnectError or httpx2.ConnectTimeout when nothing was sent, another httpx2.RequestError when
        something may have been.
        """
        async with self._room:
            await self._turn()
            timeout = httpx2.Timeout(None, connect=min(_CONNECT_SECONDS, seconds * _CONNECT_SHARE))
            request = self._connected(url).stream("POST", url, headers=headers, content=body, timeout=timeout)
            async with asyncio.timeout(seconds), request as response:
                yield response

    def hold(self, seconds: float) -> None:
        """Let nothing be sent for so long, whichever call asks."""
        self._not_before = max(self._not_before, asyncio.get_running_loop().time() + seconds)

    async def close(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def _turn(self) -> None:
        clock = asyncio.get_running_loop()
        while (wait := self._not_before - clock.time()) > 0:  # noqa: ASYNC110 -- it may be put off while waiting
            await asyncio.sleep(wait)
        self._not_before = clock.time() + self._between

    def _connected(self, url: httpx2.URL) -> httpx2.AsyncClient:
        if self._client is None:
            # Reading the certificates of the authorities costs more CPU than 20 calls; plain HTTP needs none of them.
            trusted = True if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            self._client = httpx2.AsyncClient(verify=trusted, limits=self._limits, trust_env=False)
        return self._client
