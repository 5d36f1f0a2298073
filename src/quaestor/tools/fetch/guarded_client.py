"""The only way from the fetch tool to the network: every request is checked, resolved once and pinned."""

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager

import httpcore2
import httpx2

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.http.body import ACCEPTED_CODINGS, read_body, read_prefix
from quaestor.http.client import HttpClient
from quaestor.http.errors import BodyTooLarge, HttpError, ResponseTimeout, UndecodableBody
from quaestor.http.limits import RateLimit
from quaestor.http.pinned_transport import PinnedTransport
from quaestor.tools.fetch.guard import Guard
from quaestor.tools.fetch.url import Url, display_text, parse_url

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MAX_REQUESTS_IN_FLIGHT = 100
"""Over all hosts; how often one host is asked is the business of the HostThrottle."""

Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name, for a port. Raises OSError when it has none."""


@contextmanager
def _tool_errors() -> Iterator[None]:
    """Raise an HttpError as a ToolFailed with what to do; the time limit stays a TimeoutError."""
    try:
        yield
    except ResponseTimeout:
        raise
    except BodyTooLarge as error:
        raise ToolFailed(f"{error}; use a shorter page") from error
    except UndecodableBody as error:
        raise ToolFailed(f"{display_text(str(error))}; use another page") from error
    except HttpError as error:
        raise ToolFailed(f"{display_text(str(error))}; fetch it later or use another page") from error


class GuardedResponse(Immutable):
    """A response whose body is still to be read."""

    response: httpx2.Response

    @property
    def status(self) -> int:
        """Return the status."""
        return self.response.status_code

    @property
    def is_success(self) -> bool:
        """Whether the host took the request."""
        return self.response.is_success

    @property
    def headers(self) -> Mapping[str, str]:
        """Return the headers by their names, in any case."""
        return self.response.headers

    @property
    def redirect(self) -> str | None:
        """Return the location of a redirect, empty where it names none; None for any other response."""
        return self.headers.get("location", "") if self.status in _REDIRECTS else None

    async def read(self, max_bytes: int) -> bytes:
        """Return the decompressed body. Raises ToolFailed for one of more bytes, compressed or not."""
        with _tool_errors():
            return await read_body(self.response, max_bytes)

    async def read_beginning(self, max_bytes: int) -> bytes:
        """Return the first bytes of the decompressed body."""
        with _tool_errors():
            return await read_prefix(self.response, max_bytes)


class GuardedClient:
    """A client for requests to the public web and to hosts that an operator allows.

    Nothing is sent but the headers in `ask` and `post`: no cookie, no credential, no referrer. Each request has
    `timeout_seconds`.
    """

    def __init__(
        self,
        guard: Guard,
        user_agent: str,
        resolve: Resolver,
        network: httpcore2.AsyncNetworkBackend,
        timeout_seconds: float = 30,
    ) -> None:
        self._guard = guard
        self._user_agent = user_agent
        self._resolve = resolve
        limit = RateLimit(in_flight=_MAX_REQUESTS_IN_FLIGHT, timeout_seconds=timeout_seconds)
        self._client = HttpClient(limit, PinnedTransport(self._checked_addresses, network))

    @asynccontextmanager
    async def ask(self, url: Url, accept: str) -> AsyncIterator[GuardedResponse]:
        """Request a URL. Raises ToolFailed when it may not be fetched or no whole response comes, TimeoutError late."""
        headers = {**self._headers(url), "Accept": accept, "Accept-Encoding": ACCEPTED_CODINGS}
        with _tool_errors():
            async with self._client.send("GET", httpx2.URL(str(url)), headers) as response:
                yield GuardedResponse(response)

    @asynccontextmanager
    async def post(self, url: Url, media_type: str, content: bytes) -> AsyncIterator[GuardedResponse]:
        """Post a content to a URL. Raises as `ask` does."""
        headers = {**self._headers(url), "Content-Type": media_type, "Content-Length": str(len(content))}
        with _tool_errors():
            async with self._client.send("POST", httpx2.URL(str(url)), headers, content) as response:
                yield GuardedResponse(response)

    def _headers(self, url: Url) -> Mapping[str, str]:
        return {"Host": url.authority, "User-Agent": self._user_agent, "Connection": "close"}

    async def _checked_addresses(self, requested: httpx2.URL) -> Sequence[str]:
        """Return the addresses to connect to, after every check.

        What is checked is the URL that will be connected to, parsed again, not the one it was made of.
        """
        # Two parsers may read one text as two hosts, so what is judged is what this client made of it.
        url = parse_url(str(requested))
        self._guard.check_url(url)
        return self._guard.check_addresses(url, await self._addresses(url))

    async def _addresses(self, url: Url) -> Sequence[str]:
        if url.address is not None:
            return (url.host,)
        # The dot keeps a public name from being completed with a search domain of the local network.
        name = url.host if self._guard.is_allowed_host(url) else f"{url.host}."
        try:
            return await self._resolve(name, url.port)
        except OSError as error:
            raise ToolFailed(f"{url.host} has no address ({error.strerror or error}); check how it is spelt") from error


async def resolve_host(host: str, port: int) -> tuple[str, ...]:
    """Return the addresses of a name from the system, each once; a `Resolver`."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
