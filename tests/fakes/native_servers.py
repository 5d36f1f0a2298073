"""A server on loopback that speaks the native APIs of five providers, each at its own path.

It takes the same `reply` as the fake chat completions server, is asked in the same words, and counts the same way.
"""

import json
from dataclasses import dataclass
from http import HTTPStatus

from typing_extensions import override

from fakes.http_server import JSON, Answer, Connection, Request
from fakes.native_wire import Dialect, dialect
from fakes.openai_server import OpenAIServer, Received, received, send_cut, tokens
from fakes.openai_wire import Answer as ToGive
from fakes.openai_wire import Asked, Call, Calls, Cut, Hang, Raw, Reply, Said, Slow, Status
from quaestor.contracts.cost import Usage

_KEYS = ("authorization", "x-api-key", "x-goog-api-key")


@dataclass(frozen=True, slots=True)
class _Turn:
    """A request in the API it was made in, and where its answer goes."""

    spoken: Dialect
    received: Received
    asked: Asked
    connection: Connection


class NativeServer(OpenAIServer):
    """Answers every request as `reply` says; so much of the input is reported as read from or written to a cache."""

    def __init__(self, reply: Reply, *, cached: int = 0, written: int = 0, port: int = 0) -> None:
        super().__init__(reply, port=port)
        self._cached = cached
        self._written = written

    def base_url(self, provider: str) -> str:
        """Return the base URL as the SDK of a provider takes it."""
        return self.url if provider == "openai-responses" else self.url.removesuffix("/v1")

    @override
    def understand(self, request: Request) -> Received:
        asked = _asked(request)
        return received(request, asked if isinstance(asked, Asked) else None)

    @override
    async def answer(self, request: Received, connection: Connection) -> bool:
        spoken = dialect(request.target)
        if spoken is None:
            await connection.send(Answer(b'{"message": "no such path"}', HTTPStatus.NOT_FOUND, JSON))
            return True
        if request.asked is None:
            said = {"message": f"this body is not as the API takes it: {_asked(request)}"}
            await connection.send(Answer(json.dumps(said).encode(), HTTPStatus.UNPROCESSABLE_ENTITY, JSON))
            return True
        return await self._tell(self.reply(request.asked), _Turn(spoken, request, request.asked, connection))

    async def _tell(self, answer: ToGive, turn: _Turn) -> bool:
        """Answer a request; False when the connection is not to be used again."""
        match answer:
            case Slow():
                await turn.received.take(answer.seconds)
                return await self._tell(answer.then, turn)
            case Status():
                await _send_refusal(turn, answer)
            case Hang():
                self._charge(turn.received.raw, turn.asked.limit)
                await turn.connection.hang()
                return False
            case Cut():
                self._charge(turn.received.raw, turn.asked.limit)
                await send_cut(turn.connection, answer)
                return False
            case Raw():
                await self._send_raw(answer, turn)
            case str():
                await self._say(_within(turn.asked, Said(text=answer)), turn)
            case Said():
                await self._say(_within(turn.asked, answer), turn)
            case Calls():
                await self._say(answer, turn)
        return True

    async def _send_raw(self, answer: Raw, turn: _Turn) -> None:
        if answer.status == HTTPStatus.OK:
            self._charge(turn.received.raw, turn.asked.limit)
        headers = {"Content-Type": answer.content_type, **answer.headers}
        await turn.connection.send(Answer(b"".join(answer.pieces), answer.status, headers))

    async def _say(self, answer: Said | Calls, turn: _Turn) -> None:
        calls = answer.calls if isinstance(answer, Calls) else ()
        content = (answer.text or "") + "".join(call.name + call.arguments for call in calls)
        usage = self._charge(turn.received.raw, tokens(content))
        counted = not isinstance(answer, Said) or answer.counted
        body = turn.spoken.answer(answer, usage if counted else None)
        await turn.connection.send(Answer(json.dumps(body).encode(), headers=JSON))
        self.answered[turn.received.raw.decode()] += 1

    @override
    def _charge(self, raw: bytes, output: int) -> Usage:
        usage = super()._charge(raw, output)
        self.charged[-1] = usage.model_copy(update={"cached_tokens": self._cached, "written_tokens": self._written})
        return self.charged[-1]


def _within(asked: Asked, answer: Said) -> Said | Calls:
    """Return the answer within the limit, as a call where a tool must be called and the text is what it takes."""
    if tokens(answer.text) > asked.limit:
        return answer.model_copy(update={"text": answer.text[: asked.limit], "finish": "length"})
    if asked.tools and asked.tool_choice != "auto" and answer.finish == "stop" and _is_object(answer.text):
        return Calls(calls=(Call(name=asked.tools[0].function.name, arguments=answer.text),))
    return answer


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


async def _send_refusal(turn: _Turn, status: Status) -> None:
    """Send an error; one that echoes says the key back, as some servers do."""
    key = next((turn.received.headers[name] for name in _KEYS if name in turn.received.headers), "")
    said = status.model_copy(update={"message": f"{status.message} {key}"}) if status.echo else status
    refusal = turn.spoken.refusal(said)
    headers = {**JSON, **refusal.headers, **status.headers}
    await turn.connection.send(Answer(json.dumps(refusal.body).encode(), status.status, headers))


def _asked(request: Request) -> Asked | str | None:
    """Read a request in the API of its path; return why it cannot be read, or None where nothing is at that path."""
    spoken = dialect(request.target)
    try:
        return spoken.asked(json.loads(request.raw), request.target) if spoken else None
    except (KeyError, TypeError, ValueError) as error:
        return repr(error)
