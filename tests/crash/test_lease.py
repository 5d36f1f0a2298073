import asyncio
import os
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from threading import Lock

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
from quaestor.storage.sql.store import SqlLeaseRenewer
from quaestor.storage.sqlite import SqliteStore


class GatedRenewer(SqlLeaseRenewer):
    """Renews a lease while nobody suspends the process: a transaction that is suspended would lock the store."""

    def __init__(self, renewer: SqlLeaseRenewer, gate: Lock) -> None:
        super().__init__(renewer._database, owned=renewer._owned, exclusive=renewer.exclusive)
        self._gate = gate

    @override
    def renew(self, lease: Lease, expires_at: datetime) -> bool:
        with self._gate:
            return super().renew(lease, expires_at)


class SuspendingStore(SqliteStore):
    """A store whose process is suspended once it has asked for its first queries, with no transaction open."""

    suspended = False
    gate = Lock()

    @override
    def open_renewer(self) -> SqlLeaseRenewer:
        return GatedRenewer(super().open_renewer(), self.gate)

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
            with self.gate:
                os.kill(os.getpid(), signal.SIGSTOP)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Return a home with a session that waits to be run."""
    docs = write_papers(tmp_path)

    async def prepare() -> str:
        async with open_home(tmp_path, model="offline", effort="low") as q:
            return await q.start("Who built the Aldmouth lighthouse?", await q.index([docs]))

    return Home(tmp_path, asyncio.run(prepare()))


@contextmanager
def suspended(home: Home, lease_seconds: float) -> Iterator[int]:
    """Run the session in a child until it suspends itself; exit code 7 is a lost lease. It is dead at the end."""

    async def work() -> None:
        async with open_home(home.folder, lease_seconds=lease_seconds) as q:
            try:
                await with_store(q, SuspendingStore).run(home.session_id)
            except LeaseLost:
                os._exit(7)

    pid = fork(work)
    assert os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1])
    try:
        yield pid
    finally:
        with suppress(ProcessLookupError):  # one that stays suspended would hold the pipes of these tests open
            os.kill(pid, signal.SIGKILL)


def carried_on(pid: int) -> int:
    """Let a suspended process go on to its end; return its exit code."""
    os.kill(pid, signal.SIGCONT)
    return ended(pid)


def test_a_second_process_is_refused_with_the_first_ones_name(home: Home) -> None:
    async def second() -> None:
        async with open_home(home.folder) as q:
            await q.run(home.session_id)

    with suspended(home, lease_seconds=3_600) as pid:
        with pytest.raises(LeaseUnavailable, match=f"session {home.session_id} is held by process {pid} on "):
            asyncio.run(second())
        assert carried_on(pid) == 0


def test_a_suspended_owner_cannot_append_after_its_lease_was_taken(home: Home) -> None:
    async def take_over() -> None:
        async with open_home(home.folder, lease_seconds=1) as q:
            assert (await q.run(home.session_id)).status == "finished"

    with suspended(home, lease_seconds=1) as pid:
        time.sleep(1.2)  # it was renewed for one second at most
        asyncio.run(take_over())
        complete = home.events()
        assert carried_on(pid) == 7
    assert home.events() == complete


def test_a_suspended_owner_goes_on_when_nobody_took_its_lease(home: Home) -> None:
    with suspended(home, lease_seconds=1) as pid:
        time.sleep(1.2)
        assert carried_on(pid) == 0
    assert home.events()[-1].type == "session_finished"
