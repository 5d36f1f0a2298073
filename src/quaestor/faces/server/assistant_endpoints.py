"""The transports of the MCP server over HTTP, one for each kind of caller, open as long as the server is."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from quaestor.app import Quaestor
from quaestor.app.network.submissions import Submitter
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.lazy import deferred

if TYPE_CHECKING:
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

_open_manager: "Callable[[Quaestor, SessionWorker, Submitter], StreamableHTTPSessionManager]" = deferred(
    "quaestor.faces.mcp.transport:open_manager"
)


class _Endpoint(NamedTuple):
    """A transport, and the task that keeps it open: only the task that opened it may close it."""

    manager: "StreamableHTTPSessionManager"
    task: asyncio.Task[None]


class AssistantEndpoints:
    """The endpoints of one server, each opened at the first call of a tenant; no call leaves a state behind."""

    def __init__(self) -> None:
        self._open: dict[tuple[str | None, bool], _Endpoint] = {}
        self._closing = asyncio.Event()

    async def find(
        self, quaestor: Quaestor, worker: SessionWorker, submitter: Submitter
    ) -> "StreamableHTTPSessionManager":
        """Return what answers the calls of a tenant. Raises ModuleNotFoundError without the extra `mcp`."""
        key = (quaestor.tenant, submitter.is_admin)
        if key not in self._open:
            manager, opened = _open_manager(quaestor, worker, submitter), asyncio.Event()
            self._open[key] = _Endpoint(manager, asyncio.create_task(self._keep_open(manager, opened)))
            await opened.wait()
        return self._open[key].manager

    async def close(self) -> None:
        """End all calls; what they started goes on."""
        self._closing.set()
        await asyncio.gather(*(endpoint.task for endpoint in self._open.values()))

    async def _keep_open(self, manager: "StreamableHTTPSessionManager", opened: asyncio.Event) -> None:
        async with manager.run():
            opened.set()
            await self._closing.wait()
