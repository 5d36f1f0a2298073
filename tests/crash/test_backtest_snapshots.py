"""Kill -9 while a snapshot is written: the one before, or the new one, leads to the same as the whole log."""

import asyncio
import shutil
from collections.abc import Sequence
from functools import reduce
from pathlib import Path

import pytest
from typing_extensions import override

from fakes.children import die, ended, fork
from fakes.desks import folder
from quaestor.app import DATABASE_FILE, open_home
from quaestor.contracts.event import Event
from quaestor.contracts.snapshot import Snapshot
from quaestor.kernel.run_state import RunState, fold
from quaestor.runtime.snapshots import Snapshots
from quaestor.storage.sql.snapshots import SqlSnapshotCache
from quaestor.storage.sqlite import SqliteStore
from quaestor.storage.sqlite.connection import SqliteDatabase
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.plugin import PLUGIN
from quaestor.trading.state import SessionState

FIRST = 20
Folds = tuple[RunState, SessionState]


class FragileCache(SqlSnapshotCache):
    """A cache whose process is killed before, during or after it writes a snapshot."""

    phase = ""

    @override
    async def put_snapshot(self, snapshot: Snapshot, *, beside: bool = False) -> None:
        if self.phase == "before":
            die()
        if self.phase == "during":
            assert isinstance(self._database, SqliteDatabase)
            self._database._connection.set_commit_hook(die)
        await super().put_snapshot(snapshot, beside=beside)
        if self.phase == "after":
            die()


def folded(events: Sequence[Event], begun: Folds) -> Folds:
    return reduce(lambda folds, event: (fold(folds[0], event), PLUGIN.workflow.apply(folds[1], event)), events, begun)


@pytest.fixture(scope="module")
def traded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """Return a home with a backtest that was run, and its id."""
    place = tmp_path_factory.mktemp("traded")

    async def run() -> str:
        async with open_home(place) as q:
            session = await sessions.start_or_resume(
                q, read_mandate(folder(place / "desk", 3).mandate()), backtest=True
            )
            await q.run(session)
            return session

    return place, asyncio.run(run())


@pytest.mark.parametrize(("phase", "kept"), [("before", FIRST), ("during", FIRST), ("after", None)])
def test_a_kill_while_a_snapshot_is_written_leaves_one_that_leads_to_the_same(
    traded: tuple[Path, str], tmp_path: Path, phase: str, kept: int | None
) -> None:
    place, session = traded
    shutil.copy(place / DATABASE_FILE, tmp_path / DATABASE_FILE)

    async def take(upto: int | None, phase: str = "") -> None:
        async with open_home(tmp_path) as q:
            assert isinstance(q.store, SqliteStore)
            cache = FragileCache(q.store._database)
            cache.phase = phase
            snapshots = Snapshots(session, q.store, cache, PLUGIN, every=1)
            async with snapshots.kept():
                events = await q.events(session, 0, upto)
                snapshots.note(*folded(events, (RunState(), PLUGIN.workflow.begin())))

    async def check() -> None:
        async with open_home(tmp_path) as q:
            events = await q.events(session)
            restored = await Snapshots(session, q.store, q.snapshots, PLUGIN).load()
            assert restored
            assert restored[0].seq == (kept or len(events))
            assert folded(events[restored[0].seq :], restored) == folded(events, (RunState(), PLUGIN.workflow.begin()))
            assert await q.store.verify_chain(session) == []

    asyncio.run(take(FIRST))
    assert ended(fork(lambda: take(None, phase))) == -9
    asyncio.run(check())
