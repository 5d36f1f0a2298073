"""An HTTP server on loopback: it records requests, and answers or fails as configured.

It lives in the test's event loop (`async with`), or in a thread of its own (`with`) for tests whose processes come and
go. What a server says is up to its subclass, whose `answer` sends an answer, or a fault made of one, over a connection.
"""

import asyncio
import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Generic, Self, TypeVar
from urllib.parse import parse_qs, urlsplit

JSON = {"Content-Type": "application/json"}
_CUT_OFF = 1000
"""Bytes that a cut answer promises and does not send."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it came, and the address it came to; `at` is in seconds of the server's own clock."""

    method: str
    target: str
    headers: Mapping[str, str]
    """By their names in lower case."""
    raw: bytes
    reached: str = ""
    at: float = 0

    @property
    def path(self) -> str:
        return urlsplit(self.target).path

    @property
    def parameters(self) -> Mapping[str, str]:
        """The first value of each name in the query."""
        return {name: values[0] for name, values in parse_qs(urlsplit(self.target).query).items()}

    @property
    def body(self) -> Mapping[str, object]:
        """The JSON that was sent."""
        body: Mapping[str, object] = json.loads(self.raw)
        return body

    async def take(self, seconds: float) -> None:
        """Wait until so many seconds have passed since the request came: its server is as slow as that, not slower."""
        await asyncio.sleep(self.at + seconds - asyncio.get_running_loop().time())


R = TypeVar("R", bound=Request)


@dataclass(frozen=True, slots=True)
class Answer:
    """A status, headers and a body; the length is declared unless a header declares it."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)

    def head(self, more: int = 0) -> bytes:
        """Write the status and the headers, which promise so many bytes more than there are."""
        return head(self.status, {"Content-Length": str(len(self.body) + more), **self.headers})


class Connection:
    """The server's end of a connection, over which an answer is sent or not."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, answer: Answer) -> None:
        """Send an answer, whole."""
        await self.write(answer.head() + answer.body)

    async def cut(self, answer: Answer) -> None:
        """Send an answer that promises more than it holds."""
        await self.write(answer.head(_CUT_OFF) + answer.body)

    async def drip(self, pieces: Iterable[bytes], seconds: float = 0) -> None:
        """Send bytes as they are, with a pause before each piece."""
        for piece in pieces:
            await asyncio.sleep(seconds)
            await self.write(piece)

    async def chunks(self, answer: Answer, pieces: Iterable[bytes], *, done: bool = True) -> None:
        """Send an answer in chunks, each on its own; when it is not done it has no end."""
        await self.write(head(answer.status, {"Transfer-Encoding": "chunked", **answer.headers}))
        for piece in filter(None, pieces):
            await self.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
            await asyncio.sleep(0)  # lets a client in the same loop read it alone
        if done:
            await self.write(b"0\r\n\r\n")

    async def hang(self) -> None:
        """Send nothing until the other side has left."""
        await self._reader.read(1)

    async def write(self, content: bytes) -> None:
        """Send bytes."""
        self._writer.write(content)
        await self._writer.drain()

    async def read(self) -> Request | None:
        """Read a request; None when the other side has closed the connection."""
        try:
            told = (await self._reader.readuntil(b"\r\n\r\n")).decode()
            first, *lines = told.splitlines()
            headers = {
                name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
            }
            raw = await self._reader.readexactly(int(headers.get("content-length", "0")))
        except asyncio.IncompleteReadError:
            return None
        method, target, _ = first.split()
        reached: str = self._writer.get_extra_info("sockname")[0]
        return Request(method, target, headers, raw, reached, asyncio.get_running_loop().time())

    async def close(self) -> None:
        """Close this end."""
        self._writer.close()
        with suppress(ConnectionError):
            await self._writer.wait_closed()


class HttpServer(ABC, Generic[R]):
    """Answers every request in the order of its connection; the port stays known after it is closed."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self.port = port
        self.requests: list[R] = []
        self.connections = 0
        """How many were opened."""
        self.busiest = 0
        """The most requests at one time."""
        self._host = host
        self._busy = 0
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        self._stop: Callable[[], object] = lambda: None

    @property
    def url(self) -> str:
        """Scheme, host and port."""
        return f"http://{self._host}:{self.port}"

    @abstractmethod
    def understand(self, request: Request) -> R:
        """Return what is recorded of a request."""

    @abstractmethod
    async def answer(self, request: R, connection: Connection) -> bool:
        """Answer a request; False when the connection is not to be used again."""

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

    def __enter__(self) -> Self:
        ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live(ready)), daemon=True)
        self._thread.start()
        ready.wait()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread:
            self._stop()
            self._thread.join()

    async def _live(self, ready: threading.Event) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._stop = lambda: loop.call_soon_threadsafe(stop.set)
        try:
            async with self:
                ready.set()
                await stop.wait()
        finally:
            ready.set()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        conversation = asyncio.get_running_loop().create_task(self._converse(Connection(reader, writer)))
        self.connections += 1
        self._open.add(conversation)
        conversation.add_done_callback(self._open.discard)

    async def _converse(self, connection: Connection) -> None:
        try:
            while came := await connection.read():
                request = self.understand(came)
                self.requests.append(request)
                self._busy += 1
                self.busiest = max(self.busiest, self._busy)
                try:
                    goes_on = await self.answer(request, connection)
                finally:
                    self._busy -= 1
                if not goes_on:
                    break
        except ConnectionError:
            return  # whoever asked has left
        finally:
            await connection.close()


def head(status: int, headers: Mapping[str, str]) -> bytes:
    """Write a status and headers."""
    lines = (f"{name}: {value}" for name, value in headers.items())
    return "\r\n".join([f"HTTP/1.1 {status} Said", *lines, "\r\n"]).encode()
