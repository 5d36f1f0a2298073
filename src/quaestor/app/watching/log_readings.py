"""What was read of logs for all who look: each event once, and no request waits longer than it wants to."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Reading(Generic[T]):
    """What was read of one log, and the task that reads on for everybody who looks."""

    value: T
    task: asyncio.Task[None] | None = None


class LogReadings(Generic[T]):
    """The readings of the sessions that were looked at last, at most so many."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._known: OrderedDict[str, _Reading[T]] = OrderedDict()

    async def read(
        self,
        session_id: str,
        begin: Callable[[], T],
        read_on: Callable[[T], Coroutine[Any, Any, None]],
        patience: float | None = None,
    ) -> tuple[T, bool]:
        """Return what was read of a session, and whether that is all, after `patience` seconds at most.

        `read_on` changes what `begin` made in place, event by event, and goes on when nobody waits for it any more.
        """
        if session_id not in self._known:
            self._known[session_id] = _Reading(begin())
        reading = self._known[session_id]
        self._known.move_to_end(session_id)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        if reading.task is None or reading.task.done():
            reading.task = asyncio.create_task(read_on(reading.value))
            # Whoever waits for it raises what failed; where nobody does any more, the next look tries again.
            reading.task.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        task = reading.task
        await asyncio.wait((task,), timeout=patience)
        if task.done():
            task.result()  # what failed is raised
        return reading.value, task.done()

    def forget(self, session_id: str) -> None:
        """Keep nothing of a session that was erased."""
        self._known.pop(session_id, None)
