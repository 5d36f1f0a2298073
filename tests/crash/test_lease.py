import asyncio
import os
import signal
import time
from pathlib import Path

import pytest

from crash.conftest import Home, resumed
from fakes.children import ended, fork
from fakes.papers import write_papers
from quaestor.app import open_home
from quaestor.contracts.errors import LeaseLost, LeaseUnavailable

SLOW = "query_writer: [{latency: 1.5, times: 50}]"


@pytest.fixture
def slow(tmp_path: Path) -> Home:
    """Return a home with a session whose every query takes its time."""
    docs = write_papers(tmp_path)
    (tmp_path / "script.yaml").write_text(SLOW)

    async def prepare() -> str:
        async with open_home(tmp_path, model=f"script:{tmp_path / 'script.yaml'}", effort="low") as q:
            return await q.start("Who built the Aldmouth lighthouse?", await q.index([docs]))

    return Home(tmp_path, asyncio.run(prepare()))


def started(home: Home, lease_seconds: float = 15) -> int:
    """Run the session in a child and wait until it has asked for its first queries; exit code 7 is a lost lease."""

    async def work() -> None:
        async with open_home(home.folder, lease_seconds=lease_seconds) as q:
            try:
                await q.run(home.session_id)
            except LeaseLost:
                os._exit(7)

    pid = fork(work)
    while not [event for event in home.events() if event.state == "QUERYING"]:
        time.sleep(0.05)
    return pid


def test_a_second_process_is_refused_with_the_first_ones_name(slow: Home) -> None:
    pid = started(slow)

    async def second() -> None:
        async with open_home(slow.folder) as q:
            await q.run(slow.session_id)

    with pytest.raises(LeaseUnavailable, match=f"session {slow.session_id} is held by process {pid} on "):
        asyncio.run(second())
    assert ended(pid) == 0


def test_a_suspended_owner_cannot_append_after_its_lease_was_taken(slow: Home) -> None:
    pid = started(slow, lease_seconds=1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1.2)
    resumed(slow)
    complete = slow.events()
    os.kill(pid, signal.SIGCONT)
    assert ended(pid) == 7
    assert slow.events() == complete


def test_a_suspended_owner_goes_on_when_nobody_took_its_lease(slow: Home) -> None:
    pid = started(slow, lease_seconds=1)
    os.kill(pid, signal.SIGSTOP)
    time.sleep(2)
    os.kill(pid, signal.SIGCONT)
    assert ended(pid) == 0
    assert slow.events()[-1].type == "session_finished"
