"""A server on loopback that speaks the OpenAI chat completions API.

It answers as it is told, and counts what an honest provider would charge.
"""

import json
import math
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, repeat

from pydantic import ValidationError
from typing_extensions import override

from fakes.http_server import JSON, Answer, Connection, HttpServer, Request
from fakes.openai_answers import stream, whole
from fakes.openai_wire import Asked, Calls, Cut, Hang, Raw, Reply, Said, Slow, Status
from quaestor.contracts.cost import Price, Usage

_BYTES_A_TOKEN = 4
_OK = 200


@dataclass(frozen=True, slots=True)
class Received(Request):
    """A request, and the body that it has if it is one that the API takes."""

    asked: Asked | None = None


class OpenAIServer(HttpServer[Received]):
    """Answers every request as `reply` says; `streams` is False for a server that ignores `stream`."""

    def __init__(self, reply: Reply, *, streams: bool = True, port: int = 0) -> None:
        super().__init__(port=port)
        self.reply = reply
        self.answered: Counter[str] = Counter()
        """How often each body was answered to the end."""
        self.charged: list[Usage] = []
        self.models: tuple[str, ...] = ("small", "nomic-embed-text")
        self._streams = streams

    @property
    @override
    def url(self) -> str:
        """The base URL."""
        return f"{super().url}/v1"

    @property
    def asked(self) -> list[Asked]:
        """Every body that was one."""
        return [request.asked for request in self.requests if request.asked]

    def bill(self, price: Price) -> Decimal:
        """Return what everything cost that was generated, whether or not it arrived."""
        return sum((price.cost(usage) for usage in self.charged), Decimal(0))

    @override
    def understand(self, request: Request) -> Received:
        return received(request, _asked(request.raw))

    @override
    async def answer(self, request: Received, connection: Connection) -> bool:
        asked = request.asked
        if (request.method, request.path) == ("GET", "/v1/models"):
            models = [{"id": name, "object": "model"} for name in self.models]
            await connection.send(Answer(json.dumps({"object": "list", "data": models}).encode(), headers=JSON))
            return True
        if request.path != "/v1/chat/completions":
            await _send_status(connection, Status(status=404, message="no such path"), request)
            return True
        if asked is None:
            await _send_status(connection, Status(status=422, message="this body is not as the API takes it"), request)
            return True
        match await self._decide(asked, request):
            case Status() as status:
                await _send_status(connection, status, request)
            case Hang():
                self._charge(request.raw, asked.limit)
                await connection.hang()
                return False
            case Cut() as cut:
                self._charge(request.raw, asked.limit)
                await send_cut(connection, cut)
                return False
            case Raw() as raw:
                if raw.status == _OK:
                    self._charge(request.raw, asked.limit)
                await _send_pieces(connection, raw)
                return raw.done
            case Said() | Calls() as complete:
                await self._complete(request.raw, asked, complete, connection)
        return True

    async def _decide(self, asked: Asked, request: Received) -> Said | Calls | Status | Raw | Cut | Hang:
        answer = self.reply(asked)
        while isinstance(answer, Slow):
            await request.take(answer.seconds)
            answer = answer.then
        return Said(text=answer) if isinstance(answer, str) else answer

    async def _complete(self, raw: bytes, asked: Asked, answer: Said | Calls, to: Connection) -> None:
        if isinstance(answer, Said) and tokens(answer.text) > asked.limit:
            kept = answer.text.encode()[: asked.limit * _BYTES_A_TOKEN].decode(errors="ignore")
            answer = answer.model_copy(update={"text": kept, "finish": "length"})
        usage = self._charge(raw, tokens(_content(answer)))
        if asked.stream and self._streams:
            pieces = stream(asked, answer, usage)
            await _send_pieces(to, Raw(pieces=pieces, content_type="text/event-stream; charset=utf-8"))
        else:
            await to.send(Answer(whole(asked, answer, usage), headers=JSON))
        self.answered[raw.decode()] += 1

    def _charge(self, raw: bytes, output: int) -> Usage:
        usage = Usage(input_tokens=tokens(raw.decode()), output_tokens=output)
        self.charged.append(usage)
        return usage


def tokens(text: str) -> int:
    """Return the tokens of a text: one for every four bytes begun."""
    return math.ceil(len(text.encode()) / _BYTES_A_TOKEN)


def _content(answer: Said | Calls) -> str:
    match answer:
        case Said():
            return answer.text + (answer.refusal or "")
        case Calls():
            return (answer.text or "") + "".join(call.name + call.arguments for call in answer.calls)


def received(request: Request, asked: Asked | None) -> Received:
    """Return a request with the body that it has."""
    return Received(
        request.method, request.target, request.headers, request.raw, request.reached, request.at, asked=asked
    )


def _asked(raw: bytes) -> Asked | None:
    try:
        return Asked.model_validate_json(raw)
    except ValidationError:
        return None


async def send_cut(connection: Connection, cut: Cut) -> None:
    """Send what there is of a cut answer."""
    if cut.after == "half":
        await connection.cut(Answer(cut.text.encode(), headers=JSON))


async def _send_status(connection: Connection, answer: Status, request: Received) -> None:
    echoed = f" {request.headers.get('authorization')}" if answer.echo else ""
    error = {"message": answer.message + echoed, "type": "error", "param": None, "code": answer.code}
    body = json.dumps({"error": error}).encode()
    await connection.send(Answer(body, answer.status, {**JSON, **answer.headers}))


async def _send_pieces(connection: Connection, raw: Raw) -> None:
    answer = Answer(status=raw.status, headers={"Content-Type": raw.content_type, **raw.headers})
    again = repeat(raw.pieces[-1]) if raw.endless else ()
    await connection.chunks(answer, chain(raw.pieces, again), done=raw.done)
