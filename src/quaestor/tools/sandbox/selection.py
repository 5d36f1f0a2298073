"""Which sandbox commands run in here: the best one that withstands an attempt to escape from it."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import ResourceLimits, Sandbox, SandboxStatus
from quaestor.tools.sandbox import launch_environment
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox

if sys.platform != "win32":
    import fcntl

_PROBE_LIMITS = ResourceLimits(seconds=5, processes=16)
_MONTY_MISSING = "glue: pydantic-monty is not installed; pip install 'quaestor[sandbox]'"
_NOT_LINUX = "bubblewrap, launcher: commands can be confined on Linux alone"


@dataclass(frozen=True)
class SandboxSelection:
    """The sandbox to use, or none, and what there is to say about it."""

    sandbox: Sandbox | None
    standing: SandboxStatus


async def select_sandbox(python: str | None = None) -> SandboxSelection:
    """Try the tiers, the best one first, and give the first that holds.

    `python` is the interpreter the launcher runs on, else the one of this program.
    """
    python = python or launch_environment.host_interpreter()
    return await select_from_tiers((BubblewrapSandbox(python), LauncherSandbox(python)), python)


async def select_from_tiers(tiers: Sequence[Sandbox], python: str) -> SandboxSelection:
    """Give the first of these that holds; with none, commands are refused."""
    glue = find_spec("pydantic_monty") is not None
    reasons = () if glue else (_MONTY_MISSING,)
    if sys.platform != "linux":
        return SandboxSelection(None, SandboxStatus(tier=None, snippets=glue, reasons=(*reasons, _NOT_LINUX)))
    for tier in tiers:
        flaw = await probe_sandbox(tier, python)
        if flaw is None:
            return SandboxSelection(tier, SandboxStatus(tier=tier.name, snippets=glue, reasons=reasons))
        reasons = (*reasons, f"{tier.name}: {flaw}")
    return SandboxSelection(None, SandboxStatus(tier=None, snippets=glue, reasons=reasons))


async def probe_sandbox(sandbox: Sandbox, python: str) -> str | None:
    """Say what is wrong with a sandbox; None: it could be used, and nothing got out of it."""
    attempt = (launch_environment.LAUNCHER_FOLDER / "escape_probe.py").read_text(encoding="utf-8")
    with TemporaryDirectory(prefix="quaestor-") as made:
        outside = Path(made)
        workspace = outside / "workspace"
        workspace.mkdir()
        (outside / "secret").write_bytes(b"secret")
        targets = (str(outside / "secret"), str(outside / "written"), str(os.getpid()))
        try:
            ran = await sandbox.run((python, "-I", "-S", "-c", attempt, *targets), workspace, b"", _PROBE_LIMITS)
        except ToolFailed as error:
            return str(error)
        if ran.exit_code:
            return f"a trial in it ended with {ran.exit_code}: {(ran.limit or ran.stderr).strip()[-200:]}"
        achieved = ran.stdout.splitlines()
        achieved += ["write a file outside"] * (outside / "written").exists()
        achieved += ["outlive its end"] * _is_locked(workspace / "held")
        return f"it let a trial {', '.join(achieved)}" if achieved else None


def _is_locked(lock: Path) -> bool:
    """Say whether a process lives that has the lock."""
    with lock.open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
