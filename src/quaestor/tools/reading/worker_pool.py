"""The workers of this process: started when they are needed, kept for the next document, replaced when lost."""

import atexit
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Lock

from quaestor.tools.reading.protocol import ParsedDocument, ReadRequest, SkipReason
from quaestor.tools.reading.worker_process import Worker, WorkerGone

_MAX_WORKERS = 4
_MAX_ATTEMPTS = 2
"""A worker that is gone was ended by somebody else, or had been idle; the document deserves another."""
_MAX_DOCUMENTS_PER_WORKER = 200
"""After so many a worker is replaced, with whatever it has gathered."""


class CancellationToken:
    """Ends the reading of one document from another thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._worker: Worker | None = None
        self.told = False

    def now(self) -> None:
        """Let the reading end, also one that has not begun."""
        with self._lock:
            self.told = True
            if self._worker:
                self._worker.kill()

    @contextmanager
    def over(self, worker: Worker) -> Iterator[None]:
        """Kill this worker if the reading is to end before the block does."""
        with self._lock:
            self._worker = worker
            if self.told:
                worker.kill()
        try:
            yield
        finally:
            with self._lock:
                self._worker = None


class WorkerPool:
    """At most so many workers at the same time."""

    def __init__(self, most: int) -> None:
        self._room = BoundedSemaphore(most)
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._owner = os.getpid()
        atexit.register(self.close)

    def read(self, request: ReadRequest, content: bytes, stop: CancellationToken) -> ParsedDocument | SkipReason:
        """Give what a document says, or why it is not read; blocks until a worker is free and has read it."""
        with self._room:
            for _ in range(_MAX_ATTEMPTS):
                if stop.told:
                    break
                with suppress(WorkerGone):
                    worker = self._acquire()
                    with stop.over(worker):
                        answer = worker.ask(request, content)
                    self._keep(worker)
                    return answer
        return SkipReason.LOST

    def close(self) -> None:
        """End the idle workers, in the process that started them."""
        if os.getpid() == self._owner:
            for worker in self._waiting():
                worker.end()

    def _keep(self, worker: Worker) -> None:
        if worker.alive and worker.asked < _MAX_DOCUMENTS_PER_WORKER:
            self._idle.put(worker)
        else:
            worker.end()

    def _acquire(self) -> Worker:
        for worker in self._waiting():
            if worker.alive:
                return worker
            worker.end()
        return Worker()

    def _waiting(self) -> Iterator[Worker]:
        """Take idle workers while there are any."""
        with suppress(Empty):
            while True:
                yield self._idle.get_nowait()


def shared_pool() -> WorkerPool:
    """Give the workers of this process; one that was forked has its own."""
    return _pool_of_process(os.getpid())


@cache
def _pool_of_process(_: int) -> WorkerPool:
    return WorkerPool(min(_MAX_WORKERS, os.cpu_count() or 1))
