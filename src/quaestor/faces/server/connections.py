"""Connections to a server: a head that does not come whole, or an answer that is not read, holds none for long."""

import asyncio
import sys
from contextlib import suppress
from http import HTTPStatus

import h11
from typing_extensions import override
from uvicorn._types import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

if sys.platform != "win32":
    import resource

_HEAD_SECONDS = 20
"""How long a connection may be open, at first or behind an answer, without one whole request head."""
_CROWDED_HEAD_SECONDS = 10
"""The same, where there are more connections than requests may be answered at once."""
_LINGER_SECONDS = 2
"""How long a refused connection stays open: one closed at once is reset by what the client sends, the answer lost."""
_STALLED_SECONDS = 300
"""How long a client may read nothing of an answer that waits for it."""
_MOST_OPEN_FILES = 16_384
_OTHER_FILES = 200
"""That sessions, the database and workers open, whatever the number of connections."""
_TOO_MANY = "too many connections are open; come back later\n"
_RETRY_SECONDS = 10


class HttpConnection(H11Protocol):
    """HTTP/1.1 for clients who hoard connections: by heads that never end, or by reading nothing.

    More requests than may be answered at once are refused with the time to come back. Connections that ask nothing
    are not counted for that, so that they keep out nobody.
    """

    _most: int | None = None
    _application: ASGI3Application | None = None
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        self._most, self.limit_concurrency = self.limit_concurrency, None  # it refuses without a time to come back
        self._application = self.app
        self._expect_head()
        if not _has_room(transport):
            transport.abort()

    @override
    def handle_events(self) -> None:
        self.app = _refuse if self._is_full(len(self.tasks)) else self._application or self.app
        super().handle_events()

    @override
    def on_response_complete(self) -> None:
        self._expect_head()
        super().on_response_complete()

    @override
    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(_STALLED_SECONDS, self.transport.abort)

    @override
    def resume_writing(self) -> None:
        _cancel(self._stalled)
        super().resume_writing()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        _cancel(self._deadline)
        _cancel(self._stalled)
        super().connection_lost(exc)

    def _is_full(self, count: int) -> bool:
        return self._most is not None and count >= self._most

    def _expect_head(self) -> None:
        _cancel(self._deadline)
        is_crowded = self._is_full(len(self.connections))
        seconds = _CROWDED_HEAD_SECONDS if is_crowded else _HEAD_SECONDS
        self._deadline = self.loop.call_later(seconds, self._refuse_unused, _NO_ROOM if is_crowded else _NO_HEAD)

    def _refuse_unused(self, answer: bytes) -> None:
        """Close the connection if no request of it is being answered, after a client had time to read why."""
        if self.conn.their_state is h11.IDLE:
            self.transport.write(answer)
            self.flow.pause_reading()
            self._deadline = self.loop.call_later(_LINGER_SECONDS, self.transport.abort)


def allow_open_files() -> None:
    """Let this process hold as many connections as the system allows, within reason."""
    if sys.platform != "win32":
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = _MOST_OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_OPEN_FILES)
        if soft < most and soft != resource.RLIM_INFINITY:
            with suppress(OSError, ValueError):  # a system may allow less than it says
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def _has_room(transport: asyncio.Transport) -> bool:
    """Return whether more files can be opened beside a new connection, whose number is the lowest that was free."""
    if sys.platform == "win32":
        return True
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit == resource.RLIM_INFINITY or transport.get_extra_info("socket").fileno() < limit - _OTHER_FILES


def _answer(status: HTTPStatus, text: str) -> bytes:
    """Return an answer for a connection of which there is no request to be answered."""
    head = (
        f"HTTP/1.1 {status.value} {status.phrase}",
        *(f"{name.decode()}: {value.decode()}" for name, value in _headers(text)),
    )
    return "\r\n".join((*head, "", text)).encode()


def _headers(text: str) -> list[tuple[bytes, bytes]]:
    return [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(text)).encode()),
        (b"retry-after", str(_RETRY_SECONDS).encode()),
        (b"connection", b"close"),
    ]


_NO_HEAD = _answer(HTTPStatus.REQUEST_TIMEOUT, "no request came whole in time\n")
_NO_ROOM = _answer(HTTPStatus.SERVICE_UNAVAILABLE, _TOO_MANY)


async def _refuse(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer that there are too many connections."""
    del scope, receive
    status = HTTPStatus.SERVICE_UNAVAILABLE
    await send({"type": "http.response.start", "status": status, "headers": _headers(_TOO_MANY), "trailers": False})
    await send({"type": "http.response.body", "body": _TOO_MANY.encode(), "more_body": False})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
