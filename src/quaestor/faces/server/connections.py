"""Connections to a server: a head that does not come whole, or an answer that is not read, holds none for long."""

import asyncio
from http import HTTPStatus

import h11
from typing_extensions import override
from uvicorn._types import ASGI3Application, ASGIReceiveCallable, ASGISendCallable, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

_HEAD_SECONDS = 20
"""How long a connection may be open, at first or behind an answer, without one whole request head."""
_STALLED_SECONDS = 300
"""How long a client may read nothing of an answer that waits for it."""
_YOUNG_SECONDS = 2
"""How old a connection without a request is before it makes room for others."""


class HttpConnection(H11Protocol):
    """HTTP/1.1 for clients who hoard connections: by heads that never end, or by reading nothing.

    Requests on more connections than there may be are refused with the time to come back.
    """

    _most: int | None = None
    _application: ASGI3Application | None = None
    _deadline: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _since = 0.0

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn declares it
        super().connection_made(transport)
        self._most, self.limit_concurrency = self.limit_concurrency, None  # it refuses without a time to come back
        self._application = self.app
        self._expect_head()
        if self._is_full:
            self._make_room()

    @override
    def handle_events(self) -> None:
        self.app = _refuse if self._is_full else self._application or self.app
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

    @property
    def _is_full(self) -> bool:
        return self._most is not None and len(self.connections) >= self._most

    @property
    def waits_for_head(self) -> bool:
        """Whether no request of it is being answered."""
        return self.conn.their_state is h11.IDLE

    def _expect_head(self) -> None:
        _cancel(self._deadline)
        self._since = self.loop.time()
        self._deadline = self.loop.call_later(_HEAD_SECONDS, self._close_unused)

    def _close_unused(self) -> None:
        if self.waits_for_head:
            self.transport.close()

    def _make_room(self) -> None:
        """Close the connection that waits longest for a head, so that those who ask nothing keep out nobody."""
        waiting = [each for each in self.connections if isinstance(each, HttpConnection) and each.waits_for_head]
        oldest = min(waiting, key=lambda each: each._since, default=None)  # noqa: SLF001 -- of its own class
        if oldest and oldest is not self and self.loop.time() - oldest._since >= _YOUNG_SECONDS:  # noqa: SLF001
            oldest.transport.close()


async def _refuse(scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
    """Answer that there are too many connections."""
    del scope, receive
    body = b"too many connections are open; come back later\n"
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"retry-after", b"10"),
        (b"connection", b"close"),
    ]
    await send(
        {"type": "http.response.start", "status": HTTPStatus.SERVICE_UNAVAILABLE, "headers": headers, "trailers": False}
    )
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _cancel(timer: asyncio.TimerHandle | None) -> None:
    if timer:
        timer.cancel()
