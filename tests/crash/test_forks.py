"""Kill -9 while a session is forked: nobody sees the half of a copy, and nothing of it is left."""

import asyncio
from pathlib import Path

import pytest
from typing_extensions import override

from crash.conftest import Home
from fakes.children import die, ended, fork
from quaestor.app import Quaestor, open_home
from quaestor.contracts.session import Lease, Session
from quaestor.runtime.system import SystemClock, SystemIdGenerator
from quaestor.storage.event_rows import LogHead
from quaestor.storage.sqlite import SqliteStore


class FragileStore(SqliteStore):
    """A store whose process is killed before or after the last transaction of a copy."""

    phase = ""

    @override
    async def _end_copy(self, session: Session, lease: Lease, end: LogHead) -> None:
        if self.phase == "before":
            die()
        await super()._end_copy(session, lease, end)
        die()


@pytest.mark.parametrize(("phase", "sessions"), [("before", 1), ("after", 2)])
def test_a_fork_that_is_killed_leaves_a_whole_copy_or_nothing(
    undisturbed: Home, tmp_path: Path, phase: str, sessions: int
) -> None:
    home = undisturbed.copied(tmp_path / "home")
    count = len(home.events())

    async def work() -> None:
        async with open_home(home.folder) as q:
            assert isinstance(q.store, SqliteStore)
            store = FragileStore(q.store._database)
            store.phase = phase
            resources, clock, ids = q._resources, SystemClock(), SystemIdGenerator()
            own = Quaestor(
                store, store.library, resources, clock, ids, access=store.access, workers=store.workers, home=q.home
            )
            await own.fork(home.session_id, count - 1)

    async def check() -> None:
        async with open_home(home.folder) as q:
            assert isinstance(q.store, SqliteStore)
            found = {each.id: each.events for each in await q.sessions()}
            assert len(found) == sessions
            assert found.pop(home.session_id) == count
            assert list(found.values()) == [count - 1] * (sessions - 1)
            stored = q.store._database.row("SELECT count(*), count(DISTINCT session_id) FROM events")
            assert stored == (count + sum(found.values()), sessions)
            assert [await q.store.verify_chain(each) for each in found] == [[]] * len(found)
            assert await q.store.incomplete_copies() == []

    assert ended(fork(work)) == -9
    asyncio.run(check())
