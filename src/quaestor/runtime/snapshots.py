"""Snapshots of a session while a process carries it on: one is restored at the start, others are kept off its way.

A log stays the truth: a snapshot counts only where the log has the event, with its hash, behind which it was taken,
and where this release with this schema of the state has folded it. Any other is ignored, and replaced in time.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from functools import cached_property
from typing import Any, Generic, TypeVar, get_type_hints

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.plugin import WorkflowPlugin
from quaestor.contracts.ports import SnapshotCache, Store
from quaestor.contracts.snapshot import Snapshot
from quaestor.kernel.run_state import RunState
from quaestor.kernel.state_codec import StateCodec, UnreadableStateError, UnsupportedStateError
from quaestor.runtime.registry import TodoWorkflows
from quaestor.version import __version__

S = TypeVar("S")

SNAPSHOT_EVENTS = 10_000
"""After how many events the next snapshot is taken: as many are folded again at most, in about a second."""
FINAL_EVENTS = 1_000
"""How many events the last run must have added for one at its end."""


class Snapshots(Generic[S]):
    """The snapshots of one session; without a cache there are none, and none of a state that has no form in JSON."""

    def __init__(
        self,
        session_id: str,
        store: Store,
        cache: SnapshotCache | None,
        plugin: WorkflowPlugin[S, Any],
        every: int = SNAPSHOT_EVENTS,
    ) -> None:
        self._session_id = session_id
        self._every = every
        self._store = store
        self._cache = cache
        self._plugin = plugin
        self._events = 0
        self._folds: tuple[RunState, S] | None = None
        self._writing: asyncio.Task[None] | None = None

    @cached_property
    def _codec(self) -> StateCodec[S]:
        """The codec, built at its first use: short sessions need none."""
        workflow = self._plugin.workflow
        others = _todo_run_types() if self._plugin.with_todos else ()
        return StateCodec(_returned_type(type(workflow).apply), workflow.begin(), others)

    @cached_property
    def _fold(self) -> str:
        return f"{__version__} {self._codec.digest}"

    async def load(self) -> tuple[RunState, S] | None:
        """Return the folds of the first events; None where no snapshot fits the log and this release."""
        found = await self._cache.snapshot(self._session_id) if self._cache else None
        if found is None or found.fold != self._fold or await self._hash_of(found.events) != found.head:
            return None
        try:
            run, state = await asyncio.to_thread(self._codec.decode, found.state)
        except UnreadableStateError:
            return None
        self._events = found.events
        return (run, state) if run.seq == found.events else None

    def note(self, run: RunState, state: S) -> None:
        """Note what the stored log is folded to by now; in time a snapshot is taken of it, while the run goes on."""
        self._folds = run, state
        if run.seq - self._events >= self._every and self._cache and self._writing is None:
            self._writing = asyncio.create_task(self._keep(self._cache, run, state))

    @asynccontextmanager
    async def kept(self) -> AsyncIterator[None]:
        """Take snapshots while the body notes folds, and one at its end where it is worth it."""
        try:
            yield
        finally:
            if self._writing:
                await self._writing
            match self._folds:
                case (run, state) if self._cache and run.seq - self._events >= FINAL_EVENTS:
                    await self._keep(self._cache, run, state)
                case _:
                    pass

    async def _keep(self, cache: SnapshotCache, run: RunState, state: S) -> None:
        """Put a snapshot into the cache; what is in the way of that is in the way of nothing else."""
        with suppress(UnsupportedStateError, QuaestorError):
            head = await self._hash_of(run.seq)
            text = await asyncio.to_thread(self._codec.encode, run, state)
            if head:
                await cache.put_snapshot(
                    Snapshot(session_id=self._session_id, events=run.seq, head=head, fold=self._fold, state=text)
                )
        self._events = run.seq
        self._writing = None

    async def _hash_of(self, number: int) -> str | None:
        """Return the hash of an event in the log; None when the log has none of this number."""
        links = await self._store.links(self._session_id, number - 1, 1)
        return links[0].hash if links and links[0].seq == number else None


def _todo_run_types() -> Iterable[object]:
    """Return the types of the runs of todos that other workflows carry out."""
    return [_returned_type(plugin.as_todo.start) for plugin in TodoWorkflows().plugins() if plugin.as_todo]


def _returned_type(function: Callable[..., object]) -> object:
    """Return the type that a function is annotated to return; None where it says nothing that can be read."""
    try:
        return get_type_hints(function).get("return")
    except (NameError, TypeError, AttributeError):
        return None
