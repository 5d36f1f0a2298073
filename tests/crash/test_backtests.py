"""Kill -9 at any moment of a long backtest: its equity curve and its results are the same to the byte."""

import asyncio
import os
import random
import shutil
import signal
import subprocess
from functools import partial
from pathlib import Path

import pytest

from crash.conftest import events_in, has_events
from faces.cli.processes import line
from fakes.children import ended, fork, until
from fakes.desks import folder
from quaestor.app import DATABASE_FILE, open_home
from quaestor.contracts.event import Event
from quaestor.trading import sessions
from quaestor.trading.mandate_file import read_mandate
from quaestor.trading.performance.reports import render_json

YEAR = 8_760
MEGABYTE = 1024
"""In the units of the kernel."""


class Backtest:
    """A home with one backtest."""

    def __init__(self, place: Path, session_id: str) -> None:
        self.place = place
        self.session_id = session_id

    def copied(self, place: Path) -> "Backtest":
        place.mkdir()
        shutil.copy(self.place / DATABASE_FILE, place / DATABASE_FILE)
        return Backtest(place, self.session_id)

    async def carry_on(self) -> None:
        async with open_home(self.place) as q:
            assert (await q.run(self.session_id)).outcome == "done"

    def event(self, number: int | None = None) -> Event:
        """Return the event of a number, or the last one."""

        async def read() -> Event:
            async with open_home(self.place) as q:
                seq = number or (await q.store.session(self.session_id)).events
                return (await q.store.events(self.session_id, seq - 1, 1))[0]

        return asyncio.run(read())

    def told(self) -> tuple[str, str]:
        """Return its equity curve and its results, as text."""

        async def read() -> tuple[str, str]:
            async with open_home(self.place) as q:
                assert await q.store.verify_chain(self.session_id) == []
                curve = [
                    f"{cycle.number} {cycle.market.model_dump_json()} {cycle.execution}"
                    async for cycle in sessions.read_cycles(q.read_events(self.session_id))
                    if cycle.market
                ]
                record = await sessions.read_results(q.read_events(self.session_id), risk_free=0.02)
                return "\n".join(curve), render_json(record)

        return asyncio.run(read())


def begun(path: Path, cycles: int) -> Backtest:
    desk = folder(path / "desk", cycles, seed=1)

    async def begin() -> str:
        async with open_home(path / "home") as q:
            return await sessions.start_or_resume(q, read_mandate(desk.path / "m.toml"), backtest=True)

    return Backtest(path / "home", asyncio.run(begin()))


def kill_five_times(path: Path, cycles: int) -> None:
    pristine = begun(path, cycles)
    undisturbed = pristine.copied(path / "undisturbed")
    begin = events_in(undisturbed.place)
    asyncio.run(undisturbed.carry_on())  # in this process: its children need not import what it has
    home, chance, kept = pristine.copied(path / "killed"), random.Random(cycles), list[Event]()
    for doom in sorted(chance.sample(range(begin + 1, events_in(undisturbed.place) * 3 // 4), 5)):
        pid = fork(home.carry_on)
        until(partial(has_events, home.place, doom))
        os.kill(pid, signal.SIGKILL)
        assert ended(pid) == -signal.SIGKILL
        kept.append(home.event())
    asyncio.run(home.carry_on())
    assert [home.event(event.seq) for event in kept] == kept
    curve, results = home.told()
    assert (curve, results) == undisturbed.told()
    assert curve.count("\n") == cycles - 1
    assert "executed" in curve


def test_a_backtest_that_was_killed_five_times_has_the_curve_of_one_that_was_not(tmp_path: Path) -> None:
    kill_five_times(tmp_path, 120)


@pytest.mark.soak
def test_a_year_of_hours_that_was_killed_five_times_has_the_curve_of_one_that_was_not(tmp_path: Path) -> None:
    kill_five_times(tmp_path, YEAR)


@pytest.mark.soak
def test_a_year_of_hours_takes_less_than_500_megabytes(tmp_path: Path) -> None:
    home = begun(tmp_path, YEAR)
    with subprocess.Popen(line(home.place, "backtest", home.session_id, "--format", "json")) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert used.ru_maxrss < 500 * MEGABYTE
