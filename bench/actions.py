"""What an action costs where sessions are kept: in SQLite, and in Postgres over its socket.

    python bench/actions.py

A research session runs without a model, five times in each store, which has a process of its own: its actions
compute and wait for nobody, so that what is left is the program. An action is a model call or a tool call with what
follows from it; it has an intent and an outcome in the log. Round trips are statements that the program waited for. CPU
of the server is that of all its processes. A claim is the question of a worker, once a second, for sessions that nobody
runs. What Postgres commits is on the disk.
"""

import os
import resource
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from fakes.children import ended, fork
from fakes.papers import QUESTION, write_papers
from fakes.postgres import DURABLE_SETTINGS, Postgres, _server
from quaestor.app import Quaestor, open_home
from quaestor.contracts.event import ModelResponded, ToolResponded

SESSIONS, CLAIMS = 5, 1_000


def count_round_trips() -> Callable[[], int]:
    """Count the statements of this process from now on; return what reads the count."""
    counted = 0

    def counting(name: str) -> None:
        plain = getattr(psycopg.Cursor, name)

        def call(*arguments: Any, **options: Any) -> object:  # noqa: ANN401 -- whatever psycopg takes
            nonlocal counted
            counted += 1
            return plain(*arguments, **options)

        setattr(psycopg.Cursor, name, call)

    counting("execute")
    counting("executemany")
    return lambda: counted


def server_seconds(server: Postgres | None) -> float:
    """Return the CPU seconds of all processes of a server, those that have ended too (Linux)."""
    if server is None:
        return 0.0
    first = (server.folder / "data" / "postmaster.pid").read_text().split()[0]
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended
            pid, fields = status.parent.name, status.read_text().rpartition(") ")[2].split()
            if pid == first:
                ticks += sum(map(int, fields[11:15]))  # with those of ended children
            elif fields[1] == first:
                ticks += sum(map(int, fields[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def research(q: Quaestor, folder: Path, asked: str) -> tuple[int, int]:
    """Run sessions; return how many events and actions they have."""
    corpus = await q.index([folder / "papers"])
    events = actions = 0
    for number in range(SESSIONS):
        session = await q.start(f"{QUESTION} And {asked} {number}?", corpus)
        await q.run(session)
        log = await q.events(session)
        events += len(log)
        actions += sum(isinstance(event.payload, ModelResponded | ToolResponded) for event in log)
    return events, actions


async def measure(name: str, folder: Path, server: Postgres | None) -> None:
    trips = count_round_trips()
    async with open_home(folder / name, effort="low") as q:
        await research(q, folder, "first")  # so that imports and plans of the server are paid
        began, cpu, known, waited = time.perf_counter(), time.process_time(), server_seconds(server), trips()
        events, actions = await research(q, folder, "then")
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        waited = trips() - waited
        used, known = server_seconds(server) - known, server_seconds(server)
        for _ in range(CLAIMS if server else 0):
            await q.store.runnable_sessions(8, q.clock.now())
        claimed = (server_seconds(server) - known) / CLAIMS
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:8} {actions} actions, {events} events: {cpu / actions * 1e3:.1f} ms of CPU an action, "
        f"{used / actions * 1e3:.1f} ms of the server, {waited / actions:.1f} round trips, "
        f"{seconds / actions * 1e3:.1f} ms; {peak:.0f} MB",
        flush=True,
    )
    if server:
        size = server.scalar("SELECT pg_total_relation_size('actions.events') / count(*) FROM actions.events")
        print(f"a claim is {claimed * 1e3:.2f} ms of the server, an event {size} bytes of it", flush=True)


def main() -> None:
    server = _server(DURABLE_SETTINGS)
    if isinstance(server, str):
        raise SystemExit(server)
    with TemporaryDirectory() as place:
        folder = Path(place)
        write_papers(folder)
        assert ended(fork(lambda: measure("SQLite", folder, None))) == 0
        os.environ["QUAESTOR_STORE"] = server.schema("actions")
        assert ended(fork(lambda: measure("Postgres", folder, server))) == 0


if __name__ == "__main__":
    main()
