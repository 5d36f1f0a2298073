"""Carrying a session on while its events are shown, until it ends or somebody says stop."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from quaestor.app import Quaestor
from quaestor.contracts.event import Event
from quaestor.contracts.result import Result
from quaestor.faces.cli.output import write_stderr
from quaestor.runtime.sessions import POLL_SECONDS

EventHandler = Callable[[Event], None]

_PAGE_SIZE = 1_000
"""Events that are read at once."""

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)


async def run_session(
    quaestor: Quaestor, session_id: str, show: EventHandler, after: int, stop: asyncio.Event | None = None
) -> Result:
    """Carry a session on and show every event with a number above `after`; give where the session stands then.

    The first signal sets `stop`, which asks the run to pause; a second one ends it at once, which raises
    CancelledError. A run that is at its end anyway is not paused any more.
    """
    stop = stop or asyncio.Event()
    running = asyncio.create_task(quaestor.run(session_id, stop, write_stderr))
    with _stop_on_signal(running, stop):
        try:
            ended = False
            while not ended:
                ended = running.done()  # asked before the last look, so that nothing is missed
                while events := await quaestor.events(session_id, after, _PAGE_SIZE):
                    for event in events:
                        show(event)
                    after = events[-1].seq
                    await asyncio.sleep(0)  # the run goes on, however long the log is
                await asyncio.wait((running,), timeout=POLL_SECONDS)
            return running.result()
        finally:
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)


@contextmanager
def immediate_interrupt() -> Iterator[None]:
    """Let a signal raise KeyboardInterrupt where the program stands, also in work that does not yield to the loop."""
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
