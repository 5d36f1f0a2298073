"""One command under the launcher, as its starter sees it: what goes in, what comes out, and that it ends."""

import asyncio
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import get_args

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import KILLED_EXIT_CODE, CommandResult, ResourceLimits, SandboxLimit

_CHUNK = 65_536
_GRACE_SECONDS = 10
"""So much longer than the command may take the launcher is waited for, which ends it in time by itself."""
_MAX_REPORT_BYTES = 8192
_LIMITS: dict[str, SandboxLimit] = {limit: limit for limit in get_args(SandboxLimit)}


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
    with ours:
        with theirs:
            process = await _start_launcher(launch(theirs.fileno()), theirs.fileno(), has_stdin=bool(stdin))
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
            _close_control(ours)
            await _wait_or_kill(process)
        words = _read_report(ours) or f"refused {stderr.text.strip() or 'the launcher was killed'}"
    code, limit = _parse_report(words)
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
    """Tell the launcher that nobody waits for the command any more."""
    with suppress(OSError):  # it has ended
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
