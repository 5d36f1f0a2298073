"""The commands that run the sessions of a store, and show who does."""

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated

from cyclopts import Parameter

from quaestor.app import open_home
from quaestor.app.text import count_noun, format_timestamp
from quaestor.app.workers.fleet import Carrier, drain_workers, show_workload, wait_until_empty
from quaestor.app.workers.worker_process import leaving_hung_folder, work
from quaestor.contracts.errors import SharedFolderHangs, UsageError
from quaestor.contracts.terminal import Json
from quaestor.faces.cli.output import write_json, write_stderr, write_stdout, write_table
from quaestor.faces.cli.params import Home

_HEADERS = ("PROCESS", "STATE", "SESSIONS", "SINCE", "AN HOUR", "LEASE UNTIL", "FIRST")


async def worker(
    *,
    sessions: Annotated[int, Parameter(help="Sessions to run at once.")] = 8,
    home: Home = None,
) -> int:
    """Run the sessions of a store that nobody runs, until a signal comes or `quaestor drain`.

    Start as many, on as many machines, as you like. Sessions of a worker that died are taken over. At its end it pauses
    what runs within the grace period, for others to carry on.
    """
    if sessions < 1:
        raise UsageError("--sessions is at least 1")
    stop = asyncio.Event()
    async with open_home(home) as quaestor:
        with stop_on_signal(stop.set), leaving_hung_folder(quaestor.settings, _leave):
            write_stderr(f"runs {count_noun(sessions, 'session')} at once; Ctrl-C pauses them and ends")
            await work(quaestor, sessions, stop)
    return 0


def _leave(error: SharedFolderHangs) -> None:
    """End the process without its threads, which wait for a folder that does not answer."""
    write_stderr(f"quaestor: {error}")
    os._exit(error.exit_code)


async def workers(*, json: Json = False, home: Home = None) -> int:
    """List the processes that run sessions, and count the sessions that wait for one."""
    async with open_home(home) as quaestor:
        load = await show_workload(quaestor)
    if json:
        write_json(load)
        return 0
    write_table((_HEADERS, *map(_row, load.carriers)))
    since = f", the oldest since {format_timestamp(load.oldest)}" if load.oldest else ""
    write_stderr(f"{count_noun(load.waiting, 'session')} waiting for a worker{since}")
    return 0


def _row(each: Carrier) -> tuple[str, ...]:
    return (
        each.process,
        each.state,
        f"{len(each.sessions)}/{each.places}" if each.places else str(len(each.sessions)),
        format_timestamp(each.since) if each.since else "-",
        f"{each.hourly:g}" if each.since else "-",
        format_timestamp(each.until) if each.until else "-",
        each.sessions[0] if each.sessions else "-",
    )


async def drain(
    *,
    process: Annotated[str | None, Parameter(help="One worker, as `quaestor workers` names it.")] = None,
    wait: Annotated[bool, Parameter(negative="--no-wait", help="Return when they have ended.")] = True,
    home: Home = None,
) -> int:
    """Empty this machine: its workers begin nothing more, pause what runs for others to carry on, and end."""
    async with open_home(home) as quaestor:
        drained = await drain_workers(quaestor, process)
        for name in drained:
            write_stdout(f"{name}\n")
        if wait:
            await wait_until_empty(quaestor, drained)
    write_stderr(f"{count_noun(len(drained), 'worker')} drained" if wait else "they end when what runs is paused")
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
