"""Starts a command in a sandbox and waits for it: `python starter.py TIER WORKSPACE MARK`."""

import asyncio
import sys
from pathlib import Path

from quaestor.contracts.sandbox import ResourceLimits, Sandbox
from quaestor.tools.sandbox import launcher_process
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox


async def _main(tier: str, workspace: Path, mark: str) -> None:
    sandbox: Sandbox = {"bubblewrap": BubblewrapSandbox, "launcher": LauncherSandbox}[tier](
        launcher_process.host_interpreter()
    )
    sleeper = f"setsid sh -c 'touch began; sleep 100; : sleeper {mark}' & sleep 100"
    await sandbox.run(("sh", "-c", sleeper), workspace, b"", ResourceLimits(seconds=60))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
