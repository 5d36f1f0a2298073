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
from quaestor.app import open_home
from quaestor.app.dispatch import Dispatcher, LeaseWatch
from quaestor.app.worker import SessionWorker
from quaestor.app.workers import show_workload
from quaestor.contracts.command import Answer
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease
from storage.samples import RIVAL, later

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes are forked")
LEASE_SECONDS = 3


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
        worker = SessionWorker(q, 2)
        running = asyncio.create_task(Dispatcher(q, worker, 2).run(stop))
        while not (done and done()):
            await asyncio.sleep(0.05)
            load = await show_workload(q)
            if done is None and not load.waiting and not load.carriers and not worker.load().running:
                break
        stop.set()
        await running
        await worker.close()


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
    until(lambda: any(event.type == "plan_updated" for event in log()), 0.1)
    os.kill(first, ending)
    second = fork(lambda: work(home("b")))
    until(lambda: log()[-1].type == "session_finished", 0.1)
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
