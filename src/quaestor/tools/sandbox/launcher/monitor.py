"""The monitor of a running command, which ends it when it exceeds a limit."""

import os
import select
import signal
import time

from . import usage
from .confine import LauncherOptions
from .process_tracer import ProcessTracer
from .usage import disk_usage, filesystem_usage

_FIRST_DELAY_SECONDS = 0.01
_POLL_COST_RATIO = 20
"""Looking at something may take one part in so many of the time."""


class PollSchedule:
    """When to look at something again: soon at first, less often later, and seldom where a look takes long."""

    def __init__(self, calm: float) -> None:
        self.at = time.monotonic() + _FIRST_DELAY_SECONDS
        self._pause = _FIRST_DELAY_SECONDS
        self._max_pause = calm

    def done(self, began: float) -> None:
        """Put off the next look, after one that began then."""
        now = time.monotonic()
        self._pause = max(min(2 * self._pause, self._max_pause), _POLL_COST_RATIO * (now - began))
        self.at = now + self._pause


class ResourceMonitor:
    """Over one command and all it starts.

    `limit` is what it had too much of; `left` says that nobody waits for it any more.
    """

    def __init__(self, orders: LauncherOptions, traced: ProcessTracer, held: int) -> None:
        self.limit: str | None = None
        self.left = False
        self._orders = orders
        self._traced = traced
        self._folders = counted_folders(orders)
        # A workspace that is over the limit already may stay as it is, but not grow.
        self._max_disk = max(orders.disk, held)
        self._deadline = time.monotonic() + orders.seconds
        self._memory = PollSchedule(calm=0.02)
        self._disk = PollSchedule(calm=0.25)

    def run_until_end(self) -> None:
        """Wait until the command has ended by itself, or has to."""
        woken = _child_wakeup_pipe()
        poll = select.poll()
        poll.register(woken, select.POLLIN)
        poll.register(self._orders.control, select.POLLIN)
        while self._should_continue():
            wait = min(self._deadline, self._memory.at, self._disk.at) - time.monotonic()
            ready = [descriptor for descriptor, _ in poll.poll(max(wait, 0) * 1000)]
            self.left = self._orders.control in ready
            if woken in ready:
                os.read(woken, select.PIPE_BUF)
            self._check_limits(time.monotonic())

    def check_final_disk_usage(self) -> None:
        """Measure what the command has left behind."""
        if disk_usage(self._folders) > self._max_disk:
            self.limit = self.limit or "disk"

    def _should_continue(self) -> bool:
        if not self._traced.handle_events(self._orders.processes):
            self.limit = self.limit or "processes"
        self.limit = self.limit or self._traced.limit
        return self._traced.status is None and not self.limit and not self.left

    def _check_limits(self, now: float) -> None:
        if now >= self._deadline:
            self.limit = "time"
        elif now >= self._memory.at:
            kept = sum(filesystem_usage(folder) for folder in self._orders.volatile)
            # A file in a folder that is kept in memory takes as much of it as a process would.
            most = self._orders.memory - kept
            if usage.memory_usage(self._traced.processes, most) > most:
                self.limit = "memory"
            self._memory.done(now)
        elif now >= self._disk.at:
            if (
                disk_usage(self._folders) + usage.deleted_file_usage(self._traced.processes, self._folders)
                > self._max_disk
            ):
                self.limit = "disk"
            elif usage.maps_shared_zeros(self._traced.processes):
                self.limit = "memory"
            self._disk.done(now)


def counted_folders(orders: LauncherOptions) -> list[str]:
    """Return the folders whose contents count."""
    return [orders.workspace, orders.scratch]


def _child_wakeup_pipe() -> int:
    """Return a descriptor that can be read when something has happened to a child."""
    woken, wakes = os.pipe()
    os.set_blocking(wakes, False)
    signal.set_wakeup_fd(wakes, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    # Something may have happened before the handler was there; this makes sure of a first look.
    os.kill(os.getpid(), signal.SIGCHLD)
    return woken
