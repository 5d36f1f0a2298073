"""Workers of one Postgres store through every failure: all sessions end as if nothing had been, nothing is done twice.

Each worker is a process that plays a machine of its own. What was acknowledged is noted again and again while it runs.
"""

import asyncio
import os
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
import yaml

from fakes.children import check_kept, ended, fork, until
from fakes.network import ADDRESS, PORT, Network, network
from fakes.papers import QUESTION, write_papers
from fakes.postgres import Postgres
from fakes.sittings import PLANNED
from quaestor.app import home, open_home
from quaestor.app.verification import verify_session
from quaestor.app.workers import dispatch, worker_process
from quaestor.contracts.event import Resumed
from quaestor.research.contracts.brief import ResearchDocument

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="processes are forked"),
    pytest.mark.xdist_group("postgres"),
]
LEASE_SECONDS = 2
PLACES = 8
_PATIENCE = 3_600
"""So long that only a thing that never comes ends it."""
_SLOW = [{"latency": 0.4, "times": 999}]
_BY_NETWORK = f"postgresql://postgres@{ADDRESS}:{PORT}/postgres?options=-csearch_path%3Dhome"


@dataclass
class Fleet:
    """Workers over one store, and what they have acknowledged."""

    server: Postgres
    folder: Path
    sessions: Sequence[str]
    undisturbed: str
    workers: list[int] = field(default_factory=list)
    acknowledged: set[tuple[str, int, str]] = field(default_factory=set)
    kills: int = 0

    def start(self, way: Network | None = None, skew: float = 0) -> int:
        """Start a worker, as of a machine that has another way to the server, or whose clock is wrong."""
        machine = self.folder / f"machine{len(self.workers) + self.kills}"

        async def work() -> None:
            if way:
                way.enter()
                os.environ["QUAESTOR_STORE"] = _BY_NETWORK
            vars(home)["SystemClock"] = lambda: Skewed(skew)
            for module in (dispatch, worker_process):
                vars(module)["is_alive"] = lambda _: None  # as of processes on other machines
            async with open_home(machine) as q:
                await worker_process.work(q, PLACES, asyncio.Event())

        self.workers.append(fork(work))
        return self.workers[-1]

    def kill(self, worker: int) -> None:
        """Kill a worker, also one that is suspended."""
        os.kill(worker, signal.SIGKILL)
        ended(worker)
        self.workers.remove(worker)
        self.kills += 1

    def begin_more(self, count: int) -> None:
        """Begin more sessions beside those that there are."""
        self.sessions = [*self.sessions, *asyncio.run(start_sessions(self.folder, count, len(self.sessions)))]

    def note(self) -> int:
        """Note what is acknowledged now; return how many sessions have ended."""
        with psycopg.connect(self.server.url(), autocommit=True) as connection:
            rows = connection.execute("SELECT id, events, head, outcome FROM home.sessions").fetchall()
        self.acknowledged |= {(name, events, head) for name, events, head, _ in rows}
        return sum(outcome is not None for *_, outcome in rows)

    def is_done(self) -> bool:
        with suppress(psycopg.OperationalError):
            return self.note() == len(self.sessions)
        return False

    def wait(self, seconds: float = _PATIENCE) -> bool:
        """Wait until every session has ended, or for so many seconds; return whether each has."""
        deadline = time.monotonic() + seconds
        while not self.is_done():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.3)
        return True

    def wait_for_progress(self) -> None:
        """Wait until some sessions are well under way."""
        most = len(self.sessions) * 12
        deadline = time.monotonic() + _PATIENCE
        while self._events() < most:
            assert time.monotonic() < deadline
            time.sleep(0.2)

    def held_by(self, worker: int) -> set[str]:
        """Return the sessions that a worker runs."""
        with psycopg.connect(self.server.url(), autocommit=True) as connection:
            held = "SELECT session_id FROM home.leases WHERE pid = %s AND expires_at > '1971'"
            rows = connection.execute(held, (worker,)).fetchall()
        return {name for (name,) in rows}

    def end(self) -> None:
        for worker in tuple(self.workers):
            self.kill(worker)

    def _events(self) -> int:
        return int(str(self.server.scalar("SELECT sum(events) FROM home.sessions")))


class Skewed:
    """A clock that is wrong by so many seconds."""

    def __init__(self, seconds: float) -> None:
        self._skew = timedelta(seconds=seconds)

    def now(self) -> datetime:
        return datetime.now(UTC) + self._skew


def kill_one(fleet: Fleet) -> None:
    fleet.kill(fleet.workers[0])


def kill_again_and_again(fleet: Fleet) -> None:
    for _ in range(3):
        fleet.kill(fleet.workers[0])
        fleet.start()
        time.sleep(0.7)
        fleet.note()


def restart_the_server(fleet: Fleet) -> None:
    fleet.server.crash()
    time.sleep(1)
    fleet.server.start()


def end_every_connection(fleet: Fleet) -> None:
    for _ in range(3):
        fleet.server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quaestor'")
        time.sleep(0.3)


def use_up_every_connection(fleet: Fleet) -> None:
    held: list[psycopg.Connection[tuple[object, ...]]] = []
    with psycopg.connect(fleet.server.url(), autocommit=True) as ending:
        with suppress(psycopg.OperationalError):
            while True:
                held.append(psycopg.connect(fleet.server.url()))
        ending.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'quaestor'")
        with suppress(psycopg.OperationalError):
            while True:
                held.append(psycopg.connect(fleet.server.url()))
        time.sleep(LEASE_SECONDS + 2)
    for connection in held:
        connection.close()


def suspend_past_the_lease(fleet: Fleet) -> None:
    os.kill(fleet.workers[0], signal.SIGSTOP)
    time.sleep(LEASE_SECONDS + 3)
    fleet.note()
    os.kill(fleet.workers[0], signal.SIGCONT)


FAILURES: Sequence[Callable[[Fleet], None]] = (
    kill_one,
    kill_again_and_again,
    restart_the_server,
    end_every_connection,
    use_up_every_connection,
    suspend_past_the_lease,
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a folder and the report of its session that nobody disturbed; what that imports is shared by workers."""
    folder = tmp_path_factory.mktemp("chaos")

    async def run() -> tuple[Path, str]:
        [alone] = await start_sessions(folder, 1)
        async with open_home(folder / "begun") as q:
            assert (await q.run(alone)).outcome == "done"
            return folder, normalized(await q.report(alone))

    return asyncio.run(run())


@pytest.fixture
def begin(
    postgres: Postgres, undisturbed: tuple[Path, str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], Fleet]]:
    """Return what begins a fleet of so many sessions, without workers."""
    monkeypatch.setenv("QUAESTOR_STORE", postgres.home())
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", str(LEASE_SECONDS))
    fleets: list[Fleet] = []
    folder, report = undisturbed

    def make(count: int) -> Fleet:
        fleets.append(Fleet(postgres, folder, asyncio.run(start_sessions(folder, count)), report))
        return fleets[-1]

    yield make
    for fleet in fleets:
        fleet.end()


@pytest.mark.parametrize("fail", FAILURES)
@pytest.mark.soak
def test_all_sessions_end_as_if_nothing_had_been(begin: Callable[[int], Fleet], fail: Callable[[Fleet], None]) -> None:
    fleet = begin(20)
    for _ in range(2):
        fleet.start()
    fleet.wait_for_progress()
    fail(fleet)
    check(fleet)


@pytest.mark.skipif(sys.platform != "linux", reason="namespaces are of Linux")
@pytest.mark.parametrize(
    ("count", "notices"),
    [(1, False), pytest.param(20, False, marks=pytest.mark.soak), pytest.param(20, True, marks=pytest.mark.soak)],
)
def test_a_machine_that_was_cut_off_is_replaced_and_works_again(
    begin: Callable[[int], Fleet], count: int, notices: bool
) -> None:
    """`notices`: the cut lasts until the system of the machine gives its connections up; else they go on after it."""
    fleet = begin(count)
    with network(fleet.server.socket()) as way:
        cut_off = fleet.start(way)
        fleet.wait_for_progress()
        other = fleet.start()
        held = fleet.held_by(cut_off)
        way.cut()
        until(lambda: held <= _resumed(fleet).keys(), 0.2)
        fleet.note()
        if notices:
            until(lambda: not _is_connected(cut_off), 0.2)
        way.heal()
        fleet.kill(other)
        check(fleet)


@pytest.mark.soak
def test_clocks_that_differ_by_minutes_take_no_session_from_the_living(
    begin: Callable[[int], Fleet], monkeypatch: pytest.MonkeyPatch
) -> None:
    fleet = begin(20)
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", "30")  # a worker that is slow to renew one of two seconds loses it
    for skew in (60, -60):
        fleet.start(skew=skew)
    fleet.wait_for_progress()
    assert fleet.wait(_PATIENCE)
    assert sum(_resumed(fleet).values()) == 0, "nobody died"
    check(fleet)


@pytest.mark.soak
def test_a_machine_whose_clock_is_wrong_is_replaced_and_replaces(begin: Callable[[int], Fleet]) -> None:
    fleet = begin(20)
    first = fleet.start(skew=60)
    fleet.wait_for_progress()
    fleet.start(skew=-60)
    fleet.kill(first)
    check(fleet)


@pytest.mark.soak
def test_a_thousand_random_kills_change_nothing(begin: Callable[[int], Fleet]) -> None:
    chance, fleet = random.Random(1), begin(200)
    for _ in range(4):
        fleet.start()
    for _ in range(1_000):
        if fleet.is_done():  # where that is quicker than so many kills, 200 more are begun
            fleet.begin_more(200)
        time.sleep(chance.uniform(0, 0.6))
        fleet.kill(chance.choice(fleet.workers))
        fleet.start()
    kills = fleet.kills
    check(fleet)
    taken = sum(_resumed(fleet).values())
    print(f"{kills} kills, {len(fleet.sessions)} sessions, taken over {taken} times")  # noqa: T201 -- a figure


def check(fleet: Fleet) -> None:
    """Hold all sessions of a fleet against one that nobody disturbed."""
    assert fleet.wait()
    fleet.end()
    with psycopg.connect(fleet.server.url(), autocommit=True) as connection:
        kept = set(connection.execute("SELECT session_id, seq, hash FROM home.events").fetchall())
    assert fleet.acknowledged <= kept, "what was acknowledged is lost"
    asyncio.run(_check_sessions(fleet))


async def _check_sessions(fleet: Fleet) -> None:
    async with open_home(fleet.folder / "begun") as q:
        for name in fleet.sessions:
            assert (await q.result(name)).outcome == "done"
            assert (await verify_session(q, name)).faults == ()
            log = await q.events(name)
            check_kept([], log, sum(isinstance(each.payload, Resumed) for each in log))
            assert normalized(await q.report(name)) == fleet.undisturbed


async def start_sessions(folder: Path, count: int, known: int = 0) -> Sequence[str]:
    """Start so many sessions of different questions that take the same course; `known` were started before."""
    script = folder / "slow.yaml"
    if not script.exists():
        script.write_text(yaml.safe_dump({"planner": PLANNED, "query_writer": _SLOW, "reader": _SLOW}))
        write_papers(folder)
    async with open_home(folder / "begun", model=f"script:{script}", effort="low") as q:
        corpus = await q.index([folder / "papers"])
        return [await q.start(f"{QUESTION} #{number}", corpus) for number in range(known, known + count)]


def normalized(report: ResearchDocument | None) -> str:
    assert report is not None
    return re.sub(r" #\d+", "", report.model_dump_json(exclude={"sources": {"__all__": {"retrieved_at"}}}))


def _resumed(fleet: Fleet) -> Counter[str]:
    """Count how often each session was taken up again."""
    with psycopg.connect(fleet.server.url(), autocommit=True) as connection:
        rows = connection.execute("SELECT session_id FROM home.events WHERE type = 'resumed'").fetchall()
    return Counter(name for (name,) in rows)


def _is_connected(worker: int) -> bool:
    """Return whether a connection of the network of a process is open, as far as its system knows."""
    lines = Path(f"/proc/{worker}/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return any(line.split()[3] == "01" for line in lines)
