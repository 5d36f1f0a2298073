"""A cgroup for one command: the kernel counts its memory and its processes, together with all that it starts.

It needs a cgroup of version 2 that is delegated to this user, with the controllers for memory and for processes, as a
user's own systemd has one. Elsewhere the launcher counts by itself.
"""

import os
import secrets
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from quaestor.contracts.sandbox import ResourceLimits, SandboxLimit

_ROOT = Path("/sys/fs/cgroup")
_OWN = Path("/proc/self/cgroup")
_CONTROLLERS = frozenset({"memory", "pids"})
_LAUNCHER_BYTES = 2**26
"""What bubblewrap and the launcher may take beside the command."""
_LAUNCHER_PROCESSES = 8
_ENTER = 'echo $$ > "$0/cgroup.procs" 2>/dev/null; exec "$@"'
"""Moves a shell into a cgroup, then becomes the command; outside of it the launcher still counts."""
_TRIES = 50
_TRY_SECONDS = 0.01


class CommandGroup:
    """The cgroup of one command."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def command(self, argv: Sequence[str]) -> list[str]:
        """Return the command that runs another one in the group."""
        return ["/bin/sh", "-c", _ENTER, str(self._folder), *argv]

    def exceeded(self) -> SandboxLimit | None:
        """Return the limit at which the kernel killed or refused a process of the group, or None."""
        if self._count("memory.events", "oom_kill"):
            return "memory"
        return "processes" if self._count("pids.events", "max") else None

    def kill(self) -> None:
        """Kill every process that is left in the group."""
        with suppress(OSError):
            # One write kills them all at once, also those that fork while they are killed one by one.
            (self._folder / "cgroup.kill").write_text("1", encoding="ascii")

    def _count(self, file: str, name: str) -> int:
        try:
            lines = (self._folder / file).read_text(encoding="ascii").splitlines()
        except OSError:
            return 0
        return next((int(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0)


def find_delegated(root: Path = _ROOT, own: Path = _OWN) -> Path | None:
    """Return the nearest cgroup above this process in which this user may make one with both controllers, or None."""
    try:
        lines = own.read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    path = next((line.removeprefix("0::/") for line in lines if line.startswith("0::/")), None)
    if path is None:
        return None
    here = root / path
    for folder in (here, *here.parents):
        if not folder.is_relative_to(root):
            return None
        if os.access(folder, os.W_OK) and os.access(folder / "cgroup.procs", os.W_OK) and _controls(folder):
            return folder
    return None


def _controls(folder: Path) -> bool:
    try:
        return set((folder / "cgroup.subtree_control").read_text(encoding="ascii").split()) >= _CONTROLLERS
    except OSError:
        return False


@contextmanager
def command_group(limits: ResourceLimits, parent: Path | None = None) -> Iterator[CommandGroup | None]:
    """Make a cgroup with these limits and remove it at the end with all that is left in it; None where none can be."""
    parent = parent or find_delegated()
    if parent is None:
        yield None
        return
    folder = parent / f"quaestor-{os.getpid()}-{secrets.token_hex(4)}"
    settings = {
        "memory.max": limits.memory_bytes + _LAUNCHER_BYTES,
        # Without it a limit of memory would only move what is above it to the disk.
        "memory.swap.max": 0,
        # All of them end together; else a shell would report one killed child as an ordinary failure.
        "memory.oom.group": 1,
        "pids.max": limits.processes + _LAUNCHER_PROCESSES,
    }
    try:
        folder.mkdir()
        for name, value in settings.items():
            (folder / name).write_text(str(value), encoding="ascii")
    except OSError:  # not every kernel has every file
        with suppress(OSError):
            folder.rmdir()
        yield None
        return
    group = CommandGroup(folder)
    try:
        yield group
    finally:
        group.kill()
        _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a cgroup; the last of its processes may still be ending."""
    for _ in range(_TRIES):
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(_TRY_SECONDS)
        else:
            return
