"""What a face shows of a running session: descriptions of its events, its stream, and its progress."""

import asyncio
from collections.abc import AsyncIterator

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import SetupError
from quaestor.contracts.event import Event, Paused
from quaestor.contracts.result import Result
from quaestor.runtime.live_state import live_fold
from quaestor.runtime.log_folds import stream_fold
from quaestor.runtime.progress import ProgressState, ProgressTracker, build_narrator
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.session_reader import POLL_SECONDS
from quaestor.runtime.system import SystemClock
from quaestor.views.event_description import Describe, description_lines
from quaestor.views.stream_events import StreamEncoder

__all__ = [
    "Describe",
    "ProgressTracker",
    "StreamEncoder",
    "build_narrator",
    "description_lines",
    "encode_behind",
    "follow_run",
    "follow_until_rest",
    "require_setup",
    "track_behind",
    "track_progress",
]

_PAGE_SIZE = 1_000
"""Events read at a time."""
_HANDOVER_SECONDS = 2
"""How long an unfinished session may be without a holder before it counts as interrupted."""


async def encode_behind(quaestor: Quaestor, session_id: str, after: int) -> StreamEncoder:
    """Return an encoder of the events of a session behind a number."""
    view = get_plugin((await quaestor.session(session_id)).workflow).stream
    _, known = await quaestor.fold_log(session_id, stream_fold(view), after)
    return StreamEncoder(view, known)


def track_progress(workflow: str, known: ProgressState | None = None) -> ProgressTracker | None:
    """Return what follows the progress of a session of a workflow; None for one that has no live view."""
    live_view = get_plugin(workflow).live_view
    return ProgressTracker(live_view(), build_narrator(workflow), SystemClock(), known) if live_view else None


async def track_behind(quaestor: Quaestor, session_id: str, after: int) -> ProgressTracker | None:
    """Return what follows the progress of a session behind an event; None for a workflow that has no live view."""
    plugin = get_plugin((await quaestor.session(session_id)).workflow)
    if plugin.live_view is None:
        return None
    _, live = await quaestor.fold_log(session_id, live_fold(plugin), after)
    return track_progress(plugin.workflow.name, live.progress)


async def follow_run(
    quaestor: Quaestor, session_id: str, after: int, running: asyncio.Task[Result]
) -> AsyncIterator[Event]:
    """Yield the events above `after` as a task of this process appends them, until the task is done."""
    ended = False
    while not ended:
        ended = running.done()  # asked before the last look, so that nothing is missed
        while events := await quaestor.events(session_id, after, _PAGE_SIZE):
            for event in events:
                yield event
            after = events[-1].seq
            await asyncio.sleep(0)  # keeps the run responsive, however long the log is
        await asyncio.wait((running,), timeout=POLL_SECONDS)


async def follow_until_rest(quaestor: Quaestor, session_id: str, after: int) -> AsyncIterator[Event]:
    """Yield the events above `after` as another process appends them, until the session rests or its process ended."""
    alone, rests = 0.0, False
    while not rests:
        rests = await _is_at_rest(quaestor, session_id, alone)  # asked before the last look, so that nothing is missed
        async for event in quaestor.read_events(session_id, after):
            yield event
            after = event.seq
        alone = 0.0 if await quaestor.holder(session_id) else alone + POLL_SECONDS
        await asyncio.sleep(0 if rests else POLL_SECONDS)


async def require_setup(quaestor: Quaestor, session_id: str) -> None:
    """Raise the SetupError that made the run of a session pause, if one did."""
    paused = await quaestor.latest(session_id, {"paused"})
    if paused and isinstance(paused.payload, Paused) and paused.payload.kind == "setup":
        raise SetupError(paused.payload.reason)


async def _is_at_rest(quaestor: Quaestor, session_id: str, alone: float) -> bool:
    """Return whether no process runs a session; one that is just changing its holder gets a moment."""
    if await quaestor.holder(session_id):
        return False
    return alone >= _HANDOVER_SECONDS or (await quaestor.status(session_id)).state not in {
        "queued",
        "interrupted",
        "running",
    }
