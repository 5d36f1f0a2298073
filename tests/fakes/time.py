"""Clocks that a test moves, ids that it knows, and a loop in which nobody waits."""

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import ParamSpec

from typing_extensions import override

P = ParamSpec("P")

_STILL = 0.01
"""Seconds in which what is under way between sockets of one process arrives."""


class _Selector(selectors.DefaultSelector):
    """Waits a moment at most, and counts what it did not wait."""

    def __init__(self) -> None:
        super().__init__()
        self.skipped = 0.0

    @override
    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None or timeout <= _STILL:
            return super().select(timeout)
        found = super().select(_STILL)
        if not found:
            self.skipped += timeout - _STILL
        return found


class SkippingLoop(asyncio.SelectorEventLoop):
    """A loop whose time jumps to the next deadline while nothing happens, so that it is exact and costs none.

    Nothing in it may wait for another thread or process: its time would run away from them.
    """

    def __init__(self) -> None:
        self._waiting = _Selector()
        super().__init__(self._waiting)

    @override
    def time(self) -> float:
        return super().time() + self._waiting.skipped

    @override
    async def shutdown_default_executor(self, timeout: float | None = None) -> None:
        """Wait for the threads without a limit, as Python 3.12 and later set one that would have passed at once."""
        await super().shutdown_default_executor()


def in_no_time(test: Callable[P, Coroutine[None, None, None]]) -> Callable[P, None]:
    """Run a test in a loop of its own that skips every wait."""

    @functools.wraps(test)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        with asyncio.Runner(loop_factory=SkippingLoop) as runner:
            runner.run(test(*args, **kwargs))

    return run


class ManualClock:
    """A clock that a test moves by hand; every look moves it `tick` milliseconds, so that times are distinct."""

    def __init__(self, tick: int = 1) -> None:
        self._now = datetime(2026, 1, 1, tzinfo=UTC)
        self._tick = timedelta(milliseconds=tick)

    def now(self) -> datetime:
        self._now += self._tick
        return self._now

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
