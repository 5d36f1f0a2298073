"""Asking workers: one for a request, or some that are kept for the next one; and cancelling what is asked."""

import asyncio
import atexit
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import BoundedSemaphore, Lock
from typing import TypeVar

from quaestor.tools.worker.process import InvalidResponse, Worker, WorkerExited, WorkerSettings, WorkerUnavailable

T = TypeVar("T")
_MAX_THREADS = 32
_MAX_ATTEMPTS = 2
"""A worker that something else has ended, or that was idle too long: the request deserves another."""
_MAX_REQUESTS = 200
"""After so many a worker is replaced, with whatever it has gathered."""


class CancellationToken:
    """A token by which another thread ends a request."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._worker: Worker | None = None
        self.is_cancelled = False

    def cancel(self) -> None:
        """End the request, also one that has not begun."""
        with self._lock:
            self.is_cancelled = True
            if self._worker:
                self._worker.stop()

    @contextmanager
    def watching(self, worker: Worker) -> Iterator[None]:
        """Stop this worker if the request is cancelled before the block ends."""
        with self._lock:
            self._worker = worker
            if self.is_cancelled:
                worker.stop()
        try:
            yield
        finally:
            with self._lock:
                self._worker = None


class WorkerPool:
    """At most so many workers at the same time, kept for the next request."""

    def __init__(self, settings: WorkerSettings, seconds: float, max_workers: int) -> None:
        self._settings = settings
        self._seconds = seconds
        self._room = BoundedSemaphore(max_workers)
        self._idle: SimpleQueue[Worker] = SimpleQueue()
        self._owner = os.getpid()
        atexit.register(self.close)

    def ask(self, decode: Callable[[bytes], T], cancellation: CancellationToken, *messages: bytes) -> T:
        """Return the response of a worker, decoded; blocks until one is free and has answered.

        Raises WorkerTimedOut, WorkerExited, InvalidResponse, and WorkerUnavailable when the request is cancelled or
        workers are ended from outside again and again.
        """
        with self._room:
            for attempt in range(_MAX_ATTEMPTS):
                if cancellation.is_cancelled:
                    break
                # What ended one idle worker may have ended the others as well, so the second attempt gets a new one.
                worker = self._acquire() if attempt == 0 else Worker(self._settings)
                try:
                    with cancellation.watching(worker):
                        response = _decode(worker, decode, worker.ask(self._seconds, *messages))
                except WorkerExited as exited:
                    if not exited.is_from_outside:
                        raise
                    continue
                self._release(worker)
                return response
        raise WorkerUnavailable("every worker was ended from outside")

    def close(self) -> None:
        """End the idle workers, in the process that started them."""
        if os.getpid() == self._owner:
            for worker in self._waiting():
                worker.close()

    def _release(self, worker: Worker) -> None:
        if worker.is_alive and worker.requests < _MAX_REQUESTS:
            self._idle.put(worker)
        else:
            worker.close()

    def _acquire(self) -> Worker:
        for worker in self._waiting():
            if worker.is_alive:
                return worker
            worker.close()
        return Worker(self._settings)

    def _waiting(self) -> Iterator[Worker]:
        """Take idle workers while there are any."""
        with suppress(Empty):
            while True:
                yield self._idle.get_nowait()


def ask_once(
    settings: WorkerSettings,
    seconds: float,
    decode: Callable[[bytes], T],
    cancellation: CancellationToken,
    *messages: bytes,
) -> T:
    """Return the response of a worker that is started for one request and ended after it. Raises WorkerError."""
    worker = Worker(settings)
    try:
        with cancellation.watching(worker):
            return _decode(worker, decode, worker.ask(seconds, *messages))
    finally:
        worker.close()


def _decode(worker: Worker, decode: Callable[[bytes], T], response: bytes) -> T:
    try:
        return decode(response)
    except ValueError as error:
        worker.close()
        raise InvalidResponse(str(error)) from error


async def run_cancellable(work: Callable[[CancellationToken], T]) -> T:
    """Return what blocking work returns, done in a thread; cancelled, it ends the work and waits until it has ended.

    The threads are those of workers alone, so that long requests keep nothing else of this process waiting.
    """
    cancellation = CancellationToken()
    running = asyncio.get_running_loop().run_in_executor(_threads(os.getpid()), work, cancellation)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.to_thread(cancellation.cancel)
        await asyncio.wait([running])
        running.exception()  # else asyncio reports it as one that nobody has seen
        raise


def run_in_background(work: Callable[[CancellationToken], object]) -> None:
    """Begin blocking work in a thread of the workers; nobody waits for it, and what it raises is dropped."""
    _threads(os.getpid()).submit(work, CancellationToken())


@cache
def _threads(_: int) -> ThreadPoolExecutor:
    """Return the threads of this process; one that was forked has its own."""
    return ThreadPoolExecutor(_MAX_THREADS, "worker")
