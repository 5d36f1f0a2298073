"""A transport that connects each request to addresses that were resolved and checked for this request alone."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence

import httpcore2
import httpx2
from typing_extensions import override

_CONNECT_SECONDS = 5
_MAX_ADDRESSES_TRIED = 3

ResolveUrl = Callable[[httpx2.URL], Awaitable[Sequence[str]]]
"""Returns the addresses that the host of a URL may be connected at; raises an error for the caller otherwise."""


class PinnedTransport(httpx2.AsyncBaseTransport):
    """A transport that resolves a host once for a request and connects to one of these addresses.

    So a name server cannot answer the check with one address and the connection with another. A connection serves one
    request. The certificate must still be the one of the name.
    """

    def __init__(self, resolve: ResolveUrl, network: httpcore2.AsyncNetworkBackend) -> None:
        self._resolve = resolve
        self._network = network
        self._tls_context: ssl.SSLContext | None = None

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        addresses = await self._resolve(request.url)
        url = httpcore2.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        connection = httpcore2.AsyncHTTPConnection(
            origin=url.origin,
            ssl_context=self._open_tls_context() if request.url.scheme == "https" else None,
            network_backend=PinnedBackend(addresses, self._network),
        )
        try:
            response = await connection.handle_async_request(
                httpcore2.Request(
                    request.method,
                    url,
                    headers=request.headers.raw,
                    content=request.content,
                    extensions=request.extensions,
                )
            )
        # Also when it is cancelled: nobody else has the connection yet.
        except BaseException:
            await connection.aclose()
            raise
        return httpx2.Response(
            response.status, headers=response.headers, stream=_ConnectionStream(response, connection)
        )

    def _open_tls_context(self) -> ssl.SSLContext:
        if self._tls_context is None:
            self._tls_context = httpx2.create_ssl_context(trust_env=False)
        return self._tls_context


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """A network backend that connects to given addresses, whatever the host of the request."""

    def __init__(self, addresses: Sequence[str], network: httpcore2.AsyncNetworkBackend) -> None:
        self._addresses = addresses[:_MAX_ADDRESSES_TRIED]
        self._network = network

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        # Connected to what was checked: a name resolved a second time could lead elsewhere by then (DNS rebinding).
        *others, last = self._addresses
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout=_CONNECT_SECONDS)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout=_CONNECT_SECONDS)


class _ConnectionStream(httpx2.AsyncByteStream):
    """A response's body, whose end is also the end of its connection."""

    def __init__(self, response: httpcore2.Response, connection: httpcore2.AsyncHTTPConnection) -> None:
        self._response = response
        self._connection = connection

    @override
    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for piece in self._response.aiter_stream():
            yield piece

    @override
    async def aclose(self) -> None:
        await self._response.aclose()
        await self._connection.aclose()
