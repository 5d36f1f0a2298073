"""Worker processes, each playing a machine of its own, and what they and the server use up."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bench.engines.candidates import CANDIDATES, Candidate
from bench.engines.sessions import Begin, read_begins

from fakes.postgres import Postgres
from quaestor.storage.postgres import PostgresStore, open_store

_TICKS = os.sysconf("SC_CLK_TCK")
_PATIENCE = 120


@dataclass(slots=True)
class Site:
    """A database of one cell, with the candidate that wakes its workers."""

    server: Postgres
    name: str
    url: str
    store: PostgresStore
    begins: Path
    workers: list["subprocess.Popen[bytes]"] = field(default_factory=list)

    @property
    def candidate(self) -> Candidate:
        return CANDIDATES[self.name]

    def start(self, count: int, seconds: float, places: int = 8) -> None:
        """Start so many workers, and wait until each is connected."""
        for _ in range(count):
            machine = f"machine{len(self.workers)}"
            given = (self.name, self.url, str(self.begins), str(seconds), machine, str(places))
            command = (sys.executable, str(Path(__file__).parent), "--carry", *given)
            self.workers.append(subprocess.Popen(command))
        self.until(lambda: self.connections() >= len(self.workers))

    def kill(self, place: int) -> None:
        """Kill a worker."""
        self.workers[place].kill()
        self.workers[place].wait()

    def connections(self) -> int:
        """Return the number of workers that have a connection."""
        query = f"SELECT count(DISTINCT application_name) FROM pg_stat_activity WHERE datname = '{self.database}'"  # noqa: S608
        return int(str(self.server.scalar(f"{query} AND application_name LIKE 'machine%'")))

    @property
    def database(self) -> str:
        """The name of its database."""
        return self.url.partition("@/")[2].partition("?")[0]

    def until(self, holds: Callable[[], bool], seconds: float = _PATIENCE) -> bool:
        """Wait until something holds; return whether it did in time."""
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
        return True

    def read(self) -> list[Begin]:
        """Return what was begun until now."""
        return read_begins(self.begins)

    def transactions(self) -> int:
        """Return how many transactions the database has had; statistics are late by up to a second."""
        query = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname"
        return int(str(self.server.scalar(f"{query} = '{self.database}'")))

    def server_cpu(self) -> float:
        """Return the seconds of CPU of the server with all that it started."""
        postmaster = self.server.process_id()
        children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
        return _cpu(postmaster, waited=True) + sum(_cpu(int(child)) for child in children)

    def worker_cpu(self) -> float:
        """Return the seconds of CPU of the workers."""
        return sum(_cpu(each.pid) for each in self.workers)

    def worker_memory(self) -> float:
        """Return the resident bytes of a worker, on average."""
        pages = [int(Path(f"/proc/{each.pid}/statm").read_text().split()[1]) for each in self.workers]
        return sum(pages) * os.sysconf("SC_PAGE_SIZE") / len(pages)


@contextmanager
def site(server: Postgres, name: str, number: int) -> Iterator[Site]:
    """Open a database of its own for a candidate, and end the workers at the end."""
    database = f"{name}{number}"
    server.run(f"CREATE DATABASE {database}")
    with tempfile.TemporaryDirectory() as folder:
        store = open_store(server.url(database))
        made = Site(server, name, server.url(database), store, Path(folder) / "begins")
        try:
            yield made
        finally:
            for each in made.workers:
                each.kill()
                each.wait()
            store._database.close()  # noqa: SLF001 -- outside of an event loop
            server.run(f"DROP DATABASE {database} WITH (FORCE)")


def _cpu(pid: int, *, waited: bool = False) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    own = int(fields[11]) + int(fields[12])
    return (own + (int(fields[13]) + int(fields[14]) if waited else 0)) / _TICKS
