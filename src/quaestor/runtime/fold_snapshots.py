"""The snapshots of what a log is folded to: whoever reads on begins at the nearest, not at the first event.

A log stays the truth: a snapshot counts only where the log has the event, with its hash, behind which it was taken,
and where this release with this schema of the state has folded it. Any other is ignored, and replaced in time.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Generic, TypeVar

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.event import Event
from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.contracts.snapshot import Snapshot
from quaestor.kernel.state_codec import UnreadableStateError, UnsupportedStateError
from quaestor.runtime.log_folds import LogFold

T = TypeVar("T")

SNAPSHOT_EVENTS = 2_500
"""After how many events the next snapshot is taken: as many are folded again at most, in some 60 ms of CPU."""
_SNAPSHOT_CHARACTERS = 250_000
"""Of a state that is written as often; one of so many times the size is written as many times less often."""
PLACE_EVENTS = 1_000
"""Events between the places in the middle of a log that readers seek."""


class FoldSnapshots(Generic[T]):
    """The snapshots of one fold of one session; without a cache there are none."""

    def __init__(self, session_id: str, fold: LogFold[T], store: Store, cache: SnapshotCache | None) -> None:
        self._session_id = session_id
        self._fold = fold
        self._store = store
        self._cache = cache
        self.size = 0
        """Characters of the last one that was written or read."""

    async def load(self, upto: int | None = None) -> tuple[int, T] | None:
        """Return the newest state after at most `upto` events, and their number; None where none fits."""
        found = await self._cache.snapshot(self._session_id, self._fold.name, upto) if self._cache else None
        if found is None or found.fold != self._fold.digest or await self._hash_of(found.events) != found.head:
            return None
        try:
            state = await asyncio.to_thread(self._fold.codec.decode, found.state)
        except UnreadableStateError:
            return None
        self.size = len(found.state)
        return found.events, state

    async def keep(self, seq: int, state: T) -> None:
        """Put a state into the cache; what is in the way of that is in the way of nothing else."""
        if self._cache is None:
            return
        with suppress(UnsupportedStateError, QuaestorError):
            head = await self._hash_of(seq)
            text = await asyncio.to_thread(self._fold.codec.encode, state)
            self.size = len(text)
            if head:
                taken = Snapshot(
                    session_id=self._session_id,
                    name=self._fold.name,
                    events=seq,
                    head=head,
                    fold=self._fold.digest,
                    state=text,
                )
                await self._cache.put_snapshot(taken, beside=self._fold.has_places)

    def is_due(self, seq: int, since: int, every: int = SNAPSHOT_EVENTS) -> bool:
        """Return whether a snapshot after an event is worth its writing, where the last one is behind `since`."""
        return seq - since >= every * max(1, self.size // _SNAPSHOT_CHARACTERS)

    async def _hash_of(self, number: int) -> str | None:
        """Return the hash of an event in the log; None when the log has none of this number."""
        links = await self._store.links(self._session_id, number - 1, 1)
        return links[0].hash if links and links[0].seq == number else None


class Folding(Generic[T]):
    """One fold on its way through one log, from the nearest snapshot on; it leaves snapshots behind."""

    def __init__(self, session_id: str, fold: LogFold[T], store: Store, cache: SnapshotCache | None) -> None:
        self._fold = fold
        self._snapshots = FoldSnapshots(session_id, fold, store, cache)
        self._kept = 0
        self.seq = 0
        self.state = fold.begin()

    async def begin(self, upto: int | None = None) -> None:
        """Begin at the newest snapshot after at most `upto` events."""
        if found := await self._snapshots.load(upto):
            self.begin_at(*found)

    def begin_at(self, seq: int, state: T) -> None:
        """Begin with a state that is known, after an event."""
        self.seq, self.state, self._kept = seq, state, seq

    async def take(self, page: Sequence[Event]) -> None:
        """Take the next events into account, as far as they are new."""
        for event in page:
            if event.seq <= self.seq:
                continue
            self.state, self.seq = self._fold.apply(self.state, event), event.seq
            if self._fold.has_places and event.seq % PLACE_EVENTS == 0:
                await self._snapshots.keep(self.seq, self.state)

    async def end_run(self, *, is_last: bool) -> None:
        """Take a snapshot in the middle of a run, or at its end."""
        await self.end(1 if is_last else self._fold.run_events)

    async def end(self, every: int = SNAPSHOT_EVENTS) -> None:
        """Take a snapshot at the end of a way that was long."""
        if not self._fold.has_places and self._snapshots.is_due(self.seq, self._kept, every):
            await self._snapshots.keep(self.seq, self.state)
            self._kept = self.seq
