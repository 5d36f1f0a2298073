"""Every probe is seen to get through where nothing is in its way, and through no sandbox, whoever runs it."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from fakes.needed import lacking
from quaestor.tools.sandbox import launcher_process
from tools.sandbox.siege import NOTHING, Siege, probes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are confined on Linux alone")

_SOMEBODY = 61_234
_SYSTEM_PYTHON = "/usr/bin/python3"
_USABLE = "import ctypes, sys; sys.exit(sys.version_info < (3, 11))"
_SIEGE = Path(__file__).with_name("siege.py")
_OLDER = "launcher with an older kernel"
_KERNEL_MAY_LACK = (
    "kernel.a_kernel_to_start_next",
    "kernel.a_module",
    "kernel.its_calls_by_the_numbers_of_an_older_machine",
    "kernel.its_calls_by_the_numbers_of_the_short_machine",
    "kernel.its_page_faults",
    "packets.by_a_ring_of_requests",
    "packets.by_a_socket_to_the_host_of_a_virtual_machine",
    "processes.typing_into_a_terminal",
    "processes.typing_into_a_terminal_by_a_longer_number",
)
"""What is built into some kernels and not into others, or can be switched off."""

SIEGES = (
    pytest.param("bubblewrap", "root", id="bubblewrap, by root"),
    pytest.param("bubblewrap", "somebody", id="bubblewrap, by somebody", marks=pytest.mark.soak),
    pytest.param("launcher", "root", id="the launcher, by root", marks=pytest.mark.soak),
    pytest.param("launcher", "somebody", id="the launcher, by somebody"),
    pytest.param(_OLDER, "root", id="the launcher on Linux 6.2, by root", marks=pytest.mark.soak),
    pytest.param(_OLDER, "somebody", id="the launcher on Linux 6.2, by somebody", marks=pytest.mark.soak),
)

PROBES = tuple(probes())
SAMPLE = tuple({probe.partition(".")[0]: probe for probe in PROBES}.values())
"""One probe of each kind, which the gate lets run where nothing is in its way; so the soak does with the others."""
FREE = [pytest.param(probe, marks=() if probe in SAMPLE else pytest.mark.soak) for probe in PROBES]


@pytest.mark.parametrize(("way", "user"), SIEGES)
def test_a_probe_does_not_get_through(way: str, user: str) -> None:
    outcomes = _siege(way, user, PROBES).outcomes
    assert set(outcomes) == set(PROBES)
    assert {probe: outcome.ended for probe, outcome in outcomes.items() if not outcome.began} == {}
    assert {probe: (outcome.reached, outcome.ended) for probe, outcome in outcomes.items() if outcome.reached} == {}


@pytest.mark.parametrize("probe", FREE)
def test_a_probe_gets_through_where_there_is_no_sandbox(probe: str) -> None:
    chosen = SAMPLE if probe in SAMPLE else tuple(other for other in PROBES if other not in SAMPLE)
    outcome = _siege(NOTHING, "root" if os.geteuid() == 0 else "somebody", chosen).outcomes[probe]
    if not outcome.reached and probe in _KERNEL_MAY_LACK:
        pytest.skip("this kernel does not have it")
    if not outcome.reached and os.geteuid():
        pytest.skip("this user cannot do it anyway")
    assert outcome.reached, outcome.ended


def test_a_probe_tries_each_thing_that_a_sandbox_forbids() -> None:
    assert len(PROBES) >= 40
    assert {probe.partition(".")[0] for probe in PROBES} >= {
        "reads",
        "writes",
        "packets",
        "keys",
        "excess",
        "processes",
    }


def _siege(way: str, user: str, chosen: tuple[str, ...]) -> Siege:
    """Run probes, each in a place of its own; skip where that cannot be done."""
    run = _run(way, *_person(user), chosen)
    assert not run.returncode, run.stderr.decode()
    siege = Siege.model_validate_json(run.stdout)
    if siege.refused:
        lacking("bubblewrap" if way == "bubblewrap" else "a sandbox", siege.refused)
    return siege


@cache
def _run(way: str, number: int, python: str, chosen: tuple[str, ...]) -> "subprocess.CompletedProcess[bytes]":
    command: list[str | Path] = [sys.executable, _SIEGE, way, str(number), python, *chosen]
    return subprocess.run(command, capture_output=True, check=False)


@cache
def _person(user: str) -> tuple[int, str]:
    """Return the number of a user, and an interpreter for him."""
    if os.geteuid():
        if user == "root":
            pytest.skip("these tests are not run by root")
        return os.geteuid(), launcher_process.host_interpreter()
    if user == "root":
        return 0, launcher_process.host_interpreter()
    for python in (launcher_process.host_interpreter(), _SYSTEM_PYTHON):
        if _can_run(python):
            return _SOMEBODY, python
    pytest.skip("there is no interpreter of Python 3.11 that every user can run")


def _can_run(python: str) -> bool:
    try:
        tried = subprocess.run(
            [python, "-I", "-S", "-c", _USABLE], user=_SOMEBODY, group=_SOMEBODY, check=False, cwd="/"
        )
    except PermissionError:
        return False
    return not tried.returncode
