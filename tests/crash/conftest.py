"""Runs that are killed: each in a process of its own, forked so that it starts fast, ended by SIGKILL."""

import asyncio
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from typing_extensions import override

from fakes.children import die, ended, fork
from fakes.papers import QUESTION, write_papers
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.contracts.command import Settlement
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease
from quaestor.research.state import ResearchState
from quaestor.runtime.system import SystemClock, SystemIdGenerator
from quaestor.storage.sqlite import SqliteStore


@dataclass(frozen=True)
class Ending:
    """What must be the same, however often a run was killed."""

    ledger: str
    plan: str
    report: str


@dataclass(frozen=True)
class Home:
    """A home in which one four-todo session waits to be run."""

    folder: Path
    session_id: str

    def copied(self, place: Path) -> "Home":
        place.mkdir()
        shutil.copy(self.folder / DATABASE_FILE, place / DATABASE_FILE)
        return Home(place, self.session_id)

    def events(self) -> Sequence[Event]:
        async def read() -> Sequence[Event]:
            async with open_home(self.folder) as q:
                return await q.events(self.session_id)

        return asyncio.run(read())

    def ending(self) -> Ending:
        async def read() -> ResearchState:
            async with open_home(self.folder) as q:
                assert await q.store.verify_chain(self.session_id) == []
                return await q.state(self.session_id)

        state = asyncio.run(read())
        assert state.report is not None
        ledger = "\n".join(entry.model_dump_json() for entry in state.entries.values())
        return Ending(ledger, state.plan.model_dump_json(), state.report.model_dump_json())


class FragileStore(SqliteStore):
    """A store whose process is killed before, during or after its n-th append."""

    number = 0
    phase = ""
    count = 0

    @override
    async def append(self, lease: Lease, events: Sequence[Event], settled: Sequence[Settlement] = ()) -> None:
        self.count += 1
        doomed = self.count == self.number
        if doomed and self.phase == "before":
            die()
        if doomed and self.phase == "during":
            self._database._connection.set_commit_hook(die)
        await super().append(lease, events, settled)
        if doomed and self.phase == "after":
            die()


def run_until_killed(home: Home, phase: str, number: int) -> int:
    """Run the session in a child that kills itself at one append; give how it ended."""

    async def work() -> None:
        async with open_home(home.folder) as q:
            store = q.store
            assert isinstance(store, SqliteStore)
            fragile = FragileStore(store._database)
            fragile.phase, fragile.number = phase, number
            await Quaestor(fragile, store.library, q._outfit, SystemClock(), SystemIdGenerator(), home=q.home).run(
                home.session_id
            )

    return ended(fork(work))


def resumed(home: Home) -> float:
    """Run the session to its end in a child; give the seconds until its first new event."""

    async def work() -> None:
        async with open_home(home.folder) as q:
            result = await q.run(home.session_id)
            assert result.status == "finished"

    began = time.time()
    before = len(home.events())
    assert ended(fork(work)) == 0
    after = home.events()[before:]
    return after[0].at.timestamp() - began if after else 0.0


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Give a home with the documents indexed and the session started, but not run."""
    folder = tmp_path_factory.mktemp("pristine")
    docs = write_papers(folder)

    async def prepare() -> str:
        async with open_home(folder, model=f"script:{folder / 'script.yaml'}", effort="low") as q:
            return await q.start(QUESTION, await q.index([docs]))

    return Home(folder, asyncio.run(prepare()))


@pytest.fixture(scope="session")
def undisturbed(pristine: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Give a home whose session ran to its end without being killed."""
    home = pristine.copied(tmp_path_factory.mktemp("undisturbed") / "home")
    resumed(home)
    return home
