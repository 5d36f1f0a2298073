import asyncio
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from typing_extensions import override

from crash.conftest import Home, with_store
from fakes.children import ended, fork
from fakes.papers import write_papers
from quaestor.app import open_home
from quaestor.contracts.command import Settlement
from quaestor.contracts.errors import LeaseLost, LeaseUnavailable
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, LogStatus
from quaestor.storage.sqlite import SqliteStore


class SuspendingStore(SqliteStore):
    """A store whose process is suspended once it has asked for its first queries."""

    suspended = False

    @override
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        await super().append(lease, events, settled, status)
        if not self.suspended and any(event.state == "QUERYING" for event in events):
            self.suspended = True
            os.kill(os.getpid(), signal.SIGSTOP)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a session that waits to be run."""
    docs = write_papers(tmp_path)

    async def prepare() -> str:
        async with open_home(tmp_path, model="offline", effort="low") as q:
            return await q.start("Who built the Aldmouth lighthouse?", await q.index([docs]))

    return Home(tmp_path, asyncio.run(prepare()))


def suspended(home: Home, lease_seconds: float) -> int:
    """Run the session in a child until it suspends itself; exit code 7 is a lost lease."""

    async def work() -> None:
        async with open_home(home.folder, lease_seconds=lease_seconds) as q:
            try:
                await with_store(q, SuspendingStore).run(home.session_id)
            except LeaseLost:
                os._exit(7)

    pid = fork(work)
    assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    return pid


def test_a_second_process_is_refused_with_the_first_ones_name(home: Home) -> None:
    pid = suspended(home, lease_seconds=3_600)

    async def second() -> None:
        async with open_home(home.folder) as q:
            await q.run(home.session_id)

    with pytest.raises(LeaseUnavailable, match=f"session {home.session_id} is held by process {pid} on "):
        asyncio.run(second())
    os.kill(pid, signal.SIGCONT)
    assert ended(pid) == 0


def test_a_suspended_owner_cannot_append_after_its_lease_was_taken(home: Home) -> None:
    pid = suspended(home, lease_seconds=1)
    time.sleep(1.2)  # it was renewed for one second at most

    async def take_over() -> None:
        async with open_home(home.folder, lease_seconds=1) as q:
            assert (await q.run(home.session_id)).status == "finished"

    asyncio.run(take_over())
    complete = home.events()
    os.kill(pid, signal.SIGCONT)
    assert ended(pid) == 7
    assert home.events() == complete


def test_a_suspended_owner_goes_on_when_nobody_took_its_lease(home: Home) -> None:
    pid = suspended(home, lease_seconds=1)
    time.sleep(1.2)
    os.kill(pid, signal.SIGCONT)
    assert ended(pid) == 0
    assert home.events()[-1].type == "session_finished"
