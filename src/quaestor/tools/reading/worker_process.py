"""The worker as its parent sees it: one process, asked about one document at a time."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Timer

from pydantic import ValidationError

from quaestor.tools.reading import protocol
from quaestor.tools.reading.protocol import (
    MAX_RESPONSE_BYTES,
    RESPONSE_ADAPTER,
    ParsedDocument,
    ReadRequest,
    SkipReason,
)

TIMEOUT_SECONDS = 30
_SHUTDOWN_SECONDS = 2

_COMMAND = (sys.executable, "-B", "-P", "-m", "quaestor.tools.reading.worker")
_SETTINGS = {
    "MALLOC_ARENA_MAX": "1",
    "PYTHONHASHSEED": "0",
    "RAYON_NUM_THREADS": "1",
    "TOKIO_WORKER_THREADS": "1",
}
"""A document gives the same text every time, and no threads reserve address space that counts against the limit."""
_REQUIRED_VARIABLES = ("SYSTEMROOT",)
"""Without it Windows starts no program."""
_EXTERNAL_EXIT_CODES = {0, -signal.SIGTERM, -signal.SIGINT, -9}
"""How a worker ends that no document has ended: it was idle, or somebody killed it, with signal 9 if not softly."""


class WorkerGone(Exception):
    """There is no worker, or it was ended from outside before it gave an answer."""


class Worker:
    """A process that reads documents; it gets nothing of this one's environment, terminal or open files.

    Raises Gone when it cannot be started.
    """

    def __init__(self, seconds: float = TIMEOUT_SECONDS) -> None:
        self.asked = 0
        self._seconds = seconds
        self._timed_out = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- this program itself
                _COMMAND,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                cwd=os.path.abspath(os.sep),  # noqa: PTH100 -- the root of the drive, where there are drives
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:  # no room for another process
            raise WorkerGone(str(error)) from error

    @property
    def alive(self) -> bool:
        """Say whether it can be asked."""
        return self._process.poll() is None

    def ask(self, request: ReadRequest, content: bytes) -> ParsedDocument | SkipReason:
        """Give what the document says, or why it is not read; whatever interrupts this ends the worker.

        Raises Gone.
        """
        self.asked += 1
        late = Timer(self._seconds, self._kill_on_timeout)
        late.start()
        over = False
        try:
            received = self._exchange(request, content)
            over = True
        finally:
            late.cancel()
            if not over:
                self.end()
        return self._failure_reason() if received is None else self._validate(received)

    def kill(self) -> None:
        """Kill it and what it started; from any thread, and more than once."""
        if not self.alive:
            return
        if sys.platform == "win32":
            self._process.kill()
        else:
            with suppress(ProcessLookupError, PermissionError):  # macOS permits no signal to what has just ended
                os.killpg(self._process.pid, signal.SIGKILL)

    def end(self) -> None:
        """Kill it, wait for its end and close its pipes."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):  # what it was not sent any more
                    pipe.close()

    def _exchange(self, request: ReadRequest, content: bytes) -> bytes | None:
        requests, answers = self._process.stdin, self._process.stdout
        with suppress(OSError, protocol.FrameTooLarge):
            if requests and answers:
                protocol.write_frames(requests, request.model_dump_json().encode(), content)
                return protocol.read_frame(answers, MAX_RESPONSE_BYTES)
        return None

    def _failure_reason(self) -> SkipReason:
        """Say why there is no answer, by how the process ended; the end of its pipe comes a little earlier."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_SHUTDOWN_SECONDS)
        self.end()
        if self._timed_out:
            return SkipReason.TOO_SLOW
        if sys.platform != "win32" and self._process.returncode == -signal.SIGXCPU:
            return SkipReason.TOO_MUCH_WORK
        if self._process.returncode in _EXTERNAL_EXIT_CODES:
            raise WorkerGone
        return SkipReason.CRASHED

    def _validate(self, received: bytes) -> ParsedDocument | SkipReason:
        try:
            return RESPONSE_ADAPTER.validate_json(received)
        except ValidationError:  # a document has got hold of its reader
            self.end()
            return SkipReason.CRASHED

    def _kill_on_timeout(self) -> None:
        self._timed_out = True
        self.kill()


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _REQUIRED_VARIABLES if name in os.environ}
    return {**kept, **_SETTINGS, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}  # noqa: PTH109
