"""Processes that are started and killed, and what a log must have kept of them."""

import asyncio
import gc
import os
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from typing import NoReturn

from quaestor.contracts.event import Event, ModelRequested, ModelResponded, ToolRequested, ToolResponded

_LONG = 300
"""Seconds after which a test is given up."""


def die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("killed")


def fork(work: Callable[[], Coroutine[None, None, object]]) -> int:
    """Run a coroutine in a child process; return its process id. The child's exit code is 0, or 1 for an error."""
    with warnings.catch_warnings():  # of other threads: a process of pytest-xdist has one, which the child needs not
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        gc.freeze()  # a collection would touch, and so copy, every page of this process
        code = 1
        try:
            asyncio.run(work())
            code = 0
        except Exception:  # noqa: BLE001 -- what goes wrong in a child is shown with the test that waits for it
            traceback.print_exc()
            sys.stderr.flush()
        finally:
            os._exit(code)
    return pid


def ended(pid: int) -> int:
    """Wait for a child; return its exit code, or minus the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def until(holds: Callable[[], object], pause: float = 0.005) -> None:
    """Wait until something holds, seconds from one look to the next; only a thing that never comes ends it."""
    deadline = time.monotonic() + _LONG
    while not holds():
        assert time.monotonic() < deadline, "it did not come to that"
        time.sleep(pause)


def check_kept(acknowledged: Sequence[Event], final: Sequence[Event], kills: int) -> None:
    """Nothing acknowledged is lost, nothing finished is done again, little in flight is repeated."""
    assert list(final[: len(acknowledged)]) == list(acknowledged)
    assert repeated(final, kills) == []


def repeated(events: Sequence[Event], kills: int) -> Sequence[str]:
    """Return the calls of a log that were begun again when they were answered, or more often than so many kills allow.

    Keys are those of one cycle.
    """
    asked: Counter[str] = Counter()
    answered: set[str] = set()
    open_now: set[str] = set()
    again: list[str] = []
    for event in events:
        match event.payload:
            case ModelRequested(key=key, attempt=attempt):
                name = f"{key}#{attempt}"
            case ToolRequested(key=key):
                name = key
            case ModelResponded(key=key) | ToolResponded(key=key):
                answered |= {name for name in open_now if name.partition("#")[0] == key}
                open_now -= answered
                continue
            case _:
                continue
        again += [name] if name in answered else []
        asked[name] += 1
        open_now.add(name)
    return [*again, *(name for name, count in asked.items() if count > kills + 1)]
