"""Requests to workers: to one that serves a single request, or to a pool; and their cancellation."""

import asyncio
import atexit
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import cache
from threading import Condition, Lock
from typing import TypeVar

from quaestor.tools.worker.process import (
    InvalidResponse,
    NotServed,
    Worker,
    WorkerExited,
    WorkerSettings,
    WorkerUnavailable,
    is_short,
)

T = TypeVar("T")
_MAX_THREADS = 32
_MAX_ATTEMPTS = 2
"""A worker that something else has ended, or that was idle too long: the request deserves another."""
_START_SECONDS = 2
"""What it takes to start a worker that reads pages, on a busy machine."""
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
            # Cancelled before there was a worker: it is stopped here, under the lock that `cancel` takes.
            self._worker = worker
            if self.is_cancelled:
                worker.stop()
        try:
            yield
        finally:
            with self._lock:
                self._worker = None


class WorkerPool:
    """At most so many workers at the same time, kept for the next request.

    The first one starts with the first request. Another one starts after requests have waited for the others as long as
    a start takes, so that one serves where one suffices; `patience` is that time in seconds. A worker that serves a
    short request is sent the next one already, which it then begins without waiting for a thread of this process.
    """

    def __init__(
        self, settings: WorkerSettings, seconds: float, max_workers: int, patience: float = _START_SECONDS
    ) -> None:
        self._settings = settings
        self._seconds = seconds
        self._max_workers = max_workers
        self._patience = patience
        self._changed = Condition()
        self._ready: list[Worker] = []
        """They serve nothing, or a short request with none behind it."""
        self._busy = 0
        """The other ones."""
        self._waited = 0.0
        """Seconds since the last start in which any request waited, counted up to `_counted_at`."""
        self._counted_at = 0.0
        self._owner = os.getpid()
        atexit.register(self.close)

    def ask(self, decode: Callable[[bytes], T], cancellation: CancellationToken, *messages: bytes) -> T:
        """Return the response of a worker, decoded; blocks until one is free and has answered.

        Raises WorkerTimedOut, WorkerExited, InvalidResponse, and WorkerUnavailable when the request is cancelled or
        workers are ended from outside again and again.
        """
        ended = 0
        while ended < _MAX_ATTEMPTS:
            with ExitStack() as turn:
                # What ended one ready worker may have ended the others as well, so the second attempt gets a new one.
                worker = self._take(new=ended > 0)
                turn.callback(self._release, worker)
                if cancellation.is_cancelled:
                    break
                begun = turn.close if is_short(messages) and worker.requests < _MAX_REQUESTS - 1 else None
                try:
                    with cancellation.watching(worker):
                        return _decode(worker, decode, worker.ask(self._seconds, *messages, begun=begun))
                except NotServed:
                    continue
                except WorkerExited as exited:
                    if not exited.is_from_outside:
                        raise
                    ended += 1
        raise WorkerUnavailable("the request was cancelled, or every worker was ended from outside")

    def close(self) -> None:
        """End the workers that are ready, in the process that started them."""
        if os.getpid() == self._owner:
            with self._changed:
                ready, self._ready = self._ready, []
            for worker in ready:
                worker.close()

    def _take(self, *, new: bool) -> Worker:
        """Wait for a worker that is ready, or for leave to start one."""
        with self._changed:
            while not (self._ready and not new) and self._busy and not self._may_start_another():
                self._wait()
            worker = None if new else self._take_ready()
            if worker is None:
                self._waited = 0.0
            self._busy += 1
        try:
            return worker or Worker(self._settings)
        except BaseException:
            with self._changed:
                self._busy -= 1
                self._changed.notify()
            raise

    def _release(self, worker: Worker) -> None:
        """Let another request have a worker, unless it has ended or has served enough."""
        is_ready = worker.is_alive and worker.requests < _MAX_REQUESTS
        with self._changed:
            self._busy -= 1
            self._ready.extend([worker] if is_ready else [])
            self._changed.notify()
        if not is_ready:
            worker.close()

    def _may_start_another(self) -> bool:
        return self._busy < self._max_workers and self._waited >= self._patience

    def _wait(self) -> None:
        """Wait for a change; count the time once, however many requests wait."""
        began = time.monotonic()
        self._changed.wait(self._patience - self._waited if self._busy < self._max_workers else None)
        ended = time.monotonic()
        self._waited += ended - max(began, min(self._counted_at, ended))
        self._counted_at = ended

    def _take_ready(self) -> Worker | None:
        while self._ready:
            worker = self._ready.pop()
            if worker.is_alive:
                return worker
            worker.close()
        return None


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


async def run_cancellable(work: Callable[[CancellationToken], T], threads: int = _MAX_THREADS) -> T:
    """Return what blocking work returns, done in a thread; cancelled, it ends the work and waits until it has ended.

    The threads are those of workers alone, so that long requests keep nothing else of this process waiting. Work that
    shares so many threads waits for one of them.
    """
    cancellation = CancellationToken()
    running = asyncio.get_running_loop().run_in_executor(_threads(os.getpid(), threads), work, cancellation)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        await asyncio.to_thread(cancellation.cancel)
        await asyncio.wait([running])
        running.exception()  # else asyncio reports it as one that nobody has seen
        raise


def run_in_background(work: Callable[[CancellationToken], object]) -> None:
    """Begin blocking work in a thread of the workers; nobody waits for it, and what it raises is dropped."""
    _threads(os.getpid(), _MAX_THREADS).submit(work, CancellationToken())


@cache
def _threads(_: int, most: int) -> ThreadPoolExecutor:
    """Return the threads of this process for work that shares so many; a process that was forked has its own."""
    return ThreadPoolExecutor(most, "worker")
