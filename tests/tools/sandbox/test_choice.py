import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import Allowance, Ran, Tier
from quaestor.tools.sandbox import choose, room
from quaestor.tools.sandbox.bubblewrap import Bubblewrap
from quaestor.tools.sandbox.choice import choose_among, flaw_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are confined on Linux alone")

_PYTHON = room.interpreter()


class Open:
    """Confines nothing."""

    name: Tier = "bubblewrap"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: Allowance) -> Ran:
        process = await asyncio.create_subprocess_exec(*argv, cwd=workspace, stdout=PIPE, stdin=PIPE)
        stdout, _ = await process.communicate(stdin)
        return Ran(exit_code=process.returncode or 0, stdout=stdout.decode(), seconds=allowance.seconds)


class Broken:
    """Runs nothing."""

    name: Tier = "launcher"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: Allowance) -> Ran:
        raise ToolFailed(f"{argv[0]} is not run in {workspace} for {allowance.seconds} s with {len(stdin)} bytes")


class Failing:
    """Ends every command at once."""

    name: Tier = "launcher"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: Allowance) -> Ran:
        return Ran(exit_code=1, stderr=f"{argv[0]} broke\n", seconds=allowance.seconds + len(stdin) * bool(workspace))


async def test_the_best_tier_that_holds_is_chosen() -> None:
    choice = await choose()
    assert choice.sandbox is not None, choice.standing
    assert choice.standing.tier == choice.sandbox.name
    assert await flaw_of(choice.sandbox, _PYTHON) is None


async def test_a_sandbox_that_lets_everything_through_is_found_out() -> None:
    flaw = await flaw_of(Open(), _PYTHON)
    assert flaw is not None
    for achieved in (
        "read a file outside",
        "write a file outside",
        "open a socket",
        "open a local socket",
        "read the secrets of another process",
        "signal another process",
        "outlive its end",
    ):
        assert achieved in flaw


async def test_with_no_tier_that_holds_there_is_no_sandbox_and_a_reason_for_each() -> None:
    choice = await choose_among((Open(), Broken(), Failing()), _PYTHON)
    assert choice.sandbox is None
    assert choice.standing.tier is None
    let_through, refused, failed = choice.standing.reasons[-3:]
    assert let_through.startswith("bubblewrap: it let a trial read a file outside")
    assert refused.startswith("launcher: ")
    assert refused.endswith("with 0 bytes")
    assert failed == f"launcher: a trial in it ended with 1: {_PYTHON} broke"


async def test_without_bubblewrap_the_next_tier_is_tried() -> None:
    choice = await choose_among((Bubblewrap(_PYTHON, "no-such-program"), Open()), _PYTHON)
    assert choice.standing.reasons[-2].startswith("bubblewrap: the sandbox could not be started: no-such-program")
