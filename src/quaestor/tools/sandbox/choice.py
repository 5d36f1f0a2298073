"""Which sandbox commands run in here: the best one that withstands an attempt to escape from it."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import Allowance, Sandbox, Standing
from quaestor.tools.sandbox import room
from quaestor.tools.sandbox.bubblewrap import Bubblewrap
from quaestor.tools.sandbox.launched import Launched

if sys.platform != "win32":
    import fcntl

_ALLOWED = Allowance(seconds=5, processes=16)
_NO_GLUE = "glue: pydantic-monty is not installed; pip install 'quaestor[sandbox]'"
_NOT_LINUX = "bubblewrap, launcher: commands can be confined on Linux alone"


@dataclass(frozen=True)
class Choice:
    """The sandbox to use, or none, and what there is to say about it."""

    sandbox: Sandbox | None
    standing: Standing


async def choose(python: str | None = None) -> Choice:
    """Try the tiers, the best one first, and give the first that holds.

    `python` is the interpreter the launcher runs on, else the one of this program.
    """
    python = python or room.interpreter()
    return await choose_among((Bubblewrap(python), Launched(python)), python)


async def choose_among(tiers: Sequence[Sandbox], python: str) -> Choice:
    """Give the first of these that holds; with none, commands are refused."""
    glue = find_spec("pydantic_monty") is not None
    reasons = () if glue else (_NO_GLUE,)
    if sys.platform != "linux":
        return Choice(None, Standing(tier=None, glue=glue, reasons=(*reasons, _NOT_LINUX)))
    for tier in tiers:
        flaw = await flaw_of(tier, python)
        if flaw is None:
            return Choice(tier, Standing(tier=tier.name, glue=glue, reasons=reasons))
        reasons = (*reasons, f"{tier.name}: {flaw}")
    return Choice(None, Standing(tier=None, glue=glue, reasons=reasons))


async def flaw_of(sandbox: Sandbox, python: str) -> str | None:
    """Say what is wrong with a sandbox; None: it could be used, and nothing got out of it."""
    attempt = (room.LAUNCHER / "attempt.py").read_text(encoding="utf-8")
    with TemporaryDirectory(prefix="quaestor-") as made:
        outside = Path(made)
        workspace = outside / "workspace"
        workspace.mkdir()
        (outside / "secret").write_bytes(b"secret")
        targets = (str(outside / "secret"), str(outside / "written"), str(os.getpid()))
        try:
            ran = await sandbox.run((python, "-I", "-S", "-c", attempt, *targets), workspace, b"", _ALLOWED)
        except ToolFailed as error:
            return str(error)
        if ran.exit_code:
            return f"a trial in it ended with {ran.exit_code}: {(ran.limit or ran.stderr).strip()[-200:]}"
        achieved = ran.stdout.splitlines()
        achieved += ["write a file outside"] * (outside / "written").exists()
        achieved += ["outlive its end"] * _locked(workspace / "held")
        return f"it let a trial {', '.join(achieved)}" if achieved else None


def _locked(lock: Path) -> bool:
    """Say whether a process lives that has the lock."""
    with lock.open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
