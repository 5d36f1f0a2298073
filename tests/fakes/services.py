"""A service on loopback, as search engines and embeddings have one: it answers with what a test gives it."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from typing_extensions import override

from fakes.http_server import JSON, Answer, Connection, HttpServer, Request


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer after so many seconds; with `cut` the connection is closed before its end."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    cut: bool = False
    after: float = 0.001


class Service(HttpServer[Request]):
    """Answers every request as `reply` says."""

    def __init__(self, reply: Callable[[Request], Reply]) -> None:
        super().__init__()
        self.reply = reply

    @override
    def understand(self, request: Request) -> Request:
        return request

    @override
    async def answer(self, request: Request, connection: Connection) -> bool:
        reply = self.reply(request)
        await asyncio.sleep(reply.after)  # so that requests that may overlap do
        answer = Answer(reply.body, reply.status, {**JSON, **reply.headers})
        await (connection.cut(answer) if reply.cut else connection.send(answer))
        return not reply.cut
