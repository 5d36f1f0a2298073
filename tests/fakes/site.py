"""The web as a test has it: a site on loopback that serves what it is told, and a network that leads to it.

Names resolve as the test says, and a public address is connected to the site, so that a whole fetch is seen.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import Self

import httpcore2
from typing_extensions import override

PUBLIC = "93.184.216.34"
"""An address of the public internet."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came: its target, its headers by their names in lower case, and the address it came to."""

    target: str
    headers: Mapping[str, str]
    reached: str
    at: float


Serve = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Writes one answer; the connection is closed after it."""


class Site:
    """Serves by target; what is not listed is served by `other`, or not found."""

    def __init__(
        self,
        serves: Mapping[str, Serve],
        host: str = "127.0.0.1",
        port: int = 0,
        other: "Callable[[str], Serve | None]" = lambda _: None,
    ) -> None:
        self.serves = dict(serves)
        self._other = other
        self.asked: list[Asked] = []
        self.port = port
        self._host = host
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://{self._host}:{self.port}"

    @property
    def targets(self) -> list[str]:
        """What was asked for, in order."""
        return [asked.target for asked in self.asked]

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server:
            self._server.close()
            for connection in self._open:
                connection.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)
            await self._server.wait_closed()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self._open.add(connection)
        connection.add_done_callback(self._open.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            reached: str = writer.get_extra_info("sockname")[0]
            asked = _asked((await reader.readuntil(b"\r\n\r\n")).decode(), reached)
            self.asked.append(asked)
            serve = self.serves.get(asked.target) or self._other(asked.target) or page("nothing here", status=404)
            await serve(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            return  # whoever asked has left
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


def _asked(head: str, reached: str) -> Asked:
    first, *lines = head.splitlines()
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    return Asked(first.split()[1], headers, reached, asyncio.get_running_loop().time())


def page(
    body: str | bytes = "<p>A page.</p>",
    content_type: str = "text/html; charset=utf-8",
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> Serve:
    """Serve a page."""
    content = body.encode() if isinstance(body, str) else body
    lines = {"Content-Type": content_type, "Content-Length": str(len(content)), **(headers or {})}
    return raw(head(status, lines) + content)


def leading_to(location: str, status: int = 302) -> Serve:
    """Redirect."""
    return raw(head(status, {"Location": location, "Content-Length": "0"}))


def raw(*pieces: bytes, seconds: float = 0) -> Serve:
    """Serve these bytes, with a pause before each piece."""

    async def serve(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            await _write(writer, piece, seconds)

    return serve


def endless(start: bytes, piece: bytes, seconds: float = 0) -> Serve:
    """Serve a start and then the same piece for ever."""

    async def serve(writer: asyncio.StreamWriter) -> None:
        await _write(writer, start)
        while True:
            await _write(writer, piece, seconds)

    return serve


def in_turn(*serves: Serve) -> Serve:
    """Serve one after the other, and the last one ever after."""
    left = list(serves)

    async def serve(writer: asyncio.StreamWriter) -> None:
        await (left.pop(0) if len(left) > 1 else left[0])(writer)

    return serve


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """Write a status and headers."""
    lines = (f"{name}: {value}" for name, value in headers.items())
    return "\r\n".join([f"HTTP/1.1 {status} Said", *lines, "\r\n"]).encode()


async def _write(writer: asyncio.StreamWriter, piece: bytes, seconds: float = 0) -> None:
    await asyncio.sleep(seconds)
    writer.write(piece)
    await writer.drain()


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
    """Resolves names as it is told, and any other as public; of several answers the first is for the first time."""

    def __init__(self, answers: Mapping[str, Sequence[Sequence[str]]] | None = None, other: str = PUBLIC) -> None:
        self.asked: list[str] = []
        self._answers = {name: list(each) for name, each in (answers or {}).items()}
        self._other = other

    async def __call__(self, host: str, _: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self._answers.get(host.removesuffix("."), [[self._other]])
        return answers.pop(0) if len(answers) > 1 else answers[0]
