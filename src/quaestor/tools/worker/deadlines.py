"""What is done when something takes too long, by one thread for a whole process.

A thread for each deadline is started twice as long as a page is read, in a process whose other threads are busy.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Condition, Thread


class Deadlines:
    """A thread that starts what has come due; it ends when it wakes up and nothing is awaited any more."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._awaited: dict[object, tuple[float, Callable[[], object]]] = {}
        self._wakes_at = math.inf
        """Of the thread, on the monotonic clock; infinite where none runs."""

    @contextmanager
    def within(self, seconds: float, late: Callable[[], object]) -> Iterator[None]:
        """Call `late` from another thread, once, if the block has not ended after `seconds`."""
        due, block = time.monotonic() + seconds, object()
        with self._changed:
            self._awaited[block] = due, late
            if due < self._wakes_at:
                self._wake_by(due)
        try:
            yield
        finally:
            with self._changed:
                self._awaited.pop(block, None)

    def _wake_by(self, due: float) -> None:
        is_running = self._wakes_at < math.inf
        self._wakes_at = due
        if is_running:
            self._changed.notify()
        else:
            Thread(target=self._watch, name="deadlines", daemon=True).start()

    def _watch(self) -> None:
        wakes_again = True
        while wakes_again:
            late, wakes_again = self._wait()
            for call in late:  # each may take its time, and others come due meanwhile
                Thread(target=call, daemon=True).start()

    def _wait(self) -> tuple[list[Callable[[], object]], bool]:
        """Return what is late, and whether this thread has anything else to wait for."""
        with self._changed:
            self._changed.wait(self._wakes_at - time.monotonic())
            now = time.monotonic()
            late = [block for block, (due, _) in self._awaited.items() if due <= now]
            calls = [self._awaited.pop(block)[1] for block in late]
            self._wakes_at = min((due for due, _ in self._awaited.values()), default=math.inf)
            return calls, bool(self._awaited)


def deadlines() -> Deadlines:
    """Return the deadlines of this process; one that was forked has its own."""
    return _of_process(os.getpid())


@cache
def _of_process(_: int) -> Deadlines:
    return Deadlines()
