"""The metrics of a process that runs or serves sessions, sent to a collector of OpenTelemetry while it does."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress

from quaestor.app.shorthands import Quaestor
from quaestor.app.workers.fleet import Workload, show_workload
from quaestor.app.workers.metering import UsageMeter, count_sessions
from quaestor.contracts.errors import QuaestorError, StoreUnavailable
from quaestor.contracts.follower import FollowerUnavailable
from quaestor.runtime.system import current_process
from quaestor.storage.followers.factory import open_metrics
from quaestor.storage.followers.metrics import Attributes, CallMetrics, Metric

_LOGGER = logging.getLogger("quaestor")
EXPORT_SECONDS = 60.0
_LAST_SECONDS = 5.0
"""For the last export, with which a process ends."""


@asynccontextmanager
async def export_metrics_during(
    quaestor: Quaestor, meter: UsageMeter | None, *, with_sessions: bool = False
) -> AsyncIterator[None]:
    """Send metrics to the collector of the settings while the body runs, and at its end; without one do nothing.

    `meter` is that of the sessions which run here. `with_sessions` counts all sessions of the store, which reads each:
    for one of its processes. Raises UsageError for an address that is none, MissingExtra without the extra.
    """
    url = quaestor.settings.metrics
    if url is None:
        yield
        return
    calls, now = CallMetrics(), quaestor.clock.now
    target = open_metrics(url, os.environ, str(current_process()), now())
    if meter:
        meter.listener = calls.note

    async def export() -> None:
        if meter:
            await meter.read()
        sessions = await count_sessions(quaestor) if with_sessions else {}
        store = await show_workload(quaestor)
        age = (now() - store.oldest).total_seconds() if store.oldest else 0.0
        await target.send((*calls.read(), *_store_metrics(sessions, store, age)), now())

    exporting = asyncio.create_task(_repeat_export(export))
    exporting.add_done_callback(_report_defect)
    try:
        yield
    finally:
        exporting.cancel()
        await asyncio.gather(exporting, return_exceptions=True)
        with suppress(FollowerUnavailable, QuaestorError, TimeoutError):
            async with asyncio.timeout(_LAST_SECONDS):
                await export()
        await target.close()


async def _repeat_export(export: Callable[[], Awaitable[None]]) -> None:
    """Export again and again; a collector that does not take it is reported once for each reason."""
    reported = ""
    while True:
        reason = ""
        try:
            await export()
        except StoreUnavailable:
            pass  # which others report
        except (FollowerUnavailable, QuaestorError) as error:
            reason = str(error)
        if reason and reason != reported:
            _LOGGER.warning("metrics: %s", reason)
        reported = reason
        await asyncio.sleep(EXPORT_SECONDS)


def _report_defect(exporting: asyncio.Task[None]) -> None:
    """Log that no more metrics are sent, where a defect of the program is why; the sessions go on without them."""
    if not exporting.cancelled() and (defect := exporting.exception()):
        _LOGGER.error("metrics: none are sent any more; report this defect", exc_info=defect)


def _store_metrics(sessions: Mapping[str, int], store: Workload, age: float) -> Iterator[Metric]:
    by_status: Mapping[Attributes, float] = {
        frozenset({("quaestor.session.status", name)}): count for name, count in sessions.items()
    }
    workers = sum(each.since is not None for each in store.carriers)
    yield Metric("quaestor.sessions", "{session}", "gauge", by_status)
    yield Metric("quaestor.queue.sessions", "{session}", "gauge", {frozenset(): store.waiting})
    yield Metric("quaestor.queue.age", "s", "gauge", {frozenset(): age})
    yield Metric("quaestor.workers", "{worker}", "gauge", {frozenset(): workers})
