"""The launcher process: its command line, the environment of the command, its streams and its report."""

import asyncio
import os
import socket
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import get_args

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import KILLED_EXIT_CODE, CommandResult, ResourceLimits, SandboxLimit
from quaestor.tools.sandbox.cgroup import command_group

_CHUNK = 65_536
_GRACE_SECONDS = 10
"""So much longer than the command may take the launcher is waited for, which ends it in time by itself."""
_MAX_REPORT_BYTES = 8192
_LIMITS: dict[str, SandboxLimit] = {limit: limit for limit in get_args(SandboxLimit)}
LAUNCHER_FOLDER = Path(__file__).parent / "launcher"
SYSTEM_PATHS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/ssl/certs",
)
"""Programs, libraries and what they look up; nothing of it is a secret on any usual system."""


class _CappedStream:
    """What a command writes, up to so many bytes; `full` is called when there is more."""

    def __init__(self, most: int, full: Callable[[], None]) -> None:
        self.cut = False
        self._most = most
        self._on_full = full
        self._content = bytearray()

    @property
    def text(self) -> str:
        return self._content.decode(errors="replace")

    async def read(self, source: asyncio.StreamReader | None) -> None:
        while source and (chunk := await source.read(_CHUNK)):
            room = self._most - len(self._content)
            self._content += chunk[:room]
            if len(chunk) > room and not self.cut:
                self.cut = True
                self._on_full()


async def run_launcher(
    launch: Callable[[int], Sequence[str]], stdin: bytes, allowance: ResourceLimits
) -> CommandResult:
    """Run what `launch` says for the descriptor the launcher reports to; nothing of it lives after that.

    Raises ToolFailed when the command was not run.
    """
    now = asyncio.get_running_loop().time
    began = now()
    ours, theirs = socket.socketpair()
    with ours, command_group(allowance) as group:
        # This end is closed as soon as the launcher has it; else its end would never be seen on ours.
        with theirs:
            command = launch(theirs.fileno())
            command = group.command(command) if group else command
            process = await _start_launcher(command, theirs.fileno(), has_stdin=bool(stdin))
        stdout, stderr = (_CappedStream(allowance.output_bytes, lambda: _close_control(ours)) for _ in range(2))
        reading = (stdout.read(process.stdout), stderr.read(process.stderr))
        try:
            async with asyncio.timeout(allowance.seconds + _GRACE_SECONDS):
                await asyncio.gather(_write_stdin(process, stdin), *reading, process.wait())
        except TimeoutError as error:
            raise ToolFailed(
                f"the sandbox did not end a command after {allowance.seconds:g} s; it was killed"
            ) from error
        finally:
            # Also when this task was cancelled: with nobody at the other end the launcher ends the command.
            _close_control(ours)
            await _wait_or_kill(process)
        # The report is short enough to lie in the socket as a whole, so it is read when its writer has ended.
        words = _read_report(ours) or f"refused {stderr.text.strip() or 'the launcher was killed'}"
        killed = group.exceeded() if group else None
    # What the kernel counted goes first: where it killed the group, the launcher could report nothing.
    code, limit = (KILLED_EXIT_CODE, killed) if killed else _parse_report(words)
    # The launcher does not know of this limit: it only saw that nobody waited any more.
    if limit is None and (stdout.cut or stderr.cut):
        code, limit = KILLED_EXIT_CODE, "output"
    return CommandResult(
        exit_code=code,
        limit=limit,
        stdout=stdout.text,
        stdout_cut=stdout.cut,
        stderr=stderr.text,
        stderr_cut=stderr.cut,
        seconds=now() - began,
    )


async def _start_launcher(command: Sequence[str], control: int, *, has_stdin: bool) -> Process:
    """Start the launcher; it gets nothing of this process's environment, terminal or open files."""
    try:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE if has_stdin else DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            pass_fds=(control,),
            # Of the environment nothing is handed on, as keys are in it; of the files only the control socket.
            env={},
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:  # no such program, or no room for another process
        raise ToolFailed(f"the sandbox could not be started: {command[0]}: {error.strerror}") from error


async def _write_stdin(process: Process, stdin: bytes) -> None:
    if process.stdin:
        with suppress(BrokenPipeError, ConnectionResetError):  # a command need not read what it is given
            process.stdin.write(stdin)
            await process.stdin.drain()
        process.stdin.close()


async def _wait_or_kill(process: Process) -> None:
    """Wait for the launcher, which ends everything; one that does not is killed."""
    try:
        async with asyncio.timeout(_GRACE_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _close_control(control: socket.socket) -> None:
    """Close the control socket, which ends the command."""
    with suppress(OSError):  # it has ended
        # The end of this socket is also how the launcher learns that this process was killed.
        control.shutdown(socket.SHUT_WR)


def _read_report(control: socket.socket) -> str:
    control.setblocking(False)
    with suppress(BlockingIOError, ConnectionResetError):
        return control.recv(_MAX_REPORT_BYTES).decode(errors="replace")
    return ""


def _parse_report(words: str) -> tuple[int, SandboxLimit | None]:
    """Read the launcher's report: an exit code, and the limit that ended the command."""
    kind, _, rest = words.partition(" ")
    if kind != "ran":
        raise ToolFailed(f"the sandbox could not be set up: {rest}")
    code, _, limit = rest.partition(" ")
    return int(code), _LIMITS.get(limit)


def validate_workspace(workspace: Path, python: str) -> Path:
    """Return the real path of a workspace.

    Raises ToolFailed when it is no folder of this user, or holds what this program runs on: that could be changed.
    """
    folder = Path(os.path.realpath(workspace))
    if not folder.is_dir() or folder.stat().st_uid != os.geteuid():
        raise ToolFailed(f"the workspace {folder} is no folder of this user; give a folder that is")
    for needed in (*SYSTEM_PATHS, *installation_prefixes(python), str(LAUNCHER_FOLDER)):
        if Path(needed).is_relative_to(folder):
            raise ToolFailed(f"the workspace {folder} holds {needed}, which no command may change; give another folder")
    return folder


def host_interpreter() -> str:
    """Return the Python that this program runs on, not the one of its virtual environment."""
    return os.path.realpath(sys.executable)


def installation_prefixes(python: str) -> tuple[str, ...]:
    """Return the folders where a Python and, if it is this program's own, its packages are installed."""
    own = (sys.base_prefix, sys.prefix) if python == host_interpreter() else ()
    named = [
        folder for prefix in (str(Path(python).parent.parent), *own) for folder in (prefix, os.path.realpath(prefix))
    ]
    return tuple(folder for folder in dict.fromkeys(named) if folder != "/" and not _is_below(folder, SYSTEM_PATHS))


def command_environment(workspace: Path, scratch: str, python: str) -> dict[str, str]:
    """Return the whole environment of a command; nothing of this process's own is in it."""
    programs = (
        *(f"{folder}/bin" for folder in reversed(installation_prefixes(python))),
        "/usr/local/bin",
        "/usr/bin",
        "/bin",
    )
    return {
        "PATH": os.pathsep.join(programs),
        "HOME": str(workspace),
        "TMPDIR": scratch,
        "USER": "nobody",
        "LOGNAME": "nobody",
        "LANG": "C.UTF-8",
        "TERM": "dumb",
        "OMP_NUM_THREADS": "4",
        "OPENBLAS_NUM_THREADS": "4",
    }


def _is_below(folder: str, above: Sequence[str]) -> bool:
    return any(Path(folder).is_relative_to(other) for other in above)


def launcher_options(workspace: Path, scratch: str, python: str, allowance: ResourceLimits) -> list[str]:
    """Return the options of the launcher that every tier passes."""
    return [
        f"workspace={workspace}",
        f"scratch={scratch}",
        f"seconds={allowance.seconds}",
        f"memory={allowance.memory_bytes}",
        f"processes={allowance.processes}",
        f"disk={allowance.disk_bytes}",
        *(f"environment={name}={value}" for name, value in command_environment(workspace, scratch, python).items()),
    ]


def launcher_command(python: str, folder: str) -> list[str]:
    """Return the command that starts the launcher, found in a folder; its orders follow.

    It needs no installed package, and no installed package may interfere.
    """
    start = "import sys; sys.path.append(sys.argv[1]); from launcher.main import main; main(sys.argv[2:])"
    return [python, "-I", "-S", "-c", start, folder]
