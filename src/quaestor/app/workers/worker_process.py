"""A process that runs sessions of a shared store: it reports itself, and gives way where it loses the shared folder."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from quaestor.app.shorthands import Quaestor
from quaestor.app.workers.dispatch import POLL_SECONDS, Dispatcher, DispatchLimits, SessionRunner, wait_for_any
from quaestor.app.workers.telemetry import export_metrics_during
from quaestor.app.workers.worker import SessionWorker
from quaestor.contracts.errors import SetupError, SharedFolderHangs, StoreUnavailable
from quaestor.contracts.ports import Clock
from quaestor.contracts.settings import Settings
from quaestor.contracts.workers import REPORT_SECONDS, WorkerRecord, WorkerRegistry
from quaestor.runtime.shared_folder import require_shared_folder
from quaestor.runtime.system import current_process, is_alive

_FORGOTTEN_AFTER = timedelta(days=1)
"""A worker that has not reported itself for so long is listed no more."""


async def work(quaestor: Quaestor, places: int, stop: asyncio.Event) -> None:
    """Run sessions of a store, so many at once, until `stop` is set or the worker is drained; then pause them.

    Raises SetupError, once what runs is paused for other machines, where the shared folder is not there any more. What
    waits for one that hangs does not end: see `leaving_hung_folder`.
    """
    settings, owner = quaestor.settings, current_process()
    worker = SessionWorker(quaestor, places)
    limits = DispatchLimits(places, settings.lease_seconds, settings.tenant_sessions)
    reporting = asyncio.create_task(report_until(stop, quaestor.workers, quaestor.clock, worker, places))
    reporting.add_done_callback(lambda _: stop.set())  # one that nobody could drain does not go on
    watching = asyncio.create_task(watch_shared_folder(stop, settings))
    watching.add_done_callback(lambda _: stop.set())
    try:
        async with export_metrics_during(quaestor, worker.meter):
            await Dispatcher(quaestor.store, quaestor.clock, worker, limits).run(stop)
            await worker.close()
    finally:
        stop.set()
        await worker.close()
        await reporting
        with suppress(StoreUnavailable):
            await quaestor.workers.remove_worker(owner)
        watching.cancel()  # a mount that hangs would be waited for
        [lost] = await asyncio.gather(watching, return_exceptions=True)
    if isinstance(lost, SetupError):
        raise lost


async def report_until(
    stop: asyncio.Event, registry: WorkerRegistry, clock: Clock, worker: SessionRunner, places: int
) -> None:
    """Report this process as a worker until `stop` is set, which is done here where it is to drain."""
    since, owner = clock.now(), current_process()
    for old in await registry.workers():
        if since - old.seen_at > _FORGOTTEN_AFTER or is_alive(old.owner) is False:
            await registry.remove_worker(old.owner)
    while not stop.is_set():
        carried = worker.load().rested
        record = WorkerRecord(owner=owner, places=places, since=since, seen_at=clock.now(), carried=carried)
        with suppress(StoreUnavailable):
            if await registry.report_worker(record):
                stop.set()
        await wait_for_any(REPORT_SECONDS, stop)


async def watch_shared_folder(stop: asyncio.Event, settings: Settings) -> None:
    """Look for the shared folder, if there is one, until `stop` is set. Raises SetupError where it is gone."""
    if settings.shared_folder is None:
        await stop.wait()
    while not stop.is_set():
        await asyncio.to_thread(require_shared_folder, settings)
        await wait_for_any(POLL_SECONDS, stop)


@contextmanager
def leaving_hung_folder(settings: Settings, leave: Callable[[SharedFolderHangs], None]) -> Iterator[None]:
    """Call `leave`, which ends the process, while the body runs and where the shared folder does not answer any more.

    A file that hangs can hold the event loop itself, and the lease of the session would be prolonged for as long. So
    this looks from a thread; what can still be paused is, within the grace period. Others take over the rest.
    """
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(POLL_SECONDS):
            try:
                require_shared_folder(settings)
            except SharedFolderHangs as error:
                time.sleep(settings.grace_seconds)
                leave(error)
            except SetupError:
                continue  # it is gone, and holds nothing

    if settings.shared_folder:
        threading.Thread(target=watch, name="hung folder", daemon=True).start()
    try:
        yield
    finally:
        ended.set()
