"""Workers of one store: they run what nobody runs, fairly, and take over from each other what one of them left."""

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.children import ended, fork, until
from fakes.papers import write_papers
from fakes.postgres import Postgres
from fakes.sittings import BELL, GUILD, LIGHTHOUSE, PLANNED, sit
from fakes.time import ManualClock
from quaestor.app import open_home
from quaestor.app.workers import dispatch, worker_process
from quaestor.app.workers.dispatch import LeaseWatch
from quaestor.app.workers.fleet import drain_workers, show_workload, wait_until_empty
from quaestor.app.workers.worker import WorkerLoad
from quaestor.contracts.command import Answer
from quaestor.contracts.errors import UsageError
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, LeaseOwner, LogStatus
from quaestor.contracts.workers import WorkerRecord
from quaestor.runtime.system import SystemClock, current_process
from quaestor.storage.postgres import open_store as open_postgres
from quaestor.storage.sqlite import open_store
from storage.samples import RIVAL, later, session, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
LEASE_SECONDS = 3
RUNNING = LogStatus(state="running", progress="")


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.xdist_group("postgres"))])
def home(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Return where the home of a machine is: that of another one has the same store."""
    monkeypatch.setenv("QUAESTOR_LEASE_SECONDS", str(LEASE_SECONDS))
    if request.param == "file":
        return lambda _: tmp_path / "home"
    server: Postgres = request.getfixturevalue("postgres")
    monkeypatch.setenv("QUAESTOR_STORE", server.home())
    return lambda machine: tmp_path / machine / "home"


async def work(home: Path, done: Callable[[], bool] | None = None) -> None:
    """Run a worker until everything that it can do is done, or for ever."""
    stop = asyncio.Event()
    async with open_home(home) as q:
        running = asyncio.create_task(worker_process.work(q, 2, stop))
        while not (done and done()):
            await asyncio.sleep(0.3)
            load = await show_workload(q)
            if done is None and not load.waiting and not any(each.sessions for each in load.carriers):
                break
        stop.set()
        await running


async def test_a_worker_ends_what_was_begun_and_leaves_what_waits_for_a_person(home: Callable[[str], Path]) -> None:
    docs = write_papers(home("a").parent.parent if home("a").parent.name == "a" else home("a").parent)
    async with open_home(home("a"), effort="low") as q:
        begun = [await q.start(question, await q.index([docs])) for question in (LIGHTHOUSE, BELL, GUILD)]
        asked = await q.start("When was it built?", await q.index([docs]))
    await work(home("b"))
    async with open_home(home("a")) as q:
        assert [(await q.result(name)).outcome for name in begun] == ["done"] * 3
        assert (await q.result(asked)).asked is not None
        events = (await q.session(asked)).events
    await work(home("b"))
    async with open_home(home("c")) as q:
        assert (await q.session(asked)).events == events, "nothing is done for a session that waits"
        assert await q.tell(asked, Answer(text="the Aldmouth lighthouse")) is None
    await work(home("b"))
    async with open_home(home("c")) as q:
        assert (await q.result(asked)).outcome == "done"
        assert (await show_workload(q)).waiting == 0


@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGSTOP])
def test_the_sessions_of_a_worker_that_died_or_hangs_are_taken_over(
    home: Callable[[str], Path], ending: signal.Signals
) -> None:
    slow = [{"todo": "t2", "latency": 1.5}]
    sitting = asyncio.run(sit(home("a").parent, {"planner": PLANNED, "query_writer": slow}))

    def log() -> list[Event]:
        return list(asyncio.run(sitting.events()))

    first = fork(lambda: work(home("a"), lambda: False))
    until(lambda: any(event.type == "plan_updated" for event in log()), 0.4)
    os.kill(first, ending)
    second = fork(lambda: work(home("b")))
    until(lambda: log()[-1].type == "session_finished", 0.4)
    assert ended(second) == 0
    if ending == signal.SIGSTOP:
        os.kill(first, signal.SIGKILL)
    assert ended(first) == -signal.SIGKILL
    finished = [event.payload for event in log() if event.type == "session_finished"]
    assert [getattr(fact, "outcome", "") for fact in finished] == ["done"]


def test_only_time_that_passes_here_ends_a_lease() -> None:
    watch = LeaseWatch(15)
    silent = Lease(session_id="s1", epoch=1, owner=RIVAL, expires_at=later(-9_999))
    living = Lease(session_id="s2", epoch=1, owner=RIVAL, expires_at=later(0))
    assert watch.observe({"s1": silent, "s2": living}, 100) == []
    prolonged = living.revised(expires_at=later(5))
    assert watch.observe({"s1": silent, "s2": prolonged}, 114.9) == []
    assert watch.observe({"s1": silent, "s2": prolonged}, 115) == [silent]
    assert watch.observe({"s2": prolonged}, 115) == []
    assert watch.observe({"s1": silent, "s2": prolonged}, 116) == [], "it was given back meanwhile"


async def test_a_worker_that_is_drained_pauses_what_it_runs_for_others_and_ends(
    home: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_process, "REPORT_SECONDS", 0.05)
    slow = [{"todo": "t2", "latency": 30}]
    sitting = await sit(home("a").parent, {"planner": PLANNED, "query_writer": slow}, grace_seconds=0)
    async with open_home(home("a"), grace_seconds=0) as q:
        working = asyncio.create_task(worker_process.work(q, 2, asyncio.Event()))
        await sitting.until(lambda event: event.type == "plan_updated")
        [carrier] = (await show_workload(q)).carriers
        assert (carrier.state, carrier.places, carrier.sessions) == ("running", 2, (sitting.session_id,))
        with pytest.raises(UsageError, match="there is no worker 'process 1 on rome'; there are: process"):
            await drain_workers(q, "process 1 on rome")
        drained = await drain_workers(q)
        assert drained == (carrier.process,)
        await wait_until_empty(q, drained)
        await working
        load = await show_workload(q)
        assert (load.carriers, load.waiting) == ((), 1)
        assert (await q.result(sitting.session_id)).pause == "interrupt"


async def test_a_worker_that_died_here_keeps_nobody_waiting_who_drains(home: Callable[[str], Path]) -> None:
    async with open_home(home("a")) as q:
        dead = current_process().revised(pid=2**22 + 1)
        await q.workers.report_worker(WorkerRecord(owner=dead, places=1, since=q.clock.now(), seen_at=q.clock.now()))
        assert (await show_workload(q)).carriers == ()
        drained = await drain_workers(q)
        assert drained == (str(dead),)
        await wait_until_empty(q, drained)
        assert await q.workers.workers() == []


class Places:
    """A worker whose sessions end at once, for good or not."""

    def __init__(self) -> None:
        self.rested, self.begun = asyncio.Event(), asyncio.Event()
        self.carried: list[str] = []

    def carry(self, session_id: str, abandoned: LeaseOwner | None = None) -> None:
        del abandoned
        self.carried.append(session_id)
        self.begun.set()

    def carries(self, session_id: str) -> bool:
        del session_id
        return False

    def load(self) -> WorkerLoad:
        return WorkerLoad(0, 0, None, 0)


async def test_sessions_that_fail_at_once_keep_the_others_from_no_place() -> None:
    store = open_store(":memory:")
    for number in range(4):
        name = f"s{number}"
        await store.create_session(session(name, at=later(number)).revised(status=RUNNING), [started(name)])
    worker = Places()
    dispatcher = dispatch.Dispatcher(store, ManualClock(), worker, dispatch.DispatchLimits(2, LEASE_SECONDS))
    for now in (0.0, 1.0, 2.0):
        await dispatcher.dispatch(now)
    assert set(worker.carried) == {"s0", "s1", "s2", "s3"}
    await store.close()


def test_workers_that_look_at_once_choose_apart_but_for_the_first() -> None:
    queue = [f"s{number}" for number in range(40)]
    chosen = [dispatch.choose_apart(queue, worker) for worker in ("a", "b")]
    assert [each[0] for each in chosen] == ["s0", "s0"]
    assert all(sorted(each) == sorted(queue) for each in chosen)
    assert len({*chosen[0][1:9], *chosen[1][1:9]}) > 12


@pytest.mark.xdist_group("postgres")
async def test_a_worker_takes_up_at_once_what_a_store_tells_it_of(postgres: Postgres) -> None:
    place = postgres.home()
    store, other = open_postgres(place), open_postgres(place)
    worker, stop = Places(), asyncio.Event()
    limits = dispatch.DispatchLimits(2, LEASE_SECONDS, poll_seconds=3_600)
    running = asyncio.create_task(dispatch.Dispatcher(store, SystemClock(), worker, limits).run(stop))
    for number in range(3):
        await other.create_session(session(f"s{number}").revised(status=RUNNING), [started(f"s{number}")])
        while f"s{number}" not in worker.carried:
            await asyncio.wait_for(worker.begun.wait(), 200)
            worker.begun.clear()
    stop.set()
    await running
    await store.close()
    await other.close()
