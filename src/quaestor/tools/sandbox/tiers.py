"""The sandbox tiers, bubblewrap and the launcher alone, and the choice of the first that no escape attempt leaves."""

import asyncio
import os
import secrets
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.installation import install_command
from quaestor.contracts.sandbox import CommandResult, ResourceLimits, Sandbox, SandboxStatus, SandboxTier
from quaestor.tools.sandbox import launcher_process
from quaestor.tools.sandbox.launcher.scratch import remove
from quaestor.tools.sandbox.launcher_process import run_launcher

_SCRATCH = "/tmp"  # noqa: S108 -- of the sandbox alone
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 -- likewise
_SHARED_MEMORY_BYTES = 2**26
_LAUNCHER_MOUNT = "/run/quaestor"
_BWRAP_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/pts", "/dev/ptmx")
_DEVICE_NODES = ("null", "zero", "full", "random", "urandom", "tty")
_MASKED_PROC_FILES = (
    *("config.gz", "iomem", "ioports", "kallsyms", "kcore", "key-users", "keys", "kmsg", "kpagecgroup", "kpagecount"),
    *("kpageflags", "mtrr", "sched_debug", "slabinfo", "sysrq-trigger", "timer_list", "vmallocinfo"),
)
"""The files of /proc about the kernel, not about a process; some are readable by root only, which the caller may be."""
_NAMESPACE_FLAGS = (
    *("--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534"),
    *("--disable-userns", "--cap-drop", "ALL", "--clearenv"),
    *("--die-with-parent", "--new-session", "--as-pid-1", "--hostname", "sandbox"),
)
"""Who the command is: to its own user namespace nobody, with no capability and no way to make another namespace."""
MAX_LANDLOCK_ABI = 7
_LAUNCHER_DEVICES = ("/dev/null", "/dev/zero", "/dev/full")
_SYSTEM_INFO_FILES = (
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
)
"""What programs read of the system; nothing else of /proc is readable, because it shows every process."""
_PROBE_LIMITS = ResourceLimits(seconds=5, processes=16)
_NOT_LINUX = "bubblewrap, launcher: commands can be confined on Linux alone"


class BubblewrapSandbox:
    """A namespace with nothing but the system, the workspace and the command; a `Sandbox`."""

    name: SandboxTier = "bubblewrap"

    def __init__(self, python: str, program: str = "bwrap") -> None:
        self._python = python
        self._program = which(program) or program

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        """Run a command; nothing of it lives after that. Raises ToolFailed when it was not run."""
        folder = launcher_process.validate_workspace(workspace, self._python)
        with _own_devices() as devices:
            return await self._run(argv, folder, stdin, allowance, devices)

    async def _run(
        self, argv: Sequence[str], folder: Path, stdin: bytes, allowance: ResourceLimits, devices: Path | None
    ) -> CommandResult:
        prefix = self._namespace_command(folder, allowance, devices)
        options = [
            "alone=yes",
            f"modes={'yes' if devices or os.geteuid() else 'no'}",
            f"landlock={MAX_LANDLOCK_ABI}",
            "readable=/",
            *(f"volatile={path}" for path in (_SCRATCH, _SHARED_MEMORY)),
            *(f"writable={path}" for path in (folder, _SCRATCH, _SHARED_MEMORY, *_BWRAP_DEVICES)),
            *launcher_process.launcher_options(folder, _SCRATCH, self._python, allowance),
        ]
        launcher = launcher_process.launcher_command(self._python, _LAUNCHER_MOUNT)
        ran = await run_launcher(
            lambda control: [*prefix, "--", *launcher, f"control={control}", *options, "--", *argv], stdin, allowance
        )
        return ran.revised(kept_read_only=True)

    def _namespace_command(self, workspace: Path, allowance: ResourceLimits, devices: Path | None) -> list[str]:
        """Return the command that makes the namespaces.

        As long as the caller is root, root's own files in /proc/sys could be written to: no mount but the workspace,
        the temporary files and the shared memory stays writable. `devices` holds nodes to be used instead of the
        machine's own.
        """
        room_left = min(allowance.disk_bytes, allowance.memory_bytes)
        scratch = ("--size", str(room_left), "--tmpfs", _SCRATCH)  # first: an interpreter may lie below it
        return [
            *(self._program, *_NAMESPACE_FLAGS),
            *scratch,
            *(
                part
                for path in (*launcher_process.SYSTEM_PATHS, *launcher_process.installation_prefixes(self._python))
                for part in _bind_read_only(path)
            ),
            *(
                "--ro-bind",
                str(launcher_process.LAUNCHER_FOLDER),
                f"{_LAUNCHER_MOUNT}/{launcher_process.LAUNCHER_FOLDER.name}",
            ),
            # In this order: a mount hides what was mounted at its place before it.
            *("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
            *(part for path in _masked_paths() for part in ("--ro-bind", os.devnull, path)),
            *(
                part
                for node in _DEVICE_NODES
                if devices
                for part in ("--dev-bind", str(devices / node), f"/dev/{node}")
            ),
            *("--size", str(_SHARED_MEMORY_BYTES), "--tmpfs", _SHARED_MEMORY, "--remount-ro", "/dev"),
            *("--bind", str(workspace), str(workspace)),
            *(part for name in allowance.read_only for part in _bind_read_only(f"{workspace}/{name}")),
            # Last, because nothing can be mounted at a path that does not exist below a root that is read-only.
            *("--remount-ro", "/"),
        ]


@contextmanager
def _own_devices() -> Iterator[Path | None]:
    """Make device nodes for one run by root, who could give those of the machine another mode from within.

    None for any other user, and where no nodes can be made or used.
    """
    if os.geteuid():
        yield None
        return
    with TemporaryDirectory(prefix="quaestor-") as made:
        yield Path(made) if _make_devices(Path(made)) else None


def _make_devices(folder: Path) -> bool:
    try:
        for node in _DEVICE_NODES:
            os.mknod(folder / node, stat.S_IFCHR | 0o600, Path("/dev", node).stat().st_rdev)
            (folder / node).chmod(0o666)  # whatever the umask is
        (folder / "null").open("wb").close()  # refused where a file system has no devices
    except OSError:
        return False
    return True


def _bind_read_only(path: str) -> tuple[str, ...]:
    """Show a path of the system as it is, or as the link it is."""
    if Path(path).is_symlink():
        return ("--symlink", str(Path(path).readlink()), path)
    return ("--ro-bind-try", path, path)


def _masked_paths() -> list[str]:
    return [path for name in _MASKED_PROC_FILES if Path(path := f"/proc/{name}").exists()]


class LauncherSandbox:
    """A confinement in which the kernel refuses a command foreign files, sockets and signals; a `Sandbox`.

    It uses no newer version of Landlock than `landlock`.
    """

    name: SandboxTier = "launcher"

    def __init__(self, python: str, landlock: int = MAX_LANDLOCK_ABI) -> None:
        self._python = python
        self._landlock = landlock

    async def run(self, argv: Sequence[str], workspace: Path, stdin: bytes, allowance: ResourceLimits) -> CommandResult:
        """Run a command; nothing of it lives after that. Raises ToolFailed when it was not run."""
        folder = launcher_process.validate_workspace(workspace, self._python)
        scratch = f"{tempfile.gettempdir()}/quaestor-{secrets.token_hex(8)}"
        options = [
            "alone=no",
            "modes=no",
            f"landlock={self._landlock}",
            *(
                f"readable={path}"
                for path in (
                    *launcher_process.SYSTEM_PATHS,
                    *launcher_process.installation_prefixes(self._python),
                    *_SYSTEM_INFO_FILES,
                )
            ),
            *(f"writable={path}" for path in (folder, scratch, *_LAUNCHER_DEVICES)),
            *launcher_process.launcher_options(folder, scratch, self._python, allowance),
        ]
        launcher = launcher_process.launcher_command(self._python, str(launcher_process.LAUNCHER_FOLDER.parent))
        try:
            return await run_launcher(
                lambda control: [*launcher, f"control={control}", *options, "--", *argv], stdin, allowance
            )
        finally:
            await asyncio.to_thread(_ensure_removed, scratch)


def _ensure_removed(folder: str) -> None:
    """Remove temporary files, also when the launcher, which removes them, was killed."""
    if Path(folder).exists():
        with suppress(OSError):
            remove(folder)


if sys.platform != "win32":
    import fcntl


class SandboxSelection(Immutable, dict=True):
    """The sandbox to use, or none, and the reasons for the choice."""

    sandbox: Sandbox | None
    standing: SandboxStatus


async def select_sandbox(python: str | None = None) -> SandboxSelection:
    """Try the tiers, the best one first, and return the first that holds.

    `python` is the interpreter the launcher runs on, else the one of this program.
    """
    python = python or launcher_process.host_interpreter()
    return await select_from_tiers((BubblewrapSandbox(python), LauncherSandbox(python)), python)


async def select_from_tiers(tiers: Sequence[Sandbox], python: str) -> SandboxSelection:
    """Return the first of these that holds; with none, commands are refused."""
    glue = find_spec("pydantic_monty") is not None
    reasons = () if glue else (f"glue: pydantic-monty is not installed; {install_command('sandbox')}",)
    if sys.platform != "linux":
        return SandboxSelection(None, SandboxStatus(tier=None, snippets=glue, reasons=(*reasons, _NOT_LINUX)))
    for tier in tiers:
        flaw = await probe_sandbox(tier, python)
        if flaw is None:
            return SandboxSelection(tier, SandboxStatus(tier=tier.name, snippets=glue, reasons=reasons))
        reasons = (*reasons, f"{tier.name}: {flaw}")
    return SandboxSelection(None, SandboxStatus(tier=None, snippets=glue, reasons=reasons))


async def probe_sandbox(sandbox: Sandbox, python: str) -> str | None:
    """Return the flaw of a sandbox; None: it works, and the escape attempt failed."""
    attempt = (launcher_process.LAUNCHER_FOLDER / "escape_probe.py").read_text(encoding="utf-8")
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
        # The probe leaves a process with this lock behind; a sandbox that holds has killed it by now.
        achieved += ["outlive its end"] * _is_locked(workspace / "held")
        return f"it let a trial {', '.join(achieved)}" if achieved else None


def _is_locked(lock: Path) -> bool:
    """Return whether a living process holds the lock."""
    with lock.open("rb") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False
