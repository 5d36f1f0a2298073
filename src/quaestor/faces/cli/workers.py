"""The commands that run the sessions of a store, and show who does."""

import asyncio
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.dispatch import Dispatcher
from quaestor.app.text import count_noun, format_timestamp
from quaestor.app.worker import SessionWorker
from quaestor.app.workers import show_workload
from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import Json
from quaestor.faces.cli.output import write_json, write_stderr, write_table
from quaestor.faces.cli.params import Home

_HEADERS = ("PROCESS", "SESSIONS", "LEASE UNTIL", "FIRST")


async def worker(
    *,
    sessions: Annotated[int, Parameter(help="Sessions to run at once.")] = 8,
    home: Home = None,
) -> int:
    """Run the sessions of a store that nobody runs, until a signal comes.

    Start as many, on as many machines, as you like. Sessions of a worker that died are taken over. A signal pauses what
    runs within the grace period, for others to carry on.
    """
    if sessions < 1:
        raise UsageError("--sessions is at least 1")
    stop = asyncio.Event()
    async with open_home(home) as quaestor:
        carrying = SessionWorker(quaestor, sessions)
        with stop_on_signal(stop.set):
            write_stderr(f"runs {count_noun(sessions, 'session')} at once; Ctrl-C pauses them and ends")
            try:
                await Dispatcher(quaestor, carrying, sessions).run(stop)
            finally:
                await carrying.close()
    return 0


async def workers(*, json: Json = False, home: Home = None) -> int:
    """List the processes that run sessions, and count the sessions that wait for one."""
    async with open_home(home) as quaestor:
        load = await show_workload(quaestor)
    if json:
        write_json(load)
        return 0
    rows = [
        (each.process, str(len(each.sessions)), format_timestamp(each.until), each.sessions[0])
        for each in load.carriers
    ]
    write_table((_HEADERS, *rows))
    since = f", the oldest since {format_timestamp(load.oldest)}" if load.oldest else ""
    write_stderr(f"{count_noun(load.waiting, 'session')} waiting for a worker{since}")
    return 0


@contextmanager
def stop_on_signal(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function at SIGINT and SIGTERM."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    with suppress(NotImplementedError):  # Windows: there the process ends at once, which is as safe
        for number in numbers:
            loop.add_signal_handler(number, stop)
    try:
        yield
    finally:
        with suppress(NotImplementedError):
            for number in numbers:
                loop.remove_signal_handler(number)
