"""How pages are fetched: how long, how much, how often."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from quaestor.contracts.errors import ToolFailed
from quaestor.version import __version__

USER_AGENT_NAME = "quaestor"
"""The product name that a robots.txt can name."""


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """The limits of a fetch. The defaults are those that are documented; tests and operators may want others."""

    seconds: float = 30
    """For one page, from when it is its turn, over its robots.txt, all redirects and retries, to its last byte."""
    max_wait_seconds: float = 80
    """For a turn at a host that other pages of the same run are fetched from."""
    max_bytes: int = 10_000_000
    """Of one page, packed or unpacked."""
    max_redirects: int = 5
    retries: int = 2
    """Of a page whose server is busy."""
    pause_seconds: float = 1
    """Between two pages of one host."""
    max_pause_seconds: float = 10
    """However long a robots.txt asks to wait between two pages."""
    robots: bool = True
    """Whether to keep to what a robots.txt asks."""
    contact: str = ""
    """Where the owner of a site can complain: an address or a URL, sent in `User-Agent`."""

    @property
    def user_agent(self) -> str:
        """Give what `User-Agent` says."""
        return f"{USER_AGENT_NAME}/{__version__}" + (f" (+{self.contact})" if self.contact else "")


class HostSlot:
    """The turns at one host: who has it may ask the host, as often as one page needs."""

    def __init__(self, pause: float) -> None:
        self.pause = pause
        """Seconds from the end of a turn to the start of the next."""
        self.not_before = 0.0
        """When the next turn may start, on the clock of the event loop."""
        self.line_start = asyncio.Lock()

    def hold(self, seconds: float) -> None:
        """Let no turn start for so long."""
        self.not_before = max(self.not_before, asyncio.get_running_loop().time() + seconds)


class HostThrottle:
    """Gives turns at hosts, in the order they were asked for. It belongs to the event loop it is first used in."""

    def __init__(self, pause: float, longest_wait: float) -> None:
        self._pause = pause
        self._longest_wait = longest_wait
        self._turns: dict[str, HostSlot] = {}

    @asynccontextmanager
    async def at(self, host: str) -> AsyncIterator[HostSlot]:
        """Wait for a turn at a host. Raises ToolFailed when it does not come within the longest wait."""
        clock = asyncio.get_running_loop()
        turn = self._turns.setdefault(host, HostSlot(self._pause))
        latest = clock.time() + self._longest_wait
        try:
            async with asyncio.timeout_at(latest):
                await turn.line_start.acquire()
        except TimeoutError as error:
            raise ToolFailed(f"other pages of {host} took {self._longest_wait:g} s; fetch it later") from error
        try:
            if turn.not_before > latest:
                raise ToolFailed(f"{host} asks for a pause of {turn.not_before - clock.time():.0f} s; fetch it later")
            await asyncio.sleep(max(0.0, turn.not_before - clock.time()))
            yield turn
        finally:
            turn.hold(turn.pause)
            turn.line_start.release()
