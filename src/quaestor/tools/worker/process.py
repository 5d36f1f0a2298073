"""A worker process as its parent sees it: asked one thing at a time, and killed when that takes too long."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from threading import Lock

from quaestor.contracts.immutable import Immutable
from quaestor.tools.worker.child import FrameTooLarge, read_frame, write_frames
from quaestor.tools.worker.deadlines import deadlines

_REQUIRED_VARIABLES = ("SYSTEMROOT",)
"""Without it Windows starts no program."""
_EXIT_SECONDS = 2
"""The end of a process's pipe comes a little earlier than its exit code."""
_MAX_AHEAD_BYTES = 32_768
"""Half of what a pipe holds on Linux, which a sender need not wait for anybody to read."""
_OUTSIDE_EXIT_CODES = frozenset({0, -signal.SIGTERM, -signal.SIGINT, -9})
"""How a worker ends that no request has ended: it was idle, or something killed it, with signal 9 if not softly."""


class WorkerSettings(Immutable):
    """How a worker is started and ended."""

    module: str
    """Run by `python -m`."""
    environment: Mapping[str, str]
    """All that the worker gets of an environment, besides what Python and Windows need."""
    max_response_bytes: int
    exit_seconds: float = 0
    """After its input has ended, a worker may take so long to end by itself."""


class WorkerError(Exception):
    """A worker gave no response."""


class WorkerUnavailable(WorkerError):
    """No worker can be started, or the request was cancelled."""


class InvalidResponse(WorkerError):
    """What a worker wrote is no response; something in its request controls it."""


class WorkerTimedOut(WorkerError):
    """A worker took too long."""


class NotServed(WorkerError):
    """A worker ended with the request before this one, which it has not begun."""


class WorkerExited(WorkerError):
    """A worker ended before it gave a response."""

    def __init__(self, exit_code: int | None) -> None:
        super().__init__(f"the worker ended with {exit_code}")
        self.exit_code = exit_code

    @property
    def is_from_outside(self) -> bool:
        """Whether something else than its request has ended it."""
        return self.exit_code in _OUTSIDE_EXIT_CODES


def is_short(messages: Iterable[bytes]) -> bool:
    """Return whether a request fits into the pipe of a worker that is still busy with the one before."""
    return sum(map(len, messages)) <= _MAX_AHEAD_BYTES


class Worker:
    """One process in a session of its own; it gets no terminal and no open file, and its standard error is dropped.

    It may be asked again once it has begun with a request: a short one is sent then, so that the process need not wait
    for a thread of its parent. Raises WorkerUnavailable when it cannot be started.
    """

    def __init__(self, settings: WorkerSettings) -> None:
        self.requests = 0
        self._settings = settings
        self._timed_out = False
        self._closed = False
        self._receiving = Lock()
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- this program itself
                (sys.executable, "-B", "-P", "-m", settings.module),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,  # a library may print secrets or parts of a document
                env=_environment(settings.environment),
                cwd=os.path.abspath(os.sep),  # noqa: PTH100 -- the root of the drive, where there are drives
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:  # no room for another process
            raise WorkerUnavailable(str(error)) from error

    @property
    def is_alive(self) -> bool:
        """Whether it can be asked."""
        return self._process.poll() is None

    def ask(self, seconds: float, *messages: bytes, begun: Callable[[], object] | None = None) -> bytes:
        """Return the response to a request; whatever interrupts this ends the worker.

        `begun` is called when the request is the first in line and was sent; the next one may be made from then on.

        Raises WorkerTimedOut after `seconds` in which the request was the first in line, WorkerExited when the worker
        ends without a response, and NotServed when it has ended with the request before.
        """
        self.requests += 1
        ahead = is_short(messages)
        try:
            if ahead:
                self._send(messages)
            self._receiving.acquire()
        except BaseException:
            self.close()  # else the response to what was sent would be read as that to the next request
            raise
        try:
            if self._closed:
                raise NotServed
            return self._receive(seconds, () if ahead else messages, begun)
        finally:
            self._receiving.release()

    def _receive(self, seconds: float, unsent: tuple[bytes, ...], begun: Callable[[], object] | None) -> bytes:
        """Send what was not sent ahead, and return the response."""
        finished = False
        try:
            with deadlines().within(seconds, self._time_out):
                self._send(unsent)
                if begun:
                    begun()
                response = self._read_response()
            finished = True
        finally:
            if not finished:
                self.close()
        if response is not None and not self._timed_out:
            return response
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_EXIT_SECONDS)
        self.close()
        if self._timed_out:
            raise WorkerTimedOut(f"no response within {seconds:g} s")
        raise WorkerExited(self._process.returncode)

    def stop(self) -> None:
        """Wait for its end if allowed, then kill it and its children. Safe from any thread and more than once."""
        if self._settings.exit_seconds and self.is_alive:
            self._end_input()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(self._settings.exit_seconds)
        if not self.is_alive:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # macOS permits no signal to what has just ended
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Stop it, wait for its end and close its pipes."""
        self._closed = True
        self.stop()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):  # what could not be sent any more
                    pipe.close()

    def _send(self, messages: tuple[bytes, ...]) -> None:
        if messages and (requests := self._process.stdin):
            with suppress(OSError, ValueError):  # it has ended; its response will be missing
                write_frames(requests, *messages)

    def _read_response(self) -> bytes | None:
        with suppress(OSError, ValueError, FrameTooLarge):  # a ValueError: who found that it has ended has closed it
            if responses := self._process.stdout:
                return read_frame(responses, self._settings.max_response_bytes)
        return None

    def _end_input(self) -> None:
        """Put the null device in the place of the pipe: a close would wait for a thread that writes to it."""
        nothing = os.open(os.devnull, os.O_WRONLY)
        with suppress(ValueError):  # it is closed
            if self._process.stdin:
                os.dup2(nothing, self._process.stdin.fileno())
        os.close(nothing)

    def _time_out(self) -> None:
        self._timed_out = True
        self.stop()


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    required = {name: os.environ[name] for name in _REQUIRED_VARIABLES if name in os.environ}
    path = os.pathsep.join(path or os.getcwd() for path in sys.path)  # noqa: PTH109
    return {**required, **given, "PYTHONPATH": path}
