"""One request of the guarded kind, and the beginning of its answer."""

import asyncio
import socket
import ssl
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import httpcore2
import httpx2
from typing_extensions import override

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.body import ENCODINGS, BodyReader, body_too_large
from quaestor.tools.fetch.guard import Guard
from quaestor.tools.fetch.url import Url, display_text

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_CONNECTION_ERRORS = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError)


@dataclass(frozen=True, slots=True)
class GuardedResponse:
    """A status, the headers by their names in lower case, and a body that is still to come."""

    status: int
    headers: Mapping[str, str]
    stream: AsyncIterator[bytes]

    @property
    def redirect(self) -> str | None:
        """Where the answer leads instead of giving a page; empty where it does not say."""
        return self.headers.get("location", "") if self.status in _REDIRECTS else None

    async def read(self, most: int) -> bytes:
        """Give the unpacked body. Raises ToolFailed for one of more than `most` bytes, packed or unpacked."""
        length = self.headers.get("content-length", "")
        if length.isdecimal() and int(length) > most:
            raise body_too_large(most)
        return (await self._body(most)).whole()

    async def read_beginning(self, most: int) -> bytes:
        """Give the first `most` bytes of the unpacked body."""
        return (await self._body(most)).prefix()

    async def _body(self, most: int) -> BodyReader:
        body = BodyReader(self.headers.get("content-encoding", ""), most)
        async for piece in self.stream:
            body.add(piece)
            if body.full:
                break
        return body


Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Gives the addresses of a name, for a port. Raises OSError when it has none."""


class GuardedClient:
    """The only way from the fetch tool to the network: each request is checked, resolved once and pinned.

    A connection serves one request. Nothing is sent but what stands in `_headers`: no cookie, no credential, no
    referrer; nothing is read from the environment, proxies neither.
    """

    def __init__(
        self, guard: Guard, user_agent: str, resolve: Resolver, network: httpcore2.AsyncNetworkBackend
    ) -> None:
        self._guard = guard
        self._user_agent = user_agent
        self._resolve = resolve
        self._network = network
        self._tls: ssl.SSLContext | None = None

    @asynccontextmanager
    async def ask(self, url: Url, accept: str) -> AsyncIterator[GuardedResponse]:
        """Ask for a URL. Raises ToolFailed when it may not be fetched, and when there is no whole answer."""
        self._guard.check_url(url)
        addresses = self._guard.check_addresses(url, await self._addresses(url))
        scheme, host = url.scheme.encode(), url.host.encode()
        connection = httpcore2.AsyncHTTPConnection(
            origin=httpcore2.Origin(scheme, host, url.port),
            ssl_context=self._tls_context() if url.scheme == "https" else None,
            network_backend=PinnedBackend(addresses, self._network),
        )
        place = httpcore2.URL(scheme=scheme, host=host, port=url.port, target=url.target.encode())
        request = httpcore2.Request("GET", place, headers=self._headers(url, accept))
        try:
            response = await connection.handle_async_request(request)
            async with aclosing(response):
                yield GuardedResponse(response.status, _header_map(response.headers), response.aiter_stream())
        except _CONNECTION_ERRORS as error:
            raise ToolFailed(f"{_error_message(error)}; fetch it later or use another page") from error
        finally:
            await connection.aclose()

    def _headers(self, url: Url, accept: str) -> Sequence[tuple[bytes, bytes]]:
        headers = {
            "Host": url.authority,
            "User-Agent": self._user_agent,
            "Accept": accept,
            "Accept-Encoding": ENCODINGS,
            "Connection": "close",
        }
        return [(name.encode(), value.encode()) for name, value in headers.items()]

    async def _addresses(self, url: Url) -> Sequence[str]:
        if url.address is not None:
            return (url.host,)
        # The dot keeps a public name from being completed with a domain of the machine's own network.
        name = url.host if self._guard.is_allowed_host(url) else f"{url.host}."
        try:
            return await self._resolve(name, url.port)
        except OSError as error:
            raise ToolFailed(f"{url.host} has no address ({error.strerror or error}); check how it is spelt") from error

    def _tls_context(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = httpx2.create_ssl_context(trust_env=False)
        return self._tls


def _header_map(headers: Iterable[tuple[bytes, bytes]]) -> Mapping[str, str]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in headers:
        named[name.decode("ascii").lower()].append(value.decode("utf-8", errors="replace"))
    return {name: ", ".join(values) for name, values in named.items()}


def _error_message(error: Exception) -> str:
    said = display_text(str(error)) or type(error).__name__
    match error:
        case httpcore2.ConnectError() | httpcore2.ConnectTimeout():
            return f"no connection ({said})"
        case httpcore2.ProtocolError():
            return f"the server broke the rules of HTTP ({said})"
        case _:
            return f"the connection was cut ({said})"


_CONNECT_SECONDS = 5
_MAX_ADDRESSES_TRIED = 3


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Ask the system for the addresses of a name; a `Resolve`."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))


class PinnedBackend(httpcore2.AsyncNetworkBackend):
    """Connects to given addresses whatever host it is asked for, so that a name cannot mean another one by then."""

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
        *others, last = self._addresses
        for address in others:
            try:
                return await self._network.connect_tcp(address, port, timeout=_CONNECT_SECONDS)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return await self._network.connect_tcp(last, port, timeout=_CONNECT_SECONDS)
