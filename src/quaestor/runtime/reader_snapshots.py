"""Snapshots of what readers show of a session, taken by the process that runs it: nobody then folds a long log."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.runtime.fold_snapshots import Folding
from quaestor.runtime.log_folds import RUN_FOLD, SPEND_FOLD, LogFold, panel_fold, stream_fold

# Few runs are long enough for a snapshot; what describes every event is imported for those alone.
_live_fold: Callable[[WorkflowPlugin[Any, Any]], LogFold[Any]] = deferred("quaestor.runtime.live_state:live_fold")
_PAGE_EVENTS = 50
"""Read at a time; the run goes on between two pages."""


def reader_folds(plugin: WorkflowPlugin[Any, Any]) -> Sequence[LogFold[Any]]:
    """Return the folds that every reader of a session needs: its run, its spend, its stream and its pages."""
    panels = (panel_fold(plugin.panels),) if plugin.panels else ()
    return RUN_FOLD, SPEND_FOLD, stream_fold(plugin.stream), _live_fold(plugin), *panels


class ReaderSnapshots:
    """The snapshots of one session for its readers: of what every reader needs, and of what `more` returns."""

    def __init__(
        self,
        session_id: str,
        plugin: WorkflowPlugin[Any, Any],
        store: Store,
        cache: SnapshotCache | None,
        more: Callable[[], Sequence[LogFold[Any]]] = tuple,
    ) -> None:
        self._session_id = session_id
        self._plugin = plugin
        self._store = store
        self._cache = cache
        self._more = more
        self._is_begun = False

    @cached_property
    def _foldings(self) -> Sequence[Folding[Any]]:
        folds = (*reader_folds(self._plugin), *self._more())
        return [Folding(self._session_id, fold, self._store, self._cache) for fold in folds]

    async def keep(self, upto: int, *, is_last: bool = True) -> None:
        """Take a snapshot of each after an event, the last one of a run or not; what stops it stops nothing else."""
        with suppress(QuaestorError):
            if not self._is_begun:
                for folding in self._foldings:
                    await folding.begin(upto)
                self._is_begun = True
            after = min(folding.seq for folding in self._foldings)
            while after < upto:
                page = await self._store.events(self._session_id, after, min(_PAGE_EVENTS, upto - after))
                events = [self._plugin.codec.decode(event) for event in page]
                for folding in self._foldings:
                    await folding.take(events)
                after = page[-1].seq
                await asyncio.sleep(0)
            for folding in self._foldings:
                await folding.end_run(is_last=is_last)
