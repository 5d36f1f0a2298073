"""One request of the guarded kind, and the beginning of its answer."""

import ssl
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass

import httpcore2
import httpx2

from quaestor.contracts.errors import ToolFailed
from quaestor.tools.fetch.body import ENCODINGS, Body, too_long
from quaestor.tools.fetch.guard import Guard
from quaestor.tools.fetch.pinned import Pinned, Resolve
from quaestor.tools.fetch.url import Url, shown

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_FAULTS = (httpcore2.TimeoutException, httpcore2.NetworkError, httpcore2.ProtocolError)


@dataclass(frozen=True, slots=True)
class Answer:
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
            raise too_long(most)
        return (await self._body(most)).whole()

    async def read_beginning(self, most: int) -> bytes:
        """Give the first `most` bytes of the unpacked body."""
        return (await self._body(most)).beginning()

    async def _body(self, most: int) -> Body:
        body = Body(self.headers.get("content-encoding", ""), most)
        async for piece in self.stream:
            body.add(piece)
            if body.full:
                break
        return body


class Way:
    """The only way from the fetch tool to the network: each request is checked, resolved once and pinned.

    A connection serves one request. Nothing is sent but what stands in `_headers`: no cookie, no credential, no
    referrer; nothing is read from the environment, proxies neither.
    """

    def __init__(self, guard: Guard, user_agent: str, resolve: Resolve, network: httpcore2.AsyncNetworkBackend) -> None:
        self._guard = guard
        self._user_agent = user_agent
        self._resolve = resolve
        self._network = network
        self._tls: ssl.SSLContext | None = None

    @asynccontextmanager
    async def ask(self, url: Url, accept: str) -> AsyncIterator[Answer]:
        """Ask for a URL. Raises ToolFailed when it may not be fetched, and when there is no whole answer."""
        self._guard.admit(url)
        addresses = self._guard.admit_addresses(url, await self._addresses(url))
        scheme, host = url.scheme.encode(), url.host.encode()
        connection = httpcore2.AsyncHTTPConnection(
            origin=httpcore2.Origin(scheme, host, url.port),
            ssl_context=self._trusted() if url.scheme == "https" else None,
            network_backend=Pinned(addresses, self._network),
        )
        place = httpcore2.URL(scheme=scheme, host=host, port=url.port, target=url.target.encode())
        request = httpcore2.Request("GET", place, headers=self._headers(url, accept))
        try:
            response = await connection.handle_async_request(request)
            async with aclosing(response):
                yield Answer(response.status, _named(response.headers), response.aiter_stream())
        except _FAULTS as error:
            raise ToolFailed(f"{_reason(error)}; fetch it later or use another page") from error
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
        name = url.host if self._guard.is_named(url) else f"{url.host}."
        try:
            return await self._resolve(name, url.port)
        except OSError as error:
            raise ToolFailed(f"{url.host} has no address ({error.strerror or error}); check how it is spelt") from error

    def _trusted(self) -> ssl.SSLContext:
        if self._tls is None:
            self._tls = httpx2.create_ssl_context(trust_env=False)
        return self._tls


def _named(headers: Iterable[tuple[bytes, bytes]]) -> Mapping[str, str]:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for name, value in headers:
        named[name.decode("ascii").lower()].append(value.decode("utf-8", errors="replace"))
    return {name: ", ".join(values) for name, values in named.items()}


def _reason(error: Exception) -> str:
    said = shown(str(error)) or type(error).__name__
    match error:
        case httpcore2.ConnectError() | httpcore2.ConnectTimeout():
            return f"no connection ({said})"
        case httpcore2.ProtocolError():
            return f"the server broke the rules of HTTP ({said})"
        case _:
            return f"the connection was cut ({said})"
