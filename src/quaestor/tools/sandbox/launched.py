"""The tier for where user namespaces are refused: the launcher alone, among the other processes of this machine."""

import asyncio
import secrets
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from quaestor.contracts.sandbox import Allowance, Ran, Tier
from quaestor.tools.sandbox import room
from quaestor.tools.sandbox.confined import run_confined
from quaestor.tools.sandbox.launcher.scratch import remove

NEWEST_LANDLOCK = 7
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
_MACHINE = (
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
)
"""What programs ask of the machine; of /proc nothing else can be read, for it tells of every process."""


class Launched:
    """Runs commands that the kernel refuses every file but their own, every socket and every signal; a `Sandbox`.

    It uses no newer version of Landlock than `landlock`.
    """

    name: Tier = "launcher"

    def __init__(self, python: str, landlock: int = NEWEST_LANDLOCK) -> None:
        self._python = python
        self._landlock = landlock

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: Allowance) -> Ran:
        """Run a command; nothing of it lives after that. Raises ToolFailed when it was not run."""
        folder = room.checked(workspace, self._python)
        scratch = f"{tempfile.gettempdir()}/quaestor-{secrets.token_hex(8)}"
        told = [
            "alone=no",
            f"landlock={self._landlock}",
            *(f"readable={path}" for path in (*room.SYSTEM, *room.prefixes(self._python), *_MACHINE)),
            *(f"writable={path}" for path in (folder, scratch, *_DEVICES)),
            *room.orders(folder, scratch, self._python, allowance),
        ]
        launcher = room.launcher(self._python, str(room.LAUNCHER.parent))
        try:
            return await run_confined(
                lambda control: [*launcher, f"control={control}", *told, "--", *argv], stdin, allowance
            )
        finally:
            await asyncio.to_thread(_removed, scratch)


def _removed(folder: str) -> None:
    """See that temporary files are gone, also when somebody has killed the launcher, which removes them."""
    if Path(folder).exists():
        with suppress(OSError):
            remove(folder)
