"""What goes on beside the command until it ends or has too much of something."""

import os
import select
import signal
import time

from . import holdings
from .orders import Orders
from .scales import filled, weigh
from .traced import Traced

_SOON = 0.01
_SHARE = 20
"""Looking at something may take one part in so many of the time."""


class Due:
    """When to look at something again: soon at first, less often later, and seldom where a look takes long."""

    def __init__(self, calm: float) -> None:
        self.at = time.monotonic() + _SOON
        self._pause = _SOON
        self._calm = calm

    def done(self, began: float) -> None:
        """Put off the next look, after one that began then."""
        now = time.monotonic()
        self._pause = max(min(2 * self._pause, self._calm), _SHARE * (now - began))
        self.at = now + self._pause


class Watch:
    """Over one command and all it starts.

    `limit` is what it had too much of; `left` says that nobody waits for it any more.
    """

    def __init__(self, orders: Orders, traced: Traced, held: int) -> None:
        self.limit: str | None = None
        self.left = False
        self._orders = orders
        self._traced = traced
        self._folders = folders_of(orders)
        self._most_disk = max(orders.disk, held)
        self._deadline = time.monotonic() + orders.seconds
        self._memory = Due(calm=0.02)
        self._disk = Due(calm=0.25)

    def until_end(self) -> None:
        """Wait until the command has ended by itself, or has to."""
        woken = _woken_by_children()
        poll = select.poll()
        poll.register(woken, select.POLLIN)
        poll.register(self._orders.control, select.POLLIN)
        while self._goes_on():
            wait = min(self._deadline, self._memory.at, self._disk.at) - time.monotonic()
            ready = [descriptor for descriptor, _ in poll.poll(max(wait, 0) * 1000)]
            self.left = self._orders.control in ready
            if woken in ready:
                os.read(woken, select.PIPE_BUF)
            self._look(time.monotonic())

    def weigh_at_end(self) -> None:
        """See what the command has left behind."""
        if weigh(self._folders) > self._most_disk:
            self.limit = self.limit or "disk"

    def _goes_on(self) -> bool:
        if not self._traced.attend(self._orders.processes):
            self.limit = self.limit or "processes"
        return self._traced.status is None and not self.limit and not self.left

    def _look(self, now: float) -> None:
        if now >= self._deadline:
            self.limit = "time"
        elif now >= self._memory.at:
            kept = sum(filled(folder) for folder in self._orders.volatile)
            most = self._orders.memory - kept
            if holdings.memory(self._traced.processes, most) > most:
                self.limit = "memory"
            self._memory.done(now)
        elif now >= self._disk.at:
            if weigh(self._folders) + holdings.hidden(self._traced.processes, self._folders) > self._most_disk:
                self.limit = "disk"
            self._disk.done(now)


def folders_of(orders: Orders) -> list[str]:
    """Give the folders whose contents count."""
    return [orders.workspace, orders.scratch]


def _woken_by_children() -> int:
    """Give a descriptor that can be read when something has happened to a child."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    os.kill(os.getpid(), signal.SIGCHLD)
    return woken
