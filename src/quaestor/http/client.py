"""The one HTTP client, used for chat models, search engines, embeddings and pages."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager, nullcontext

import httpx2

from quaestor.contracts.limits import SharedLimits
from quaestor.contracts.model import Provider
from quaestor.http.errors import ConnectionFailed, ResponseTimeout, translated_errors
from quaestor.http.limits import RateLimit, Throttle
from quaestor.http.retry import MAX_WAIT_SECONDS
from quaestor.http.shared_throttle import SharedThrottle

_MAX_CONNECT_SECONDS = 10
_CONNECT_SHARE = 1 / 3
"""Share of a request's time for the connection and for its handshake each, so that both end before the request is
cancelled: a cancelled handshake would leave a socket open."""
LAST_MOMENT = "last_moment"
"""The extension of a response with the time, on the clock of the event loop, up to which its body should be read."""
_CLOSING_SHARE = 0.05
"""Share of a request's time kept to end a body that is still being written, before the request is cancelled."""
_KEEPALIVE_SECONDS = 4
"""How long an unused connection is kept: less than the five seconds after which common servers close theirs."""


def open_client(
    provider: Provider, default_timeout: float, name: str = "", shared: SharedLimits | None = None
) -> "HttpClient":
    """Return a client with the limits of a provider; `default_timeout`, in seconds, applies where it sets none.

    `shared` are limits that it keeps together with other processes, under its name.
    """
    throttle = SharedThrottle(shared, name, provider) if shared else None
    return HttpClient(RateLimit.of_provider(provider, default_timeout), shared=throttle)


class HttpClient:
    """A client that sends requests within a rate limit, over connections that are kept and reused.

    Requests go to the transport directly: without cookies, redirects, proxies or settings of the environment, and
    without the log line of `httpx2.AsyncClient`, which would contain credentials that are sent in a URL. It belongs to
    the event loop it is first used in.
    """

    def __init__(
        self,
        limit: RateLimit,
        transport: httpx2.AsyncBaseTransport | None = None,
        *,
        shared: SharedThrottle | None = None,
    ) -> None:
        self.limit = limit
        self._shared = shared
        self._throttle = Throttle(limit.in_flight, limit.min_interval)
        self._given_transport = transport
        self._transport = transport

    @asynccontextmanager
    async def send(
        self, method: str, url: httpx2.URL, headers: Mapping[str, str], content: bytes | None = None
    ) -> AsyncIterator[httpx2.Response]:
        """Send a request when its turn has come, and return the response to the block, which reads its body.

        The time limit runs from the request's turn to the end of the block. Raises ConnectionFailed when nothing was
        sent, SlotTimeout during a pause that is too long to wait for, ResponseLost or one of its kinds when something
        may have been sent.
        """
        seconds = self.limit.timeout_seconds
        connect = httpx2.Timeout(None, connect=min(_MAX_CONNECT_SECONDS, seconds * _CONNECT_SHARE))
        request = httpx2.Request(
            method, url, headers=headers, content=content, extensions={"timeout": connect.as_dict()}
        )
        shared = self._shared.slot(MAX_WAIT_SECONDS, seconds) if self._shared else nullcontext()
        async with self._throttle.slot(max_pause=MAX_WAIT_SECONDS), shared:
            transport = self._open_transport(url)  # before the time limit: reading certificates blocks the loop
            try:
                async with asyncio.timeout(seconds) as time_limit:
                    with translated_errors():
                        response = await _respond(transport, request)
                        response.request = request
                        response.extensions[LAST_MOMENT] = (time_limit.when() or 0) - seconds * _CLOSING_SHARE
                        async with aclosing(response):
                            yield response
            except TimeoutError as error:
                raise ResponseTimeout(seconds) from error

    def pause_for(self, seconds: float) -> None:
        """Delay the start of every request for so many seconds, also those of processes that share its limits."""
        self._throttle.pause_for(seconds)
        if self._shared:
            self._shared.pause_for(seconds)

    def charge(self, tokens: int) -> None:
        """Count the tokens of a reply where processes share a limit of them."""
        if self._shared:
            self._shared.charge(tokens)

    async def close(self) -> None:
        """Close the connections; the next request opens new ones."""
        if self._shared:
            await self._shared.close()
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = self._given_transport

    def _open_transport(self, url: httpx2.URL) -> httpx2.AsyncBaseTransport:
        if self._transport is None:
            # Loading the system's certificates costs more CPU than 20 requests, and plain HTTP needs none of them.
            verify = True if url.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            limits = httpx2.Limits(max_connections=self.limit.in_flight, keepalive_expiry=_KEEPALIVE_SECONDS)
            self._transport = httpx2.AsyncHTTPTransport(verify=verify, limits=limits, trust_env=False)
        return self._transport


async def _respond(transport: httpx2.AsyncBaseTransport, request: httpx2.Request) -> httpx2.Response:
    """Send a request by a transport. Raises ConnectionFailed for what connecting raised in a group of tasks."""
    try:
        return await transport.handle_async_request(request)
    except ExceptionGroup as error:
        # Nothing was sent: below this, tasks are grouped only to try the addresses of a host.
        raise ConnectionFailed("no connection", "; ".join(str(one) for one in error.exceptions)) from error
