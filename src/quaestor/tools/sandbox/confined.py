"""One command under the launcher, as its starter sees it: what goes in, what comes out, and that it ends."""

import asyncio
import socket
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import get_args

from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.sandbox import KILLED, Allowance, Limit, Ran

_CHUNK = 65_536
_GRACE_SECONDS = 10
"""So much longer than the command may take the launcher is waited for, which ends it in time by itself."""
_REPORT = 8192
_LIMITS: dict[str, Limit] = {limit: limit for limit in get_args(Limit)}


class _Stream:
    """What a command writes, up to so many bytes; `full` is called when there is more."""

    def __init__(self, most: int, full: Callable[[], None]) -> None:
        self.cut = False
        self._most = most
        self._full = full
        self._kept = bytearray()

    @property
    def text(self) -> str:
        return self._kept.decode(errors="replace")

    async def read(self, source: asyncio.StreamReader | None) -> None:
        while source and (chunk := await source.read(_CHUNK)):
            room = self._most - len(self._kept)
            self._kept += chunk[:room]
            if len(chunk) > room and not self.cut:
                self.cut = True
                self._full()


async def run_confined(launch: Callable[[int], Sequence[str]], stdin: bytes, allowance: Allowance) -> Ran:
    """Run what `launch` says for the descriptor the launcher reports to; nothing of it lives after that.

    Raises ToolFailed when the command was not run.
    """
    now = asyncio.get_running_loop().time
    began = now()
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            process = await _started(launch(theirs.fileno()), theirs.fileno(), has_stdin=bool(stdin))
        stdout, stderr = (_Stream(allowance.output_bytes, lambda: _let_go(ours)) for _ in range(2))
        reading = (stdout.read(process.stdout), stderr.read(process.stderr))
        try:
            async with asyncio.timeout(allowance.seconds + _GRACE_SECONDS):
                await asyncio.gather(_feed(process, stdin), *reading, process.wait())
        except TimeoutError as error:
            raise ToolFailed(
                f"the sandbox did not end a command after {allowance.seconds:g} s; it was killed"
            ) from error
        finally:
            _let_go(ours)
            await _ended(process)
        words = _reported(ours) or f"refused {stderr.text.strip() or 'the launcher was killed'}"
    code, limit = _outcome(words)
    if limit is None and (stdout.cut or stderr.cut):
        code, limit = KILLED, "output"
    return Ran(
        exit_code=code,
        limit=limit,
        stdout=stdout.text,
        stdout_cut=stdout.cut,
        stderr=stderr.text,
        stderr_cut=stderr.cut,
        seconds=now() - began,
    )


async def _started(command: Sequence[str], control: int, *, has_stdin: bool) -> Process:
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


async def _feed(process: Process, stdin: bytes) -> None:
    if process.stdin:
        with suppress(BrokenPipeError, ConnectionResetError):  # a command need not read what it is given
            process.stdin.write(stdin)
            await process.stdin.drain()
        process.stdin.close()


async def _ended(process: Process) -> None:
    """Wait for the launcher, which ends everything; one that does not is killed."""
    try:
        async with asyncio.timeout(_GRACE_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()


def _let_go(control: socket.socket) -> None:
    """Tell the launcher that nobody waits for the command any more."""
    with suppress(OSError):  # it has ended
        control.shutdown(socket.SHUT_WR)


def _reported(control: socket.socket) -> str:
    control.setblocking(False)
    with suppress(BlockingIOError, ConnectionResetError):
        return control.recv(_REPORT).decode(errors="replace")
    return ""


def _outcome(words: str) -> tuple[int, Limit | None]:
    """Read the launcher's report: an exit code, and the limit that ended the command."""
    kind, _, rest = words.partition(" ")
    if kind != "ran":
        raise ToolFailed(f"the sandbox could not be set up: {rest}")
    code, _, limit = rest.partition(" ")
    return int(code), _LIMITS.get(limit)
