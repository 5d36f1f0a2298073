"""Limits over time: requests a minute for each caller, and how late the event loop is."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable

_MAX_CALLERS = 10_000
_SAMPLE_SECONDS = 0.5


class RateLimiter:
    """A token bucket for each caller; it holds the requests of one minute, and fills steadily."""

    def __init__(self, a_minute: int, now: Callable[[], float]) -> None:
        self._capacity = float(a_minute)
        self._now = now
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """By caller: what is left, and when that was counted; who came last is at the end."""

    def seconds_to_wait(self, caller: str) -> float:
        """Count a request of a caller; return 0, or after how many seconds it may come again."""
        now = self._now()
        left, counted_at = self._buckets.pop(caller, (self._capacity, now))
        left = min(self._capacity, left + (now - counted_at) * self._capacity / 60)
        allowed = left >= 1
        self._buckets[caller] = (left - 1 if allowed else left, now)
        if len(self._buckets) > _MAX_CALLERS:
            self._buckets.popitem(last=False)
        return 0 if allowed else (1 - left) * 60 / self._capacity


class LoopLag:
    """How late the event loop wakes a task: the worst of the last sample and now."""

    def __init__(self) -> None:
        self.seconds = 0.0

    async def measure(self) -> None:
        """Measure until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            begun = loop.time()
            await asyncio.sleep(_SAMPLE_SECONDS)
            self.seconds = max(0.0, loop.time() - begun - _SAMPLE_SECONDS)
