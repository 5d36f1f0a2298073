"""Politeness: one page of a host at a time, and a pause between two."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from quaestor.contracts.errors import ToolFailed


class Turn:
    """The turns at one host: who has it may ask the host, as often as one page needs."""

    def __init__(self, pause: float) -> None:
        self.pause = pause
        """Seconds from the end of a turn to the start of the next."""
        self.not_before = 0.0
        """When the next turn may start, on the clock of the event loop."""
        self.free = asyncio.Lock()

    def hold(self, seconds: float) -> None:
        """Let no turn start for so long."""
        self.not_before = max(self.not_before, asyncio.get_running_loop().time() + seconds)


class Turns:
    """Gives turns at hosts, in the order they were asked for. It belongs to the event loop it is first used in."""

    def __init__(self, pause: float, longest_wait: float) -> None:
        self._pause = pause
        self._longest_wait = longest_wait
        self._turns: dict[str, Turn] = {}

    @asynccontextmanager
    async def at(self, host: str) -> AsyncIterator[Turn]:
        """Wait for a turn at a host. Raises ToolFailed when it does not come within the longest wait."""
        clock = asyncio.get_running_loop()
        turn = self._turns.setdefault(host, Turn(self._pause))
        latest = clock.time() + self._longest_wait
        try:
            async with asyncio.timeout_at(latest):
                await turn.free.acquire()
        except TimeoutError as error:
            raise ToolFailed(f"other pages of {host} took {self._longest_wait:g} s; fetch it later") from error
        try:
            if turn.not_before > latest:
                raise ToolFailed(f"{host} asks for a pause of {turn.not_before - clock.time():.0f} s; fetch it later")
            await asyncio.sleep(max(0.0, turn.not_before - clock.time()))
            yield turn
        finally:
            turn.hold(turn.pause)
            turn.free.release()
