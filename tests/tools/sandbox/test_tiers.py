import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import PIPE

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import CommandResult, ResourceLimits, SandboxTier
from quaestor.tools.sandbox import launcher_process, select_sandbox
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, probe_sandbox, select_from_tiers

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="commands are confined on Linux alone")

_PYTHON = launcher_process.host_interpreter()


class Open:
    """Confines nothing."""

    name: SandboxTier = "bubblewrap"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        process = await asyncio.create_subprocess_exec(*argv, cwd=workspace, stdout=PIPE, stdin=PIPE)
        stdout, _ = await process.communicate(stdin)
        return CommandResult(exit_code=process.returncode or 0, stdout=stdout.decode(), seconds=allowance.seconds)


class Broken:
    """Runs nothing."""

    name: SandboxTier = "launcher"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        raise ToolFailed(f"{argv[0]} is not run in {workspace} for {allowance.seconds} s with {len(stdin)} bytes")


class Failing:
    """Ends every command at once."""

    name: SandboxTier = "launcher"

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        return CommandResult(
            exit_code=1, stderr=f"{argv[0]} broke\n", seconds=allowance.seconds + len(stdin) * bool(workspace)
        )


async def test_the_best_tier_that_holds_is_chosen() -> None:
    choice = await select_sandbox()
    assert choice.sandbox is not None, choice.standing
    assert choice.standing.tier == choice.sandbox.name
    assert await probe_sandbox(choice.sandbox, _PYTHON) is None


async def test_a_sandbox_that_lets_everything_through_is_found_out() -> None:
    flaw = await probe_sandbox(Open(), _PYTHON)
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
    choice = await select_from_tiers((Open(), Broken(), Failing()), _PYTHON)
    assert choice.sandbox is None
    assert choice.standing.tier is None
    let_through, refused, failed = choice.standing.reasons[-3:]
    assert let_through.startswith("bubblewrap: it let a trial read a file outside")
    assert refused.startswith("launcher: ")
    assert refused.endswith("with 0 bytes")
    assert failed == f"launcher: a trial in it ended with 1: {_PYTHON} broke"


async def test_without_bubblewrap_the_next_tier_is_tried() -> None:
    choice = await select_from_tiers((BubblewrapSandbox(_PYTHON, "no-such-program"), Open()), _PYTHON)
    assert choice.standing.reasons[-2].startswith("bubblewrap: the sandbox could not be started: no-such-program")
