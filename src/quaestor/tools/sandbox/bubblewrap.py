"""The better tier: a command in namespaces of its own, made by bubblewrap, and the launcher within."""

import os
from collections.abc import Sequence
from pathlib import Path
from shutil import which

from quaestor.contracts.sandbox import Allowance, Ran, Tier
from quaestor.tools.sandbox import room
from quaestor.tools.sandbox.confined import run_confined
from quaestor.tools.sandbox.launched import NEWEST_LANDLOCK

_SCRATCH = "/tmp"  # noqa: S108 -- of the sandbox alone
_SHARED = "/dev/shm"  # noqa: S108 -- likewise
_SHARED_SIZE = 2**26
_INSIDE = "/run/quaestor"
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/pts", "/dev/ptmx")
_HIDDEN = (
    *("config.gz", "iomem", "ioports", "kallsyms", "kcore", "key-users", "keys", "kmsg", "kpagecgroup", "kpagecount"),
    *("kpageflags", "mtrr", "sched_debug", "slabinfo", "sysrq-trigger", "timer_list", "vmallocinfo"),
)
"""Of /proc, what tells of the kernel and not of a process; some of it root alone may read, whom the caller may be."""
_NOBODY = (
    *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"),
    *("--disable-userns", "--cap-drop", "ALL", "--clearenv"),
    *("--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"),
)
"""Who the command is: to its own user namespace nobody, with no capability and no way to make another namespace."""


class Bubblewrap:
    """Runs commands where there is nothing but the system, the workspace and themselves; a `Sandbox`."""

    name: Tier = "bubblewrap"

    def __init__(self, python: str, program: str = "bwrap") -> None:
        self._python = python
        self._program = which(program) or program

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: Allowance) -> Ran:
        """Run a command; nothing of it lives after that. Raises ToolFailed when it was not run."""
        folder = room.checked(workspace, self._python)
        walls = self._walls(folder, allowance)
        told = [
            "alone=yes",
            f"landlock={NEWEST_LANDLOCK}",
            "readable=/",
            *(f"volatile={path}" for path in (_SCRATCH, _SHARED)),
            *(f"writable={path}" for path in (folder, _SCRATCH, _SHARED, *_DEVICES)),
            *room.orders(folder, _SCRATCH, self._python, allowance),
        ]
        launcher = room.launcher(self._python, _INSIDE)
        return await run_confined(
            lambda control: [*walls, "--", *launcher, f"control={control}", *told, "--", *argv], stdin, allowance
        )

    def _walls(self, workspace: Path, allowance: Allowance) -> list[str]:
        """Give the command that makes the namespaces.

        As long as the caller is root, root's own files in /proc/sys could be written to: no mount but the workspace,
        the temporary files and the shared memory stays writable.
        """
        room_left = min(allowance.disk_bytes, allowance.memory_bytes)
        scratch = ("--size", str(room_left), "--tmpfs", _SCRATCH)  # first: an interpreter may lie below it
        return [
            *(self._program, *_NOBODY),
            *scratch,
            *(part for path in (*room.SYSTEM, *room.prefixes(self._python)) for part in _shown(path)),
            *("--ro-bind", str(room.LAUNCHER), f"{_INSIDE}/{room.LAUNCHER.name}"),
            *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
            *(part for path in _hidden() for part in ("--ro-bind", os.devnull, path)),
            *("--size", str(_SHARED_SIZE), "--tmpfs", _SHARED, "--remount-ro", "/dev"),
            *("--bind", str(workspace), str(workspace), "--remount-ro", "/"),
        ]


def _shown(path: str) -> tuple[str, ...]:
    """Show a path of the system as it is, or as the link it is."""
    if Path(path).is_symlink():
        return ("--symlink", str(Path(path).readlink()), path)
    return ("--ro-bind-try", path, path)


def _hidden() -> list[str]:
    return [path for name in _HIDDEN if Path(path := f"/proc/{name}").exists()]
