"""A server on loopback in the test's own event loop, and programs that use it."""

import asyncio
import re
import ssl
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import httpx2
from pydantic import JsonValue

from fakes.papers import PAPERS
from fakes.sittings import LIGHTHOUSE
from quaestor.app import Quaestor, open_home
from quaestor.app.network.access import add_token
from quaestor.app.network.uploads import Collection
from quaestor.contracts.access import Scope
from quaestor.faces.server.serving import running_server
from quaestor.faces.server.state import ServerOptions, ServerState

T = TypeVar("T")
COLLECTION = "harbour"
_PATIENCE_SECONDS = 200
"""Until a test that waits in vain fails; no other one comes near it, however slow the machine is."""
OPTIONS = ServerOptions(port=0, patience_seconds=_PATIENCE_SECONDS)
"""Of a server on a free port, whose pages wait until a log is read."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients of a server without TLS: to load whom this machine trusts costs 40 ms of CPU for each."""


@dataclass(frozen=True)
class Streamed:
    """A server-sent event as a client sees it."""

    id: str
    event: str
    data: str


def parse_stream(text: str) -> list[Streamed]:
    """Return the events of a stream; comments, and what has not come whole, are left out."""
    events = []
    for block in text.split("\n\n")[:-1]:
        fields = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in fields:
            events.append(Streamed(fields.get("id", ""), fields["event"], fields["data"]))
    return events


@dataclass
class Served:
    """A server, and the clients of it."""

    quaestor: Quaestor
    state: ServerState
    stack: AsyncExitStack
    clients: dict[str, httpx2.AsyncClient] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.state.port}"

    async def secret(self, scope: Scope, tenant: str = "local", lifetime: timedelta | None = None) -> str:
        name = f"{scope}-{tenant}-{len(await self.quaestor.access.tokens())}"
        return (await add_token(self.quaestor, name, scope, lifetime, tenant)).secret

    async def client(self, scope: Scope = "run", tenant: str = "local") -> httpx2.AsyncClient:
        key = f"{scope} {tenant}"
        if key not in self.clients:
            self.clients[key] = self.anonymous({"Authorization": f"Bearer {await self.secret(scope, tenant)}"})
        return self.clients[key]

    def anonymous(self, headers: Mapping[str, str] | None = None) -> httpx2.AsyncClient:
        client = httpx2.AsyncClient(
            base_url=self.url, headers=dict(headers or {}), trust_env=False, verify=NO_TLS, timeout=_PATIENCE_SECONDS
        )
        self.stack.push_async_callback(client.aclose)
        return client

    async def upload(self, papers: Mapping[str, str] = PAPERS, tenant: str = "local") -> Collection:
        client = await self.client("run", tenant)
        files = [("files", (name, text.encode())) for name, text in papers.items()]
        answer = await client.post("/api/v1/files", files=files, data={"collection": COLLECTION})
        assert answer.status_code == 200, answer.text
        return Collection.model_validate_json(answer.content)

    async def start(self, text: str = LIGHTHOUSE, tenant: str = "local", **settings: JsonValue) -> str:
        """Start a session over the uploaded papers; return its id."""
        client = await self.client("run", tenant)
        body = {"text": text, "docs": [f"collection:{COLLECTION}"], "settings": settings}
        answer = await client.post("/api/v1/sessions", json=body)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["id"])

    async def finished(self, text: str = LIGHTHOUSE, tenant: str = "local") -> str:
        """Return a session that has its report."""
        await self.upload(tenant=tenant)
        session_id = await self.start(text, tenant, questions=False)
        await self.events(session_id, tenant=tenant)
        return session_id

    async def asked(self, session_id: str) -> None:
        """Wait until a session asks a person, and its process has let go of it."""

        async def is_asking() -> bool:
            return (await self.quaestor.status(session_id)).state == "waiting"

        await until(is_asking)

    async def events(self, session_id: str, tenant: str = "local", **query: str) -> list[Streamed]:
        """Follow a session until its stream ends."""
        client = await self.client("run", tenant)
        async with asyncio.timeout(_PATIENCE_SECONDS):
            answer = await client.get(f"/api/v1/sessions/{session_id}/events", params=query)
        assert answer.status_code == 200, answer.text
        return parse_stream(answer.text)


async def until(check: Callable[[], Awaitable[T]]) -> T:
    """Return what a check gives as soon as it is true."""
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while True:
            if found := await check():
                return found
            await asyncio.sleep(0.02)


Serve = Callable[..., "AsyncServed"]


class AsyncServed:
    """A server that begins at `await`, with options of its own."""

    def __init__(
        self, home: Path, stack: AsyncExitStack, settings: Mapping[str, JsonValue], options: ServerOptions
    ) -> None:
        self._home, self._stack, self._settings, self._options = home, stack, settings, options

    async def begin(self) -> Served:
        quaestor = await self._stack.enter_async_context(open_home(self._home, **self._settings))
        state = await self._stack.enter_async_context(running_server(quaestor, self._options))
        return Served(quaestor, state, self._stack)


def links(text: str) -> Sequence[str]:
    """Return the codes of login links in a text."""
    return re.findall(r"/login\?code=(\S+)", text)
