"""The border of the server, before any route: names it answers to, sizes and times of bodies, headers of answers."""

import asyncio
from collections.abc import Mapping
from http import HTTPStatus
from ipaddress import ip_address

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from quaestor.faces.server.openai.errors import is_openai_path, render_error
from quaestor.faces.server.problems import ProblemRaised, render_problem
from quaestor.faces.server.state import ServerState

_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})
UPLOAD_PATHS = frozenset({"/api/v1/files", "/sessions"})
"""Where documents are sent to: by programs, and with the form of a new session."""

_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every answer that has no other value of its own."""


def is_loopback(host: str) -> bool:
    """Return whether nobody but this machine reaches what listens at a host."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """An ASGI middleware around all routes of a server."""

    def __init__(self, app: ASGIApp, state: ServerState) -> None:
        self._app = app
        self._state = state
        self._names = _LOOPBACK_NAMES | {state.options.host} | {name.casefold() for name in state.options.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it before any route sees it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._state.responses[message["status"]] += 1
                answered = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    answered.setdefault(name, value)
            await send(message)

        refusal = self._refuse(scope, headers)
        if refusal:
            render = render_error if is_openai_path(scope["path"]) else render_problem
            await render(refusal)(scope, receive, send_guarded)
        else:
            await self._app(scope, self._limited(scope, receive), send_guarded)

    def _refuse(self, scope: Scope, headers: Headers) -> ProblemRaised | None:
        """Return why a request is refused by its headers alone."""
        if _host_name(headers.get("host", "")) not in self._names:
            return ProblemRaised(
                HTTPStatus.MISDIRECTED_REQUEST,
                f"the server does not answer to the name {headers.get('host', '')[:60]!r}; start it with --allow-host",
            )
        declared = headers.get("content-length", "0")
        if not declared.isascii() or not declared.isdecimal() or int(declared) > self._limit(scope):
            return _too_large(self._limit(scope))
        return None

    def _limit(self, scope: Scope) -> int:
        options = self._state.options
        return options.upload_bytes if scope["path"] in UPLOAD_PATHS else options.body_bytes

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Return what receives a body of at most so many bytes, within its time."""
        limit, received, is_complete = self._limit(scope), 0, False
        deadline = asyncio.get_running_loop().time() + self._state.options.body_seconds

        async def receive_limited() -> Message:
            nonlocal received, is_complete
            if is_complete:  # from here on it waits for the client to leave, which has no limit
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError as error:
                raise HTTPException(
                    HTTPStatus.REQUEST_TIMEOUT, "the body did not come in time", {"Connection": "close"}
                ) from error
            received += len(message.get("body", b""))
            is_complete = not message.get("more_body", False)
            if received > limit:
                raise HTTPException(
                    HTTPStatus.REQUEST_ENTITY_TOO_LARGE, str(_too_large(limit)), {"Connection": "close"}
                )
            return message

        return receive_limited


def _too_large(limit: int) -> ProblemRaised:
    return ProblemRaised(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        f"the body is larger than the {limit:,} bytes that are taken here",
        headers={"Connection": "close"},
    )


def _host_name(host: str) -> str:
    """Return the name in a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].casefold()
    return host.rpartition(":")[0].casefold() if ":" in host else host.casefold()
