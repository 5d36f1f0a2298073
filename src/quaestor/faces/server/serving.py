"""A server from its start to its end: it listens, runs sessions, and pauses them when it is asked to end."""

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from secrets import token_urlsafe

import uvicorn
from typing_extensions import override

from quaestor.app import Quaestor
from quaestor.app.network.access import has_active_tokens
from quaestor.app.watching.following import StreamHub
from quaestor.app.watching.preparation import prepare_readers
from quaestor.app.workers.dispatch import waking_due
from quaestor.app.workers.telemetry import export_metrics_during
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.errors import SetupError, UsageError
from quaestor.faces.server.application import build_app
from quaestor.faces.server.assistant_endpoints import AssistantEndpoints
from quaestor.faces.server.connections import HttpConnection, allow_open_files
from quaestor.faces.server.guard import is_loopback
from quaestor.faces.server.limits import LoopLag, RateLimiter
from quaestor.faces.server.state import ServerOptions, ServerState
from quaestor.faces.server.web.rendering import compile_templates

_LOGGER = logging.getLogger("quaestor")
_LOGIN_BYTES = 24
_CONNECTIONS_BESIDE_STREAMS = 300
_BACKLOG = 4_096
"""Connections that wait to be accepted: the system refuses what comes beyond them, and says nothing."""
_SEND_BYTES = 1 << 17
"""That the system may hold for a client that does not read; unbound, it is megabytes for each."""


class _Server(uvicorn.Server):
    """A server whose signals are handled by whoever starts it."""

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def running_server(quaestor: Quaestor, options: ServerOptions) -> AsyncIterator[ServerState]:
    """Serve a home until the end of the block; then sessions are paused and streams ended.

    Raises UsageError for an address that others reach while there is no token, SetupError for one that is in use.
    """
    if not is_loopback(options.host) and not await has_active_tokens(quaestor):
        raise UsageError(
            f"{options.host} can be reached from other machines, and there is no token; add one first, or listen on "
            "127.0.0.1"
        )
    allow_open_files()
    with _listening(options) as listener:
        worker = SessionWorker(quaestor, options.sessions) if options.sessions else None
        state = ServerState(
            quaestor=quaestor,
            options=options,
            worker=worker,
            hub=StreamHub(quaestor),
            lag=LoopLag(),
            assistants=AssistantEndpoints(),
            rate=RateLimiter(options.requests_a_minute, time.monotonic),
            login_code=token_urlsafe(_LOGIN_BYTES),
            port=listener.getsockname()[1],
        )
        server = _Server(_configuration(state))
        async with export_metrics_during(quaestor, worker.meter if worker else None, with_sessions=True):
            serving = asyncio.create_task(server.serve([listener]))
            measuring = asyncio.create_task(state.lag.measure())
            try:
                async with _carrying(quaestor, worker, options.sessions):
                    # What a package brings may be broken: whoever reads such a session is shown that, too.
                    [fault] = await asyncio.gather(_prepare(quaestor), return_exceptions=True)
                    if fault:
                        _LOGGER.warning("not prepared for readers: %s", fault)
                    yield state
            finally:
                await _shut_down(state, server)
                measuring.cancel()
                await serving


async def _prepare(quaestor: Quaestor) -> None:
    """Make what the first reader of a page would wait for; requests are answered meanwhile."""
    await prepare_readers(quaestor)
    await asyncio.to_thread(compile_templates)


@asynccontextmanager
async def _carrying(quaestor: Quaestor, worker: SessionWorker | None, places: int) -> AsyncIterator[None]:
    """Run what was interrupted, and from then on what was paused until a time, if sessions are run here."""
    if worker is None:
        yield
        return
    await worker.resume_interrupted()
    async with waking_due(quaestor, worker, places):
        yield


async def _shut_down(state: ServerState, server: uvicorn.Server) -> None:
    """End streams, pause sessions, and let requests in flight end."""
    state.is_ready = False
    state.hub.close()
    await state.assistants.close()
    if state.worker:
        await state.worker.close()
    server.should_exit = True


def _configuration(state: ServerState) -> uvicorn.Config:
    return uvicorn.Config(
        build_app(state),
        http=HttpConnection,
        ws="none",
        lifespan="off",
        loop="asyncio",
        interface="asgi3",
        log_config=None,
        log_level=logging.ERROR,  # a warning a refused connection would fill a disk
        access_log=False,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=state.options.streams + _CONNECTIONS_BESIDE_STREAMS,
        timeout_graceful_shutdown=max(1, int(state.quaestor.settings.grace_seconds)),
    )


@contextmanager
def _listening(options: ServerOptions) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    try:
        listener = socket.create_server((options.host, options.port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise SetupError(
            f"{options.host} port {options.port} cannot be listened on: {error.strerror}; choose another"
        ) from error
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BYTES)  # its connections inherit it
    with listener:
        yield listener
