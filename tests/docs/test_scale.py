"""docs/scale.md has the constants of the simulation that it is about."""

import random
import re
import runpy
from math import e
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "scale.md").read_text(encoding="utf-8")
BENCH = runpy.run_path(str(ROOT / "bench" / "scale.py"))


def test_the_constants_are_those_of_the_simulation() -> None:
    named = re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", PAGE, re.MULTILINE)
    assert len(named) == 11
    assert {name: float(value) for name, value in named} == {name: float(BENCH[name]) for name, _ in named}


def test_a_fleet_that_has_enough_of_everything_is_as_fast_as_its_models() -> None:
    BENCH["simulate"].__globals__["SIMULATED_ACTIONS"] = 20_000  # of this copy of the module
    fleet = BENCH["Fleet"](machines=1, places=8, shards=1)
    free = BENCH["ACTIONS"] * BENCH["MODEL_SECONDS"] * e ** (BENCH["SPREAD"] ** 2 / 2)
    expected = fleet.processes * fleet.places * BENCH["ACTIONS"] / free
    assert BENCH["simulate"](fleet, random.Random(8)).rate == pytest.approx(expected, rel=0.05)
