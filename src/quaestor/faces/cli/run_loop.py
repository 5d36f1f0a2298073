"""Runs a session and shows its events, until it ends or a signal stops it."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from quaestor.app import Quaestor
from quaestor.app.watching import follow_run
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result
from quaestor.faces.cli.output import write_stderr

EventHandler = Callable[[Event], None]

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def run_session(
    quaestor: Quaestor, session_id: str, show: EventHandler, after: int, stop: asyncio.Event | None = None
) -> Result:
    """Carry a session on and show every event with a number above `after`; return where the session is then.

    The first signal sets `stop`, which asks the run to pause; a second one raises CancelledError. A run that is about
    to end is not paused any more.
    """
    stop = stop or asyncio.Event()
    running = asyncio.create_task(quaestor.run(session_id, stop, write_stderr))
    with _stop_on_signal(running, stop):
        try:
            async for event in follow_run(quaestor, session_id, after, running):
                show(event)
            return running.result()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@contextmanager
def immediate_interrupt() -> Iterator[None]:
    """Make a signal raise KeyboardInterrupt at once, also in work that does not yield to the loop."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in _STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _stop_on_signal(running: asyncio.Task[Result], stop: asyncio.Event) -> Iterator[None]:
    def interrupt() -> None:
        if stop.is_set():
            running.cancel()
        stop.set()

    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError):  # Windows: there Ctrl-C ends the run at once, which is as safe
        for number in _STOP_SIGNALS:
            loop.add_signal_handler(number, interrupt)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in _STOP_SIGNALS:
                loop.remove_signal_handler(number)
