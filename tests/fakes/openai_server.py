"""A server on loopback that speaks the OpenAI chat completions API.

It answers as it is told, records what it was asked, and counts what an honest provider would charge. It lives in the
test's event loop (`async with`) or in a thread of its own (`with`), for tests whose processes come and go.
"""

import asyncio
import json
import math
import threading
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, repeat
from types import TracebackType
from typing import Self

from pydantic import ValidationError

from fakes.openai_answers import stream, whole
from fakes.openai_wire import Asked, Calls, Cut, Hang, Raw, Reply, Said, Slow, Status
from quaestor.contracts.cost import Price, Usage

_BYTES_A_TOKEN = 4
_OK = 200


@dataclass(frozen=True, slots=True)
class Received:
    """One request as it came; `at` is in seconds of the server's own clock."""

    path: str
    headers: Mapping[str, str]
    raw: bytes
    asked: Asked | None
    at: float


class OpenAIServer:
    """Answers every request as `reply` says; `streams` is False for a server that ignores `stream`."""

    def __init__(self, reply: Reply, *, streams: bool = True, port: int = 0) -> None:
        self.reply = reply
        self.requests: list[Received] = []
        self.answered: Counter[str] = Counter()
        """How often each body was answered to the end."""
        self.charged: list[Usage] = []
        self.connections = 0
        """How many were opened."""
        self.busiest = 0
        """The most requests at one time."""
        self._streams = streams
        self._port = port
        self._busy = 0
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._thread: threading.Thread | None = None
        self._stop: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    @property
    def url(self) -> str:
        """The base URL; the port stays known after the server is closed."""
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def asked(self) -> list[Asked]:
        """Every body that was one."""
        return [request.asked for request in self.requests if request.asked]

    def bill(self, price: Price) -> Decimal:
        """Give what everything cost that was generated, whether or not it arrived."""
        return sum((price.cost(usage) for usage in self.charged), Decimal(0))

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]
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
        if self._stop and self._thread:
            loop, stop = self._stop
            loop.call_soon_threadsafe(stop.set)
            self._thread.join()

    async def _live(self, ready: threading.Event) -> None:
        stop = asyncio.Event()
        self._stop = (asyncio.get_running_loop(), stop)
        async with self:
            ready.set()
            await stop.wait()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = asyncio.get_running_loop().create_task(self._converse(reader, writer))
        self.connections += 1
        self._open.add(connection)
        connection.add_done_callback(self._open.discard)

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while received := await _receive(reader):
                self.requests.append(received)
                self._busy += 1
                self.busiest = max(self.busiest, self._busy)
                try:
                    whole = await self._answer(received, reader, writer)
                finally:
                    self._busy -= 1
                if not whole:
                    break
        except ConnectionError:
            return  # whoever asked has left
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(self, received: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer a request; False when the connection is not to be used again."""
        asked = received.asked
        if received.path.partition("?")[0] != "/v1/chat/completions":
            await _send_status(writer, Status(status=404, message="no such path"), received)
            return True
        if asked is None:
            await _send_status(writer, Status(status=422, message="this body is not as the API takes it"), received)
            return True
        match await self._decide(asked):
            case Status() as status:
                await _send_status(writer, status, received)
            case Hang():
                self._charge(received.raw, asked.limit)
                await reader.read(1)
                return False
            case Cut() as cut:
                self._charge(received.raw, asked.limit)
                await _send_half(writer, cut)
                return False
            case Raw() as raw:
                if raw.status == _OK:
                    self._charge(received.raw, asked.limit)
                await _send_pieces(writer, raw)
                return raw.done
            case Said() | Calls() as complete:
                await self._complete(received.raw, asked, complete, writer)
        return True

    async def _decide(self, asked: Asked) -> Said | Calls | Status | Raw | Cut | Hang:
        answer = self.reply(asked)
        while isinstance(answer, Slow):
            await asyncio.sleep(answer.seconds)
            answer = answer.then
        return Said(text=answer) if isinstance(answer, str) else answer

    async def _complete(self, raw: bytes, asked: Asked, answer: Said | Calls, writer: asyncio.StreamWriter) -> None:
        if isinstance(answer, Said) and tokens(answer.text) > asked.limit:
            kept = answer.text.encode()[: asked.limit * _BYTES_A_TOKEN].decode(errors="ignore")
            answer = answer.model_copy(update={"text": kept, "finish": "length"})
        usage = self._charge(raw, tokens(_content(answer)))
        if asked.stream and self._streams:
            pieces = stream(asked, answer, usage)
            await _send_pieces(writer, Raw(pieces=pieces, content_type="text/event-stream; charset=utf-8"))
        else:
            await _send_body(writer, _OK, {}, whole(asked, answer, usage))
        self.answered[raw.decode()] += 1

    def _charge(self, raw: bytes, output: int) -> Usage:
        usage = Usage(input_tokens=tokens(raw.decode()), output_tokens=output)
        self.charged.append(usage)
        return usage


def tokens(text: str) -> int:
    """Give the tokens of a text: one for every four bytes begun."""
    return math.ceil(len(text.encode()) / _BYTES_A_TOKEN)


def _content(answer: Said | Calls) -> str:
    match answer:
        case Said():
            return answer.text + (answer.refusal or "")
        case Calls():
            return (answer.text or "") + "".join(call.name + call.arguments for call in answer.calls)


async def _receive(reader: asyncio.StreamReader) -> Received | None:
    """Read a request; None when the other side has closed the connection."""
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = (line.partition(":") for line in head.splitlines()[1:] if line)
        headers = {name.lower(): value.strip() for name, _, value in lines}
        raw = await reader.readexactly(int(headers.get("content-length", "0")))
    except asyncio.IncompleteReadError:
        return None
    return Received(head.split()[1], headers, raw, _asked(raw), asyncio.get_running_loop().time())


def _asked(raw: bytes) -> Asked | None:
    try:
        return Asked.model_validate_json(raw)
    except ValidationError:
        return None


async def _send_status(writer: asyncio.StreamWriter, answer: Status, received: Received) -> None:
    echoed = f" {received.headers.get('authorization')}" if answer.echo else ""
    error = {"message": answer.message + echoed, "type": "error", "param": None, "code": answer.code}
    await _send_body(writer, answer.status, answer.headers, json.dumps({"error": error}).encode())


async def _send_body(writer: asyncio.StreamWriter, status: int, headers: Mapping[str, str], body: bytes) -> None:
    all_headers = {"Content-Type": "application/json", "Content-Length": str(len(body)), **headers}
    writer.write(_head(status, all_headers) + body)
    await writer.drain()


async def _send_half(writer: asyncio.StreamWriter, answer: Cut) -> None:
    if answer.after == "half":
        writer.write(_head(_OK, {"Content-Type": "application/json", "Content-Length": str(len(answer.text) + 1000)}))
        writer.write(answer.text.encode())
        await writer.drain()
    writer.close()


async def _send_pieces(writer: asyncio.StreamWriter, answer: Raw) -> None:
    headers = {"Content-Type": answer.content_type, "Transfer-Encoding": "chunked", **answer.headers}
    writer.write(_head(answer.status, headers))
    again = repeat(answer.pieces[-1]) if answer.endless else ()
    for piece in filter(None, chain(answer.pieces, again)):
        writer.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        await writer.drain()
        await asyncio.sleep(0)  # lets a client in the same loop read it alone
    if answer.done:
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} {status}", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()
