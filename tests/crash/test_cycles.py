"""Kill -9 in a second cycle: a follow-up question, or a new look at the sources, ends as if nobody had died."""

import asyncio
import os
import random
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from crash.conftest import Ending, Home, Moments, resumed, run_until_killed, spread
from fakes.children import check_kept, die, ended, fork
from fakes.sequels import FOLLOW_UP, of_cycle, rewrite, told
from fakes.sittings import BELL, LIGHTHOUSE, LIGHTS
from quaestor.app import open_home
from quaestor.contracts.command import OpenCycle
from quaestor.contracts.event import CycleStarted, Event, ModelRequested, ToolRequested
from quaestor.research.events import ReportWritten

WAYS = ("follow-up", "refresh")
PLANNER = [
    {"reply": {"todos": [{"task": one}, {"task": other}]}} for one, other in ((LIGHTHOUSE, BELL), (LIGHTS, BELL))
]


class Second:
    """A home whose session has just begun its second cycle, and how that ends undisturbed."""

    def __init__(self, home: Home, folder: Path) -> None:
        self.home = home
        undisturbed = home.copied(folder / "undisturbed")
        asyncio.run(undisturbed.carry_on())  # in this process: its children need not import what it has
        self.ending: Ending = undisturbed.ending()
        self.calls = calls(undisturbed.events())


def calls(events: Sequence[Event]) -> list[str]:
    """Return the calls of the second cycle by their keys, each once, in order of their names."""
    asked = [one.payload for one in of_cycle(events, 2) if isinstance(one.payload, ModelRequested | ToolRequested)]
    return sorted({one.key for one in asked})


async def begin(folder: Path, way: str) -> Home:
    sitting = await told(folder, {"planner": PLANNER}, queries=1)
    rewrite(sitting, "fog.md", "1844", "1845")
    async with open_home(sitting.folder) as q:
        await (q.refresh(sitting.session_id) if way == "refresh" else q.ask(sitting.session_id, FOLLOW_UP))
    return Home(sitting.folder, sitting.session_id)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Second]:
    folder = tmp_path_factory.mktemp("second")
    return {way: Second(asyncio.run(begin(folder / way, way)), folder / way) for way in WAYS}


def check(second: Second, home: Home, acknowledged: Sequence[Event], kills: int) -> None:
    """Resume; nothing is lost, what was finished is not done again, and the end is that of the undisturbed run."""
    resumed(home)
    events = home.events()
    assert list(events[: len(acknowledged)]) == list(acknowledged)
    for cycle in (1, 2):
        check_kept([], of_cycle(events, cycle), kills)
    assert home.ending() == second.ending
    assert calls(events) == second.calls
    assert [event.payload.report.version for event in events if isinstance(event.payload, ReportWritten)] == [1, 2]
    assert sum(isinstance(event.payload, CycleStarted) for event in events) == 1


@pytest.mark.parametrize("moments", spread(12))
@pytest.mark.parametrize("way", WAYS)
def test_a_kill_at_an_append_of_a_second_cycle_changes_nothing(
    begun: Mapping[str, Second], tmp_path: Path, way: str, moments: Moments
) -> None:
    for number in moments:
        home = begun[way].home.copied(tmp_path / f"{number}")
        if run_until_killed(home, moments.phase, number) == 0:
            break
        check(begun[way], home, home.events(), kills=1)
    assert number > 5


@pytest.mark.parametrize("seed", [0, 5, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(10, 40))])
@pytest.mark.parametrize("way", WAYS)
def test_a_kill_at_a_random_moment_of_a_second_cycle_changes_nothing(
    begun: Mapping[str, Second], tmp_path: Path, way: str, seed: int
) -> None:
    chance = random.Random(seed)
    home, kills = begun[way].home.copied(tmp_path / "home"), chance.randint(1, 3)
    acknowledged = home.events()

    async def work() -> None:
        async with open_home(home.folder) as q:
            await q.run(home.session_id)

    for _ in range(kills):
        pid = fork(work)
        time.sleep(chance.uniform(0.01, 0.3))
        os.kill(pid, signal.SIGKILL)
        ended(pid)
        seen = home.events()
        assert list(seen[: len(acknowledged)]) == list(acknowledged)
        acknowledged = seen
    check(begun[way], home, acknowledged, kills)


@pytest.mark.parametrize("why", ["question", "refresh"])
def test_who_asks_on_and_is_killed_is_obeyed_once_by_whoever_comes_next(tmp_path: Path, why: str) -> None:
    sitting = asyncio.run(told(tmp_path, {"planner": PLANNER}, queries=1))
    home = Home(sitting.folder, sitting.session_id)
    order = OpenCycle(why="refresh") if why == "refresh" else OpenCycle(why="question", question=FOLLOW_UP)

    async def send_and_die() -> None:
        async with open_home(home.folder) as q:
            await q.store.send(home.session_id, order, (await q.events(home.session_id))[-1].at)
            die()

    async def tell_more() -> None:
        async with open_home(home.folder) as q:
            assert "not finished" in str(await q.tell(home.session_id, order))
            assert (await q.run(home.session_id)).outcome == "done"

    before = home.events()
    assert ended(fork(send_and_die)) == -signal.SIGKILL
    assert home.events() == before
    assert ended(fork(tell_more)) == 0
    begun = [event.payload for event in home.events() if isinstance(event.payload, CycleStarted)]
    assert [(fact.why, fact.question) for fact in begun] == [(order.why, order.question)]
