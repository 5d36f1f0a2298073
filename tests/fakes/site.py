"""The web of a test: a site on loopback that serves configured pages, and a network that leads to it.

Names resolve as the test says, and a public address is connected to the site, so that a whole fetch is seen.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from itertools import chain, repeat

import httpcore2
from typing_extensions import override

from fakes.http_server import Answer, Connection, HttpServer, Request

PUBLIC = "93.184.216.34"
"""An address of the public internet."""


Serve = Callable[[Connection], Awaitable[None]]
"""Writes one answer; the connection is closed after it."""


class Site(HttpServer[Request]):
    """Serves by target; what is not listed is served by `other`, or not found."""

    def __init__(
        self,
        serves: Mapping[str, Serve],
        host: str = "127.0.0.1",
        port: int = 0,
        other: "Callable[[str], Serve | None]" = lambda _: None,
    ) -> None:
        super().__init__(host, port)
        self.serves = dict(serves)
        self._other = other

    @property
    def asked(self) -> list[Request]:
        """Every request, in order."""
        return self.requests

    @property
    def targets(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.target for asked in self.asked]

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        serve = self.serves.get(request.target) or self._other(request.target) or page("nothing here", status=404)
        await serve(connection)
        return False


def page(
    body: str | bytes = "<p>A page.</p>",
    content_type: str = "text/html; charset=utf-8",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Serve:
    """Serve a page."""
    content = body.encode() if isinstance(body, str) else body
    answer = Answer(content, status, {"Content-Type": content_type, **(headers or {})})
    return lambda connection: connection.send(answer)


def leading_to(location: str, status: int = 302) -> Serve:
    """Redirect."""
    return lambda connection: connection.send(Answer(status=status, headers={"Location": location}))


def raw(*pieces: bytes, seconds: float = 0) -> Serve:
    """Serve these bytes, with a pause before each piece."""
    return lambda connection: connection.drip(pieces, seconds)


def endless(start: bytes, piece: bytes, seconds: float = 0) -> Serve:
    """Serve a start and then the same piece for ever."""
    return lambda connection: connection.drip(chain([start], repeat(piece)), seconds)


def in_turn(*serves: Serve) -> Serve:
    """Serve one after the other, and the last one ever after."""
    left = list(serves)

    async def serve(connection: Connection) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(connection)

    return serve


class Network(httpcore2.AsyncNetworkBackend):
    """Records every address that is connected to; public ones lead to a site, or nowhere without one."""

    def __init__(self, site: Site | None = None, silent: Sequence[str] = ()) -> None:
        self.connected: list[tuple[str, int]] = []
        self._site = site
        self._silent = silent
        self._loopback = httpcore2.AnyIOBackend()

    @override
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        self.connected.append((host, port))
        if self._site is None or host in self._silent:
            raise httpcore2.ConnectError("nobody is there")
        return await self._loopback.connect_tcp("127.0.0.1", self._site.port)


class Names:
    """Resolves configured names, and any other as public; of several answers the first is for the first time."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]] | None = None, other: str = PUBLIC) -> None:
        self.asked: list[str] = []
        self._answers = {name: list(each) for name, each in (answers or {}).items()}
        self._other = other

    async def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._answers.get(host.removesuffix("."), [[self._other]])
        return answers.pop(0) if len(answers) > 1 else answers[0]
