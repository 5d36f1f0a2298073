"""What the routes of one server share: the home, the streams, the worker and the limits."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakValueDictionary

from fastapi import Request

from quaestor.app import Quaestor
from quaestor.app.costs import CostBook
from quaestor.app.watching.following import StreamHub
from quaestor.app.watching.live_page import LiveSessions
from quaestor.app.watching.panels import SessionPanels
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.immutable import Immutable
from quaestor.faces.server.assistant_endpoints import AssistantEndpoints
from quaestor.faces.server.limits import LoopLag, RateLimiter

_MEGABYTE = 1_000_000


class ServerOptions(Immutable):
    """How a server listens, and its limits."""

    host: str = "127.0.0.1"
    port: int = 8765
    sessions: int = 8
    """Sessions run at once; 0: none, others carry them on."""
    hosts: frozenset[str] = frozenset()
    """Names by which it is reached, beside those of loopback."""
    docs_root: Path | None = None
    streams: int = 600
    requests_a_minute: int = 600
    body_bytes: int = _MEGABYTE
    upload_bytes: int = 100 * _MEGABYTE
    body_seconds: float = 60
    heartbeat_seconds: float = 15
    patience_seconds: float = 0.15
    """How long a page waits for a log to be read; it shows the rest by itself."""
    foreground_seconds: float = 300
    """How long a client of the OpenAI-compatible API waits for an answer, unless it asks in the background."""


@dataclass(slots=True)
class ServerState:
    """The state of one server."""

    quaestor: Quaestor
    options: ServerOptions
    worker: SessionWorker | None
    hub: StreamHub
    lag: LoopLag
    rate: RateLimiter
    assistants: AssistantEndpoints
    login_code: str | None
    """What the link has with which a browser logs in; None once it was used."""
    port: int
    costs: CostBook = field(default_factory=CostBook)
    live: LiveSessions = field(default_factory=LiveSessions)
    panels: SessionPanels = field(default_factory=SessionPanels)
    open_streams: int = 0
    is_ready: bool = True
    responses: Counter[int] = field(default_factory=Counter)
    """Answers by status."""
    submissions: WeakValueDictionary[tuple[str, str], asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """By tenant and `Idempotency-Key`."""

    def submission_lock(self, tenant: str, key: str) -> asyncio.Lock:
        """Return what is held while a request with an `Idempotency-Key` is taken: of equal ones at once, one is."""
        return self.submissions.setdefault((tenant, key), asyncio.Lock())

    def forget(self, session_id: str) -> None:
        """Keep nothing in memory of a session that was erased."""
        self.live.forget(session_id)
        self.panels.forget(session_id)

    def carry(self, session_id: str) -> None:
        """Let the worker of this server run a session, if it has one."""
        if self.worker:
            self.worker.carry(session_id)


def server_state(request: Request) -> ServerState:
    """Return the state of the server that a request came to."""
    state: ServerState = request.app.state.server
    return state
