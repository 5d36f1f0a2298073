"""Kill -9, everywhere. What is left must lead to the same end, with nothing lost and nothing done twice."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from crash.conftest import Home, Moments, resumed, run_until_killed, spread
from fakes.children import check_kept, ended, fork
from quaestor.app import open_home


def appends(home: Home) -> int:
    """Count the transactions of a run: an append is at one moment, and each ends with an intent or the finish."""
    return len({event.at for event in home.events()})


@pytest.mark.parametrize("moments", spread(12))
def test_a_kill_at_an_append_changes_nothing(
    pristine: Home, undisturbed: Home, tmp_path: Path, moments: Moments
) -> None:
    wanted = undisturbed.ending()
    for number in moments:
        home = pristine.copied(tmp_path / f"{number}")
        if run_until_killed(home, moments.phase, number) == 0:
            break
        acknowledged = home.events()
        resumed(home)
        check_kept(acknowledged, home.events(), kills=1)
        assert home.ending() == wanted
    assert number > 20


def kill_at_random(pristine: Home, undisturbed: Home, folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    home, kills = pristine.copied(folder / f"random{seed}"), chance.randint(1, 3)
    acknowledged = home.events()

    async def work() -> None:
        async with open_home(home.folder) as q:
            await q.run(home.session_id)

    for _ in range(kills):
        pid = fork(work)
        time.sleep(chance.uniform(0.01, 0.5))
        os.kill(pid, signal.SIGKILL)
        ended(pid)
        seen = home.events()
        assert list(seen[: len(acknowledged)]) == list(acknowledged)
        acknowledged = seen
    resumed(home)
    check_kept(acknowledged, home.events(), kills)
    assert home.ending() == undisturbed.ending()


@pytest.mark.parametrize("seed", range(2))
def test_a_kill_at_a_random_moment_changes_nothing(
    pristine: Home, undisturbed: Home, tmp_path: Path, seed: int
) -> None:
    kill_at_random(pristine, undisturbed, tmp_path, seed)


@pytest.mark.soak
def test_a_killed_run_goes_on_within_five_seconds(pristine: Home, tmp_path: Path) -> None:
    home = pristine.copied(tmp_path / "home")
    assert run_until_killed(home, "after", 8) != 0
    before, began = len(home.events()), time.time()
    resumed(home)
    assert home.events()[before].at.timestamp() - began < 5


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000, 1500))
def test_500_kills_at_random_moments_change_nothing(
    pristine: Home, undisturbed: Home, tmp_path: Path, seed: int
) -> None:
    kill_at_random(pristine, undisturbed, tmp_path, seed)
