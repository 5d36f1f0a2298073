"""The sandboxes that work on this machine, a workspace, and a way to see what still lives."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest

from fakes.needed import lacking
from quaestor.contracts.sandbox import Sandbox
from quaestor.tools.sandbox import launcher_process
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox, probe_sandbox

PYTHON = launcher_process.host_interpreter()
_OLDER = "launcher on Linux 6.2"
_TIERS: dict[str, Sandbox] = {
    "bubblewrap": BubblewrapSandbox(PYTHON),
    "launcher": LauncherSandbox(PYTHON),
    _OLDER: LauncherSandbox(PYTHON, landlock=3),
}


@pytest.fixture(params=["bubblewrap", "launcher", pytest.param(_OLDER, marks=pytest.mark.soak)])
def sandbox(request: pytest.FixtureRequest) -> Sandbox:
    if flaw := _flaw(request.param):
        lacking("bubblewrap" if request.param == "bubblewrap" else "a sandbox", flaw)
    return _TIERS[request.param]


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def mark() -> str:
    """Words that tell the processes of one test from all others."""
    return f"mark-{secrets.token_hex(8)}"


@pytest.fixture
def alive() -> Callable[[str], list[int]]:
    """Find the processes that have a mark among their arguments."""
    return _alive


def _alive(mark: str) -> list[int]:
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "cmdline").read_bytes():
                found.append(int(process.name))
    return found


@cache
def _flaw(tier: str) -> str | None:
    return asyncio.run(probe_sandbox(_TIERS[tier], PYTHON))
