"""Starts a command in a sandbox and waits for it: `python starter.py TIER WORKSPACE MARK`."""

import asyncio
import sys
from pathlib import Path

from quaestor.contracts.sandbox import Allowance, Sandbox
from quaestor.tools.sandbox import room
from quaestor.tools.sandbox.bubblewrap import Bubblewrap
from quaestor.tools.sandbox.launched import Launched


async def _main(tier: str, workspace: Path, mark: str) -> None:
    sandbox: Sandbox = {"bubblewrap": Bubblewrap, "launcher": Launched}[tier](room.interpreter())
    sleeper = f"setsid sh -c 'touch began; sleep 100; : sleeper {mark}' & sleep 100"
    await sandbox.run(("sh", "-c", sleeper), workspace, b"", Allowance(seconds=60))


if __name__ == "__main__":
    asyncio.run(_main(sys.argv[1], Path(sys.argv[2]), sys.argv[3]))
