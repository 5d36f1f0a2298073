"""A server on loopback that answers as it is told and records what it was asked."""

import asyncio
import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came; `at` is in seconds of the server's own clock."""

    method: str
    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str]
    raw: bytes
    at: float

    @property
    def body(self) -> Mapping[str, object]:
        """The JSON that was sent."""
        body: Mapping[str, object] = json.loads(self.raw)
        return body


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer after so many seconds; with `cut` the connection is closed before its end."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    after: float = 0.001


class Server:
    """Answers every request as `reply` says."""

    def __init__(self, reply: Callable[[Received], Reply]) -> None:
        self.reply = reply
        self.requests: list[Received] = []
        self.busiest = 0
        """The most requests at one time."""
        self._busy = 0
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self.url = ""

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
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
            while received := await _receive(reader):
                self.requests.append(received)
                self._busy += 1
                self.busiest = max(self.busiest, self._busy)
                answer = self.reply(received)
                await asyncio.sleep(answer.after)  # so that requests that may overlap do
                self._busy -= 1
                writer.write(_head(answer) + answer.body)
                await writer.drain()
                if answer.cut:
                    break
        except ConnectionError:
            return  # whoever asked has left
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


async def _receive(reader: asyncio.StreamReader) -> Received | None:
    """Read a request; None when the other side has closed the connection."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.splitlines()
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    method, target, _ = first.split()
    parts = urlsplit(target)
    parameters = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return Received(method, parts.path, parameters, headers, raw, asyncio.get_running_loop().time())


def _head(answer: Reply) -> bytes:
    length = len(answer.body) + (1000 if answer.cut else 0)
    headers = {"Content-Type": "application/json", "Content-Length": str(length), **answer.headers}
    lines = [f"HTTP/1.1 {answer.status} {answer.status}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
