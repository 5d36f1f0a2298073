"""The public stream of a whole log."""

from collections.abc import Iterable, Iterator

from quaestor.contracts.event import Event
from quaestor.contracts.stream import StreamEvent
from quaestor.contracts.stream_view import StreamView
from quaestor.views.stream_events import StreamEncoder


def stream_session(events: Iterable[Event], after: int = 0, *, view: StreamView) -> Iterator[StreamEvent]:
    """Return the stream of a session. `events` begin with the first; those up to number `after` are only folded."""
    encoder = StreamEncoder(view)
    for event in events:
        streamed = encoder.encode(event)
        if event.seq > after:
            yield from streamed
