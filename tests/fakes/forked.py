"""Processes of the program, forked from one that has loaded it: like those that are started, but for what it costs."""

import atexit
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from threading import Thread, Timer
from typing import TextIO

from quaestor.contracts.base import Contract

STREAMS = ("stdin", "stdout", "stderr")
_LOADED_BY: Mapping[str, str] = {
    "serve": "quaestor.faces.server.serving quaestor.faces.server.application:described_routes "
    "quaestor.faces.server.web.rendering:compile_templates",
    "backtest": "quaestor.trading.plugin",
    "decide": "quaestor.trading.plugin",
    "task": "quaestor.longtask.plugin",
}
"""What the first process of a command leaves loaded for those behind it."""


class CommandLine(Contract):
    """What a process is started with."""

    words: tuple[str, ...]
    environment: dict[str, str]
    folder: str


class Forked:
    """A process of the program, with those methods of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int, status: socket.socket, stdout: TextIO, stderr: TextIO) -> None:
        self.pid = pid
        self.stdout = stdout
        self.stderr = stderr
        self.returncode: int | None = None
        self._status = status

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, or minus the signal. Raises subprocess.TimeoutExpired."""
        if self.returncode is None:
            self._status.settimeout(timeout)
            try:
                self.returncode = int.from_bytes(self._status.recv(4), "big", signed=True)
            except TimeoutError as error:
                raise subprocess.TimeoutExpired("quaestor", timeout or 0) from error
        return self.returncode

    def communicate(self, timeout: float = 200) -> tuple[str, str]:
        """Return what else it writes to stdout and stderr; a process that does not end in time is killed."""
        out: list[str] = []
        reading, late = Thread(target=lambda: out.append(self.stdout.read())), Timer(timeout, self.kill)
        reading.start()
        late.start()
        err = self.stderr.read()
        reading.join()
        self.wait()
        late.cancel()
        return out[0], err


@contextmanager
def forked(
    words: Sequence[str],
    environment: Mapping[str, str] | None = None,
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
    *,
    loaded: str = "",
) -> Iterator[Forked]:
    """Run a command line until the end of the block. Without files of its own, stdin is empty and the others pipes.

    Modules that are `loaded`, by their names between spaces, are so for all later processes.
    """
    with ExitStack() as stack:
        empty = stack.enter_context(Path(os.devnull).open(encoding="utf-8"))
        reads, writes = zip(*(os.pipe() for _ in (stdout, stderr)), strict=True)
        out, err = (stack.enter_context(os.fdopen(each, encoding="utf-8")) for each in reads)
        status, other = socket.socketpair()
        stack.enter_context(status)
        given = (
            empty.fileno() if stdin is None else stdin,
            writes[0] if stdout is None else stdout,
            writes[1] if stderr is None else stderr,
        )
        with other:
            names = f"{_LOADED_BY.get(words[0], 'sys')} {loaded}"
            socket.send_fds(_control(), [names.encode()], [*given, other.fileno()])
        for each in writes:
            os.close(each)
        wanted = CommandLine(words=tuple(words), environment=dict(environment or os.environ), folder=str(Path.cwd()))
        status.sendall(wanted.model_dump_json().encode())
        status.shutdown(socket.SHUT_WR)
        process = Forked(int.from_bytes(status.recv(4), "big"), status, out, err)
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@cache
def _control() -> socket.socket:
    """Start the server that forks, one for all tests of this process; return the socket on which it is asked."""
    control, other = socket.socketpair()
    tests = Path(__file__).parents[1]
    plain = {name: value for name, value in os.environ.items() if not name.startswith("QUAESTOR_")}
    with other:
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("fork_server.py")), str(other.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[other.fileno()],
            env={**plain, "PYTHONPATH": str(tests)},
            cwd=tests,
        )

    def close() -> None:
        control.close()
        server.wait()

    atexit.register(close)
    return control
