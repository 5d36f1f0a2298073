"""Snapshots of a session while a process carries it on: one is restored at the start, others are kept off its way."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Generic, Protocol, TypeVar

from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.kernel.run_state import RunState
from quaestor.runtime.fold_snapshots import SNAPSHOT_EVENTS, FoldSnapshots
from quaestor.runtime.log_folds import session_fold

S = TypeVar("S")

FINAL_EVENTS = 1_000
"""How many events the last run must have added for one at its end."""


class KeepMore(Protocol):
    """What takes more snapshots, as those of what readers show."""

    async def __call__(self, upto: int, *, is_last: bool) -> None:
        """Take them after an event, the last one of a run or not."""


async def _nothing_more(upto: int, *, is_last: bool) -> None:
    pass


class Snapshots(Generic[S]):
    """The snapshots of one session; without a cache there are none, and none of a state that has no form in JSON.

    Where one is taken, `also` is called with the number of its events, as for the snapshots of what readers show.
    """

    def __init__(
        self,
        session_id: str,
        store: Store,
        cache: SnapshotCache | None,
        plugin: WorkflowPlugin[S, Any],
        *,
        every: int = SNAPSHOT_EVENTS,
        also: KeepMore = _nothing_more,
    ) -> None:
        self._every = every
        self._snapshots = FoldSnapshots(session_id, session_fold(plugin), store, cache)
        self._is_kept = cache is not None
        self._also = also
        self._events = self._others = 0
        """Behind which events the last snapshots were taken: of the session, and by `also`."""
        self._folds: tuple[RunState, S] | None = None
        self._writing: asyncio.Task[None] | None = None

    async def load(self) -> tuple[RunState, S] | None:
        """Return the folds of the first events; None where no snapshot fits the log and this release."""
        found = await self._snapshots.load()
        if found is None or found[1][0].seq != found[0]:
            return None
        self._events, folds = found
        self._others = self._events
        return folds

    def note(self, run: RunState, state: S) -> None:
        """Note what the stored log is folded to by now; in time a snapshot is taken of it, while the run goes on."""
        self._folds = run, state
        if run.seq - self._others >= self._every and self._is_kept and self._writing is None:
            # A state is immutable, so it can be written while the run goes on with newer ones.
            self._writing = asyncio.create_task(self._keep(run, state))

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Take snapshots while the body notes folds, and one at its end where it is worth it."""
        try:
            yield
        finally:
            if self._writing:
                await self._writing
            match self._folds:
                case (run, state) if self._is_kept and run.seq - self._events >= FINAL_EVENTS:
                    await self._keep(run, state, is_last=True)
                case _:
                    pass

    async def _keep(self, run: RunState, state: S, *, is_last: bool = False) -> None:
        if is_last or self._snapshots.is_due(run.seq, self._events, self._every):
            await self._snapshots.keep(run.seq, (run, state))
            self._events = run.seq
        # What describes events to readers may be of another package: a defect in it is shown to them, and ends no run.
        await asyncio.gather(self._also(run.seq, is_last=is_last), return_exceptions=True)
        self._others = run.seq
        self._writing = None
