"""The public stream of sessions for many readers at once: read from the log in pages, by one look for all that wait."""

import asyncio
import re
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple, Self
from weakref import WeakValueDictionary

from typing_extensions import override

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.stream import StreamEvent
from quaestor.contracts.stream_view import StreamState, StreamView
from quaestor.runtime.log_folds import stream_fold
from quaestor.runtime.registry import get_plugin
from quaestor.runtime.session_reader import POLL_SECONDS
from quaestor.views.escaping import escape_hidden_json
from quaestor.views.stream_events import StreamEncoder

_PAGE_EVENTS = 250
"""Events of the log read at a time: the most that a slow reader makes this process hold."""
_READERS_A_TURN = 8
"""Who get a page in one turn of the event loop: other requests go on, however many read a long log at once."""
_SHARED_PAGES = 16
"""Pages kept for readers who are at the same place."""
_KNOWN_PLACES = 64
"""At which readers began, for the others who come back to them."""
_POSITION = re.compile(r"([0-9]{1,18})(?:\.([0-9]{1,9}))?")


class StreamPosition(Immutable):
    """A place in the stream: behind all that comes of event `seq`, or behind the first `part` of it."""

    seq: int = 0
    part: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a place as a client sends it back: `12`, or `12.1`. Raises UsageError for anything else."""
        found = _POSITION.fullmatch(text.strip())
        if found is None:
            raise UsageError(f"{text[:40]!r} is no place in a stream; send the id of the last event that you have seen")
        return cls(int(found[1]), int(found[2] or 0))

    @override
    def __str__(self) -> str:
        return f"{self.seq}.{self.part}" if self.part else str(self.seq)


class StreamItem(NamedTuple):
    """An event of the stream, and the place behind it; its JSON is made once for all readers."""

    position: StreamPosition
    event: StreamEvent
    json: str


class _Place(NamedTuple):
    """A place in a log that has so many events at the moment: a page at its end grows with it."""

    session_id: str
    seq: int
    events: int


class _Page(NamedTuple):
    """A part of a stream, and the place and the state behind it."""

    items: Sequence[StreamItem]
    seq: int
    known: StreamState


class StreamHub:
    """The streams of the sessions of a home. Every reader gets the same events in the same order."""

    def __init__(self, quaestor: Quaestor) -> None:
        self._quaestor = quaestor
        self._watches: dict[str, _Watch] = {}
        self._sought: OrderedDict[tuple[str, int], StreamState] = OrderedDict()
        self._pages: OrderedDict[_Place, asyncio.Task[_Page]] = OrderedDict()
        self._seeking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._turns = asyncio.Semaphore(_READERS_A_TURN)
        self._closed = False

    async def pages(
        self, session_id: str, after: StreamPosition, pulse_seconds: float
    ) -> AsyncIterator[Sequence[StreamItem]]:
        """Iterate over what comes behind a place, in pages; an empty page after `pulse_seconds` without an event.

        It ends when the session is finished and all of it was read.
        """
        begin = after.seq - 1 if after.part else after.seq
        view = get_plugin((await self._quaestor.session(session_id)).workflow).stream
        seq, known = await self._seek(session_id, max(begin, 0), view)
        while not self._closed:
            async with self._turns:
                session = await self._quaestor.session(session_id)  # before the log, so that nothing is missed
                page, seq, known = await self._shared(_Place(session_id, seq, session.events), known, view)
                await asyncio.sleep(0)  # so that the turn takes one of the loop's, in which few others have theirs
            if shown := [item for item in page if _is_behind(item.position, after)]:
                yield shown
            if seq < session.events:
                continue
            if session.outcome is not None:
                return
            if not await self.wait_for_news(session_id, session.events, pulse_seconds):
                yield ()

    @property
    def is_closed(self) -> bool:
        """Whether the streams are ended."""
        return self._closed

    async def read_page(self, session_id: str, after: int) -> Sequence[Event]:
        """Return the events of the log behind a number, as many as a reader may make this process hold."""
        return await self._quaestor.events(session_id, after, _PAGE_EVENTS)

    def close(self) -> None:
        """End all streams; their readers come back to whatever process serves them next."""
        self._closed = True
        for watch in self._watches.values():
            watch.close()

    async def _shared(self, place: "_Place", known: StreamState, view: StreamView) -> "_Page":
        """Return the page at a place; where many readers are, one reads it for all."""
        reading = self._pages.get(place)
        if reading is None:
            reading = self._pages[place] = asyncio.create_task(self._read(place.session_id, place.seq, known, view))
            if len(self._pages) > _SHARED_PAGES:
                self._pages.popitem(last=False)
        try:
            return await asyncio.shield(reading)
        finally:
            if reading.done() and (reading.cancelled() or reading.exception()):
                self._pages.pop(place, None)

    async def _seek(self, session_id: str, seq: int, view: StreamView) -> tuple[int, StreamState]:
        """Return the state behind an event, or at the end of a log that is shorter.

        Readers who look for places of one session come one after another, so that its log is read once for all.
        """
        async with self._seeking.setdefault(session_id, asyncio.Lock()):
            if there := self._sought.get((session_id, seq)):
                self._sought.move_to_end((session_id, seq))
                return seq, there
            at, known = await self._quaestor.fold_log(session_id, stream_fold(view), seq)
            self._sought[session_id, at] = known
            if len(self._sought) > _KNOWN_PLACES:
                self._sought.popitem(last=False)
            return at, known

    async def _read(self, session_id: str, seq: int, known: StreamState, view: StreamView) -> "_Page":
        items: list[StreamItem] = []
        encoder = StreamEncoder(view, known)
        for event in await self.read_page(session_id, seq):
            described = encoder.encode(event)
            items += (
                StreamItem(
                    StreamPosition(event.seq, part if part < len(described) else 0),
                    one,
                    escape_hidden_json(one.model_dump_json()),
                )
                for part, one in enumerate(described, 1)
            )
            seq = event.seq
        return _Page(items, seq, encoder.known)

    async def wait_for_news(self, session_id: str, seen: int, seconds: float) -> bool:
        """Wait until a session has more events than `seen`; False when that took longer than `seconds`."""
        watch = self._watches.get(session_id)
        if watch is None:
            watch = self._watches[session_id] = _Watch(self._quaestor, session_id, seen)
        try:
            return await watch.wait(seen, seconds)
        finally:
            if watch.is_idle and self._watches.get(session_id) is watch:
                del self._watches[session_id]
                watch.close()


def _is_behind(position: StreamPosition, after: StreamPosition) -> bool:
    """Return whether a reader who is at one place has still to see what is at another."""
    if position.seq != after.seq:
        return position.seq > after.seq
    return after.part > 0 and (position.part == 0 or position.part > after.part)


class _Watch:
    """The look at the number of events of one session, for all readers that wait."""

    def __init__(self, quaestor: Quaestor, session_id: str, count: int) -> None:
        self._quaestor = quaestor
        self._session_id = session_id
        self._count = count
        self._readers = 0
        self._changed = asyncio.Event()
        self._task = asyncio.create_task(self._poll())

    @property
    def is_idle(self) -> bool:
        """Whether nobody waits any more."""
        return self._readers == 0

    async def wait(self, seen: int, seconds: float) -> bool:
        """Wait until there are more events than a reader has seen; False when that took longer than `seconds`."""
        if self._count > seen or self._task.done():
            return True
        changed = self._changed
        self._readers += 1
        try:
            async with asyncio.timeout(seconds):
                await changed.wait()
        except TimeoutError:
            return False
        else:
            return True
        finally:
            self._readers -= 1

    def close(self) -> None:
        """Look no more, and let everybody who waits go."""
        self._task.cancel()
        self._changed.set()

    async def _poll(self) -> None:
        try:
            while True:
                count = (await self._quaestor.session(self._session_id)).events
                if count != self._count:
                    self._count = count
                    self._changed.set()
                    self._changed = asyncio.Event()
                await asyncio.sleep(POLL_SECONDS)
        except UnknownSession:  # it was erased; readers find that out themselves
            self._changed.set()
