"""The worker as its parent sees it: one process, asked about one document at a time."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from threading import Timer

from pydantic import ValidationError

from quaestor.tools.reading import frames
from quaestor.tools.reading.asking import LARGEST_ANSWER, Answer, Request
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason

WALL_SECONDS = 30
_PARTING_SECONDS = 2

_COMMAND = (sys.executable, "-B", "-P", "-m", "quaestor.tools.reading.worker")
_SETTINGS = {
    "MALLOC_ARENA_MAX": "1",
    "PYTHONHASHSEED": "0",
    "RAYON_NUM_THREADS": "1",
    "TOKIO_WORKER_THREADS": "1",
}
"""A document gives the same text every time, and no threads reserve address space that counts against the limit."""
_NEEDED = ("SYSTEMROOT",)
"""Without it Windows starts no program."""
_OUTSIDE = {0, -signal.SIGTERM, -signal.SIGINT, -9}
"""How a worker ends that no document has ended: it was idle, or somebody killed it, with signal 9 if not softly."""


class Gone(Exception):
    """There is no worker, or it was ended from outside before it gave an answer."""


class Worker:
    """A process that reads documents; it gets nothing of this one's environment, terminal or open files.

    Raises Gone when it cannot be started.
    """

    def __init__(self, seconds: float = WALL_SECONDS) -> None:
        self.asked = 0
        self._seconds = seconds
        self._late = False
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
            raise Gone(str(error)) from error

    @property
    def alive(self) -> bool:
        """Say whether it can be asked."""
        return self._process.poll() is None

    def ask(self, request: Request, content: bytes) -> Parsed | Reason:
        """Give what the document says, or why it is not read; whatever interrupts this ends the worker.

        Raises Gone.
        """
        self.asked += 1
        late = Timer(self._seconds, self._end_late)
        late.start()
        over = False
        try:
            received = self._exchanged(request, content)
            over = True
        finally:
            late.cancel()
            if not over:
                self.end()
        return self._missed() if received is None else self._checked(received)

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

    def _exchanged(self, request: Request, content: bytes) -> bytes | None:
        requests, answers = self._process.stdin, self._process.stdout
        with suppress(OSError, frames.Oversized):
            if requests and answers:
                frames.send(requests, request.model_dump_json().encode(), content)
                return frames.receive(answers, LARGEST_ANSWER)
        return None

    def _missed(self) -> Reason:
        """Say why there is no answer, by how the process ended; the end of its pipe comes a little earlier."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PARTING_SECONDS)
        self.end()
        if self._late:
            return Reason.TOO_SLOW
        if sys.platform != "win32" and self._process.returncode == -signal.SIGXCPU:
            return Reason.TOO_MUCH_WORK
        if self._process.returncode in _OUTSIDE:
            raise Gone
        return Reason.CRASHED

    def _checked(self, received: bytes) -> Parsed | Reason:
        try:
            return Answer.validate_json(received)
        except ValidationError:  # a document has got hold of its reader
            self.end()
            return Reason.CRASHED

    def _end_late(self) -> None:
        self._late = True
        self.kill()


def _environment() -> dict[str, str]:
    kept = {name: os.environ[name] for name in _NEEDED if name in os.environ}
    return {**kept, **_SETTINGS, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}  # noqa: PTH109
