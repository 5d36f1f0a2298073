"""The candidates as thin adapters: each wakes `Carrying.carry` for the sessions that are to be run.

A job of an engine means "carry this session on". One that finds the session held by another machine is asked for again
a second later, as the lease of a dead machine has to expire first.
"""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Protocol

import psycopg
from bench.engines.sessions import LEASE_SECONDS, Carrying

from quaestor.app.workers.dispatch import Dispatcher, DispatchLimits
from quaestor.app.workers.worker import WorkerLoad
from quaestor.contracts.session import LeaseOwner
from quaestor.runtime.system import SystemClock

if TYPE_CHECKING:
    from pgqueuer.adapters.persistence.queries import Queries
    from procrastinate import App

_AGAIN_SECONDS = 1


class Candidate(Protocol):
    """What wakes workers."""

    packages: Sequence[str]
    """What has to be installed for it."""

    async def install(self, url: str) -> None:
        """Make its tables."""
        ...

    async def enqueue(self, url: str, names: Sequence[str]) -> None:
        """Note that sessions are to be run."""
        ...

    async def work(self, url: str, carrying: Carrying, places: int) -> None:
        """Run sessions, so many at once, until the process is killed."""
        ...


class Own:
    """The workers of this program: they ask the table of sessions once a second, and when the store tells of work."""

    packages: Sequence[str] = ()

    async def install(self, url: str) -> None:
        pass

    async def enqueue(self, url: str, names: Sequence[str]) -> None:
        pass

    async def work(self, url: str, carrying: Carrying, places: int) -> None:
        del url
        limits = DispatchLimits(places, LEASE_SECONDS)
        await Dispatcher(carrying.store, SystemClock(), _Runner(carrying), limits).run(asyncio.Event())


class _Runner:
    """A `SessionRunner` without sessions of a workflow."""

    def __init__(self, carrying: Carrying) -> None:
        self.rested = asyncio.Event()
        self._carrying = carrying
        self._tasks: dict[str, asyncio.Task[bool]] = {}

    def carry(self, session_id: str, abandoned: LeaseOwner | None = None) -> None:
        task = asyncio.create_task(self._carrying.carry(session_id, abandoned))
        self._tasks[session_id] = task
        task.add_done_callback(lambda _: self._forget(session_id))

    def carries(self, session_id: str) -> bool:
        return session_id in self._tasks

    def load(self) -> WorkerLoad:
        return WorkerLoad(len(self._tasks), 0, None, 0)

    def _forget(self, session_id: str) -> None:
        del self._tasks[session_id]
        self.rested.set()


class PgQueuer:
    """PgQueuer: NOTIFY and a poll; takes over jobs whose heartbeat is stale when it looks for others."""

    packages: Sequence[str] = ("pgqueuer",)

    async def install(self, url: str) -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            await _queries(connection).install()

    async def enqueue(self, url: str, names: Sequence[str]) -> None:
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            payloads = [name.encode() for name in names]
            await _queries(connection).enqueue(["carry"] * len(names), payloads, [0] * len(names))

    async def work(self, url: str, carrying: Carrying, places: int) -> None:
        while True:
            with contextlib.suppress(Exception):  # its manager ends with its connection
                async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                    await self._manage(connection, carrying, places)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _manage(
        self, connection: "psycopg.AsyncConnection[tuple[object, ...]]", carrying: Carrying, places: int
    ) -> None:
        from pgqueuer.core.qm import QueueManager  # noqa: PLC0415 -- only where it is measured
        from pgqueuer.domain.errors import RetryRequested  # noqa: PLC0415
        from pgqueuer.domain.models import Job  # noqa: PLC0415

        manager = QueueManager(_queries(connection))

        async def run(job: Job) -> None:
            if not await carrying.carry((job.payload or b"").decode()):
                raise RetryRequested(delay=timedelta(seconds=_AGAIN_SECONDS))

        manager.entrypoint("carry", accepts_context=False)(run)
        await manager.run(
            dequeue_timeout=timedelta(seconds=1),
            batch_size=places // 2,
            max_concurrent_tasks=places,
            heartbeat_timeout=timedelta(seconds=LEASE_SECONDS),
            shutdown_on_listener_failure=True,
        )


class Procrastinate:
    """Procrastinate: NOTIFY and a poll; jobs of dead workers are begun again by a task of one's own."""

    packages: Sequence[str] = ("procrastinate",)

    async def install(self, url: str) -> None:
        async with _app(url).open_async() as opened:
            await opened.schema_manager.apply_schema_async()

    async def enqueue(self, url: str, names: Sequence[str]) -> None:
        app = _app(url)
        async with app.open_async():
            await app.configure_task("carry").batch_defer_async(*({"name": name} for name in names))

    async def work(self, url: str, carrying: Carrying, places: int) -> None:
        while True:
            with contextlib.suppress(Exception):  # its worker ends with its connections
                await self._manage(url, carrying, places)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def _manage(self, url: str, carrying: Carrying, places: int) -> None:
        from procrastinate import RetryStrategy  # noqa: PLC0415 -- only where it is measured

        app = _app(url)

        async def run(name: str) -> None:
            if not await carrying.carry(name):
                raise RuntimeError(f"{name} is held by another machine")

        app.task(name="carry", retry=RetryStrategy(wait=_AGAIN_SECONDS))(run)
        async with app.open_async():
            sweeping = asyncio.create_task(_sweep(app))
            try:
                await app.run_worker_async(
                    concurrency=places,
                    fetch_job_polling_interval=1.0,
                    update_heartbeat_interval=LEASE_SECONDS / 3,
                    stalled_worker_timeout=LEASE_SECONDS,
                    install_signal_handlers=False,
                    delete_jobs="successful",
                )
            finally:
                sweeping.cancel()


CANDIDATES: Mapping[str, Candidate] = {"quaestor": Own(), "pgqueuer": PgQueuer(), "procrastinate": Procrastinate()}


def _queries(connection: "psycopg.AsyncConnection[tuple[object, ...]]") -> "Queries":
    from pgqueuer.adapters.drivers.psycopg import PsycopgDriver  # noqa: PLC0415 -- only where it is measured
    from pgqueuer.adapters.persistence.queries import Queries  # noqa: PLC0415

    return Queries(PsycopgDriver(connection))


def _app(url: str) -> "App":
    from procrastinate import App, PsycopgConnector  # noqa: PLC0415 -- only where it is measured

    return App(connector=PsycopgConnector(conninfo=url, min_size=2, max_size=4))


async def _sweep(app: "App") -> None:
    """Begin the jobs of dead workers again, once a second."""
    while True:
        with contextlib.suppress(psycopg.Error):
            for job in await app.job_manager.get_stalled_jobs(seconds_since_heartbeat=LEASE_SECONDS):
                await app.job_manager.retry_job(job)
        await asyncio.sleep(1)
