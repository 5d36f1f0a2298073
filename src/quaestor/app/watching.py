"""What a face shows of a session while it goes on: its events in words, its stream, and its progress."""

from collections.abc import Iterable

from quaestor.contracts.event import Event
from quaestor.contracts.stream import StreamEvent
from quaestor.runtime.narration import build_narrator
from quaestor.runtime.progress import ProgressTracker
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.system import SystemClock
from quaestor.views.event_description import Describe, description_lines
from quaestor.views.stream_events import stream_events
from quaestor.views.stream_state import StreamState, fold_stream

__all__ = ["Describe", "ProgressTracker", "StreamEncoder", "build_narrator", "description_lines", "track_progress"]


class StreamEncoder:
    """Turns the events of a session into those of its stream, one by one."""

    def __init__(self, past: Iterable[Event] = ()) -> None:
        self._known = StreamState()
        for event in past:
            self._known = fold_stream(self._known, event)

    def encode(self, event: Event) -> tuple[StreamEvent, ...]:
        """Return what the stream says of the next event."""
        streamed = stream_events(self._known, event)
        self._known = fold_stream(self._known, event)
        return streamed


def track_progress(workflow: str) -> ProgressTracker | None:
    """Return what follows the progress of a session of a workflow; None for one that has no live view."""
    view = get_plugin(workflow).live_view
    return ProgressTracker(view, build_narrator(workflow), SystemClock()) if view else None
