"""Runs that are killed: each in a process of its own, forked so that it starts fast, ended by SIGKILL."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet
from typing_extensions import override

from fakes.children import die, ended, fork
from fakes.papers import QUESTION, write_papers
from quaestor.app import DATABASE_FILE, Quaestor, open_home
from quaestor.contracts.command import Settlement
from quaestor.contracts.event import Event
from quaestor.contracts.session import Lease, LogStatus
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
class Moments:
    """Before, during or after which appends a process is killed: the first of them, and how many lie between two."""

    phase: str
    first: int = 1
    step: int = 1

    def __iter__(self) -> Iterator[int]:
        return count(self.first, self.step)


def spread(step: int, phases: Sequence[str] = ("before", "during", "after")) -> list[ParameterSet]:
    """Return a sample of the appends of a run for the gate, others for each phase, and all of them for soak."""
    some = [Moments(phase, 1 + place * step // len(phases), step) for place, phase in enumerate(phases)]
    return [
        *(pytest.param(each, id=f"{each.phase} some") for each in some),
        *(pytest.param(Moments(phase), id=f"{phase} every", marks=pytest.mark.soak) for phase in phases),
    ]


@dataclass(frozen=True)
class Home:
    """A home in which one four-todo session waits to be run."""

    folder: Path
    session_id: str

    def copied(self, place: Path) -> "Home":
        place.mkdir()
        shutil.copy(self.folder / DATABASE_FILE, place / DATABASE_FILE)
        return Home(place, self.session_id)

    async def carry_on(self) -> None:
        """Run the session to its end."""
        async with open_home(self.folder) as q:
            assert (await q.run(self.session_id)).status == "finished"

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
    async def append(
        self,
        lease: Lease,
        events: Sequence[Event],
        settled: Sequence[Settlement] = (),
        status: LogStatus | None = None,
    ) -> None:
        self.count += 1
        doomed = self.count == self.number
        if doomed and self.phase == "before":
            die()
        if doomed and self.phase == "during":
            self._database._connection.set_commit_hook(die)
        await super().append(lease, events, settled, status)
        if doomed and self.phase == "after":
            die()


def run_until_killed(home: Home, phase: str, number: int) -> int:
    """Run the session in a child that kills itself at one append; return how it ended."""

    async def work() -> None:
        async with open_home(home.folder) as q:
            fragile = with_store(q, FragileStore)
            assert isinstance(fragile.store, FragileStore)
            fragile.store.phase, fragile.store.number = phase, number
            await fragile.run(home.session_id)

    return ended(fork(work))


def with_store(q: Quaestor, kind: type[SqliteStore]) -> Quaestor:
    """Return the same home with a store of another kind over its database."""
    store = q.store
    assert isinstance(store, SqliteStore)
    return Quaestor(
        kind(store._database),
        store.library,
        q._resources,
        SystemClock(),
        SystemIdGenerator(),
        access=store.access,
        workers=store.workers,
        home=q.home,
    )


def has_events(home: Path, number: int) -> bool:
    return events_in(home) >= number


def events_in(home: Path) -> int:
    """Count the events in a home, while another process writes them."""
    database = home / DATABASE_FILE
    if not database.exists():
        return 0
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are being made
            return 0


def resumed(home: Home) -> None:
    """Run the session to its end in this process, which is another one than that which was killed."""
    asyncio.run(home.carry_on())


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home with the documents indexed and the session started, but not run."""
    folder = tmp_path_factory.mktemp("pristine")
    docs = write_papers(folder)

    async def prepare() -> str:
        async with open_home(folder, model=f"script:{folder / 'script.yaml'}", effort="low") as q:
            return await q.start(QUESTION, await q.index([docs]))

    return Home(folder, asyncio.run(prepare()))


@pytest.fixture(scope="session")
def undisturbed(pristine: Home, tmp_path_factory: pytest.TempPathFactory) -> Home:
    """Return a home whose session ran to its end without being killed.

    It ran in this process, so that it has imported what its children need: five times what a run takes.
    """
    home = pristine.copied(tmp_path_factory.mktemp("undisturbed") / "home")
    asyncio.run(home.carry_on())
    return home
