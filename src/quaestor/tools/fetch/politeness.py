"""How pages are fetched: how long, how much, how often."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from quaestor.contracts.errors import ToolFailed
from quaestor.http.errors import SlotTimeout
from quaestor.http.limits import Throttle
from quaestor.version import __version__

USER_AGENT_NAME = "quaestor"
"""The product name that a robots.txt can name."""


@dataclass(frozen=True, slots=True)
class FetchPolicy:
    """The limits of a fetch. The defaults are the documented ones; tests and operators may want others."""

    timeout_seconds: float = 30
    """For one page, from its turn over its robots.txt, all redirects and retries to its last byte."""
    max_wait_seconds: float = 80
    """For a turn at a host that other pages of the same run are fetched from."""
    max_bytes: int = 10_000_000
    """Of one page, compressed or not."""
    max_redirects: int = 5
    max_retries: int = 2
    """Of a page whose server is busy."""
    pause_seconds: float = 1
    """Between two pages of one host."""
    max_pause_seconds: float = 10
    """The longest pause between two pages that a robots.txt may ask for."""
    obey_robots: bool = True
    """Whether to keep to what a robots.txt asks."""
    contact: str = ""
    """An address or URL where the owner of a site can complain, sent in `User-Agent`."""

    @property
    def user_agent(self) -> str:
        """Return the value of `User-Agent`."""
        return f"{USER_AGENT_NAME}/{__version__}" + (f" (+{self.contact})" if self.contact else "")


class HostSlot:
    """The turn of one page at a host; its holder may ask the host as often as the page needs."""

    def __init__(self, throttle: Throttle, pause: float) -> None:
        self._throttle = throttle
        self.pause = pause
        """Seconds from the end of this turn to the start of the next."""

    def delay(self, seconds: float) -> None:
        """Let no turn at this host start for so many seconds."""
        self._throttle.pause_for(seconds)


class HostThrottle:
    """Grants turns at hosts, one at a time each, in the order of the requests.

    It belongs to the event loop it is first used in.
    """

    def __init__(self, pause: float, max_wait: float) -> None:
        self._pause = pause
        self._max_wait = max_wait
        self._throttles: dict[str, Throttle] = {}

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[HostSlot]:
        """Wait for a turn at a host. Raises ToolFailed when it does not come within the longest wait."""
        throttle = self._throttles.setdefault(host, Throttle(in_flight=1))
        slot = HostSlot(throttle, self._pause)
        try:
            async with throttle.slot(self._max_wait):
                try:
                    yield slot
                finally:
                    slot.delay(slot.pause)
        except SlotTimeout as error:
            if error.pause is None:
                raise ToolFailed(f"other pages of {host} took {self._max_wait:g} s; fetch it later") from error
            raise ToolFailed(f"{host} asks for a pause of {error.pause:.0f} s; fetch it later") from error
