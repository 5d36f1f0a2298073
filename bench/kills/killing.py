"""What a trial finds, and how a process is killed again and again."""

import os
import random
import signal
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from fakes.children import ended, fork, repeated
from quaestor.contracts.base import Contract
from quaestor.contracts.event import Event


class Found(Contract):
    """What was counted in trials: all but the first should be none."""

    kills: int = 0
    lost: int = 0
    """Acknowledged events that are not in the log at the end, or not as they were."""
    repeated: int = 0
    """Answered calls that were made again, and side effects that happened twice."""
    different: int = 0
    """Reports, files and accounts that are others than without a kill, and trials that came to no end."""

    def __add__(self, other: "Found") -> "Found":
        return Found(
            kills=self.kills + other.kills,
            lost=self.lost + other.lost,
            repeated=self.repeated + other.repeated,
            different=self.different + other.different,
        )


class Kind(Protocol):
    """A kind of work that is killed."""

    def __call__(self, folder: Path, chance: random.Random) -> Found:
        """Begin one session or several in an empty folder, kill what runs them, let them end, and count."""


def killed(
    work: Callable[[], Coroutine[None, None, object]], chance: random.Random, kills: int, longest: float
) -> Iterator[None]:
    """Run a coroutine in one process after the other, each killed within `longest` seconds; yield behind each kill.

    It ends with the process that ended before it was killed.
    """
    for _ in range(kills):
        pid = fork(work)
        time.sleep(chance.uniform(0.01, longest))
        os.kill(pid, signal.SIGKILL)
        if ended(pid) != -signal.SIGKILL:
            return
        yield


class Witness:
    """Sees a log from time to time, and counts what is missing later."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._acknowledged = events
        self._lost = 0
        self._kills = 0

    def look(self, events: Sequence[Event]) -> None:
        """Compare a log behind a kill with what was seen of it before."""
        self._kills += 1
        self._compare(events)

    def count(self, final: Sequence[Event], *, is_same: bool, twice: int = 0) -> Found:
        """Count what a finished session has lost, and what it did again; `twice`: side effects that happened twice."""
        self._compare(final)
        cycles = {event.cycle for event in final}
        again = [name for one in cycles for name in repeated([e for e in final if e.cycle == one], self._kills)]
        return Found(kills=self._kills, lost=self._lost, repeated=len(again) + twice, different=0 if is_same else 1)

    def _compare(self, events: Sequence[Event]) -> None:
        behind = [*events[: len(self._acknowledged)], *([None] * (len(self._acknowledged) - len(events)))]
        self._lost += sum(one != other for one, other in zip(self._acknowledged, behind, strict=True))
        self._acknowledged = events
