"""How fast an API may be asked: requests in flight, the interval between them, and pauses it asks for."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from quaestor.contracts.immutable import Immutable
from quaestor.contracts.model import Provider
from quaestor.http.errors import SlotTimeout

_SECONDS_PER_MINUTE = 60


class RateLimit(Immutable, kw_only=True):
    """The limits of one API. All times are in seconds."""

    min_interval: float = 0.0
    """From the start of one request to the start of the next."""
    in_flight: int = 4
    """Requests at the same time."""
    backoff_seconds: float = 0.5
    """Before the first retry; each later retry waits twice as long."""
    timeout_seconds: float = 15.0
    """For one request, from its turn to the last byte of its response."""

    @classmethod
    def of_provider(cls, provider: Provider, default_timeout: float) -> Self:
        """Return the limits from the settings of a provider of models."""
        return cls(
            min_interval=_SECONDS_PER_MINUTE / provider.per_minute if provider.per_minute else 0.0,
            in_flight=provider.in_flight,
            backoff_seconds=provider.backoff_seconds,
            timeout_seconds=provider.seconds or default_timeout,
        )


class Throttle:
    """A throttle that starts requests in the order they were made, within limits on concurrency and rate.

    It belongs to the event loop it is first used in, whose clock it reads.
    """

    def __init__(self, in_flight: int, min_interval: float = 0.0) -> None:
        self._semaphore = asyncio.Semaphore(in_flight)
        self._min_interval = min_interval
        self._ready_at = 0.0

    @asynccontextmanager
    async def slot(self, max_wait: float | None = None, max_pause: float | None = None) -> AsyncIterator[None]:
        """Wait until a request may start, and hold its place during the block.

        Raises SlotTimeout when that takes, or is known to take, more than `max_wait` seconds, and when a pause lasts
        for more than `max_pause` seconds.
        """
        clock = asyncio.get_running_loop()
        deadline = None if max_wait is None else clock.time() + max_wait
        try:
            async with asyncio.timeout_at(deadline):
                await self._semaphore.acquire()
        except TimeoutError as error:
            raise SlotTimeout(None) from error
        try:
            # A loop, because another request may have extended the pause while this one slept.
            while (wait := self._ready_at - clock.time()) > 0:
                late = deadline is not None and self._ready_at > deadline
                if late or (max_pause is not None and wait > max_pause):
                    raise SlotTimeout(wait)
                await asyncio.sleep(wait)
            self._ready_at = clock.time() + self._min_interval
            yield
        finally:
            self._semaphore.release()

    def widen(self) -> None:
        """Let one more request be in flight from now on."""
        self._semaphore.release()

    def pause_for(self, seconds: float) -> None:
        """Delay the start of every request for so many seconds; a longer pause in effect is kept."""
        self._ready_at = max(self._ready_at, asyncio.get_running_loop().time() + seconds)
