"""Runs many short programs as a normal user, and prints how each call ended.

`python normal_user.py TIER PYTHON CALLS`
"""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

from quaestor.contracts.sandbox import ResourceLimits
from quaestor.tools.sandbox.tiers import BubblewrapSandbox, LauncherSandbox

_USER = 61_234
_PROGRAMS = "for i in $(seq 300); do /bin/true; done"


async def _main(tier: str, python: str, calls: int, workspace: Path) -> None:
    sandbox = {"bubblewrap": BubblewrapSandbox, "launcher": LauncherSandbox}[tier](python)
    for _ in range(calls):
        ran = await sandbox.run(("sh", "-c", _PROGRAMS), workspace, b"", ResourceLimits())
        sys.stdout.write(f"{ran.exit_code}{ran.limit}\n")


if __name__ == "__main__":
    asyncio.run(asyncio.to_thread(int))  # what is imported where it is needed must be imported before
    folder = Path(tempfile.mkdtemp(prefix="normal-user-"))
    os.chown(folder, _USER, _USER)
    try:
        os.setgroups([])
        os.setgid(_USER)
        os.setuid(_USER)
        asyncio.run(_main(sys.argv[1], sys.argv[2], int(sys.argv[3]), folder))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
