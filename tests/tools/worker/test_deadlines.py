"""Deadlines of blocks, kept by one thread."""

import threading
import time
from collections.abc import Callable
from threading import Event

from quaestor.tools.worker.deadlines import Deadlines, deadlines

SECONDS = 30


def watchers() -> int:
    return sum(thread.name == "deadlines" for thread in threading.enumerate())


class Calls:
    """Calls that were made, in their order; the last one ends the wait."""

    def __init__(self, last: str) -> None:
        self.made: list[str] = []
        self._last = last
        self._ended = Event()

    def named(self, name: str) -> Callable[[], None]:
        def call() -> None:
            self.made.append(name)
            if name == self._last:
                self._ended.set()

        return call

    def wait(self) -> None:
        assert self._ended.wait(SECONDS)


def test_a_block_that_takes_too_long_is_told_once_and_one_that_ends_in_time_never() -> None:
    kept, calls = Deadlines(), Calls(last="late")
    with kept.within(0.05, calls.named("in time")):
        pass
    with kept.within(0.05, calls.named("late")):
        calls.wait()
        time.sleep(0.2)
    assert calls.made == ["late"]


def test_deadlines_come_in_their_order_whatever_the_order_in_which_they_are_set() -> None:
    kept, calls, before = Deadlines(), Calls(last="last"), watchers()
    with kept.within(0.8, calls.named("last")):
        time.sleep(0.1)  # the thread waits for the last one
        with (
            kept.within(SECONDS, calls.named("never")),
            kept.within(0.1, calls.named("first")),
            kept.within(0.3, calls.named("second")),
        ):
            assert watchers() <= before + 1
            calls.wait()
    assert calls.made == ["first", "second", "last"]


def test_what_a_deadline_starts_keeps_no_other_waiting() -> None:
    kept, slow, ended = Deadlines(), Event(), Event()
    with kept.within(0.05, lambda: slow.wait(SECONDS)), kept.within(0.1, ended.set):
        assert ended.wait(SECONDS / 2)
    slow.set()


def test_a_deadline_is_kept_after_the_thread_of_earlier_ones_has_ended() -> None:
    kept = Deadlines()
    for _ in range(3):
        called = Event()
        with kept.within(0.05, called.set):
            assert called.wait(SECONDS)


def test_many_blocks_have_one_thread() -> None:
    before = watchers()
    kept = Deadlines()
    for _ in range(100):
        with kept.within(SECONDS, lambda: None):
            pass
    assert watchers() <= before + 1
    assert deadlines() is deadlines()
