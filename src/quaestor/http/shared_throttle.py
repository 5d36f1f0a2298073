"""A throttle over the limits that all processes of a store share."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress

from quaestor.contracts.errors import QuaestorError
from quaestor.contracts.limits import ProviderSlot, SharedLimits
from quaestor.contracts.model import Provider
from quaestor.http.errors import SlotTimeout

_SECONDS_A_MINUTE = 60
_LOOK_SECONDS = 1.0
"""How old may be what is known of a pause: a provider without limits costs one query a second, not one a request."""
_SLOT_POLL_SECONDS = 0.2
_SLOT_MARGIN_SECONDS = 10.0
"""How much longer a slot is held than its request may last, before others count it as given back."""


class SharedThrottle:
    """The throttle of one provider: a request starts when all processes together stay within its limits.

    A store that does not answer stops no request: the limits of the process remain.
    """

    def __init__(self, limits: SharedLimits, name: str, provider: Provider) -> None:
        self._limits = limits
        self._name = name
        self._per_minute = provider.per_minute
        self._tokens_per_minute = provider.tokens_per_minute
        self._in_flight = provider.shared_in_flight
        self._looked_at = float("-inf")
        self._paused_until = 0.0
        self._under_way: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def slot(self, max_wait: float, seconds: float) -> AsyncIterator[None]:
        """Wait until a request may start, and hold its place during the block, of at most so many seconds.

        Raises SlotTimeout where it may not start within `max_wait` seconds.
        """
        slot: ProviderSlot | None = None
        with suppress(QuaestorError):
            if self._in_flight:
                # Held also while the turn is waited for, so both times count.
                slot = await self._take_slot(self._in_flight, max_wait, seconds + max_wait)
        try:
            await self._wait_for_turn(max_wait)
            yield
        finally:
            if slot:
                with suppress(QuaestorError):
                    await self._limits.release_slot(slot)

    def charge(self, tokens: int) -> None:
        """Count the tokens of a reply."""
        if self._tokens_per_minute:
            self._begin(self._limits.charge(self._name, tokens * _SECONDS_A_MINUTE / self._tokens_per_minute))

    def pause_for(self, seconds: float) -> None:
        """Delay the start of every request of every process for so many seconds."""
        self._begin(self._limits.pause(self._name, seconds))

    async def close(self) -> None:
        """Wait for what is still being written."""
        await asyncio.gather(*self._under_way)

    async def _take_slot(self, most: int, max_wait: float, seconds: float) -> ProviderSlot:
        try:
            async with asyncio.timeout(max_wait):
                while True:
                    slot = await self._limits.take_slot(self._name, most, seconds + _SLOT_MARGIN_SECONDS)
                    if slot:
                        return slot
                    await asyncio.sleep(_SLOT_POLL_SECONDS)
        except TimeoutError as error:
            raise SlotTimeout(None) from error

    async def _wait_for_turn(self, max_wait: float) -> None:
        wait = 0.0
        with suppress(QuaestorError):
            if self._per_minute or self._tokens_per_minute:
                spacing = _SECONDS_A_MINUTE / self._per_minute if self._per_minute else 0.0
                wait = await self._limits.admit(self._name, spacing, max_wait)
            else:
                wait = await self._look_for_pause()
        if wait > max_wait:
            raise SlotTimeout(wait)
        if wait > 0:
            await asyncio.sleep(wait)

    async def _look_for_pause(self) -> float:
        now = asyncio.get_running_loop().time()
        if now - self._looked_at >= _LOOK_SECONDS:
            # Noted before the store answers, so that requests which come meanwhile do not ask it too.
            self._looked_at = now
            self._paused_until = now + await self._limits.paused_for(self._name)
        return max(self._paused_until - now, 0.0)

    def _begin(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(_without_errors(work))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)


async def _without_errors(work: Coroutine[None, None, None]) -> None:
    with suppress(QuaestorError):
        await work
