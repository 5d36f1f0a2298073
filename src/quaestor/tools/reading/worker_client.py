"""Asking the worker that reads documents, and what its end means for the document."""

import os
import signal
import sys
from functools import cache

from quaestor.tools.reading.protocol import (
    MAX_RESPONSE_BYTES,
    RESPONSE_ADAPTER,
    ParsedDocument,
    ReadRequest,
    SkipReason,
)
from quaestor.tools.worker.pool import CancellationToken, WorkerPool
from quaestor.tools.worker.process import (
    InvalidResponse,
    WorkerExited,
    WorkerSettings,
    WorkerTimedOut,
    WorkerUnavailable,
)

TIMEOUT_SECONDS = 30
SETTINGS = WorkerSettings(
    module="quaestor.tools.reading.worker",
    # A document gives the same text every time, and no threads reserve address space that counts against the limit.
    environment={
        "MALLOC_ARENA_MAX": "1",
        "PYTHONHASHSEED": "0",
        "RAYON_NUM_THREADS": "1",
        "TOKIO_WORKER_THREADS": "1",
    },
    max_response_bytes=MAX_RESPONSE_BYTES,
)
_MAX_WORKERS = 4


def read_in_worker(
    pool: WorkerPool, request: ReadRequest, content: bytes, cancellation: CancellationToken
) -> ParsedDocument | SkipReason:
    """Return what a document says, or why it is not read; blocks until a worker is free and has read it."""
    try:
        return pool.ask(RESPONSE_ADAPTER.validate_json, cancellation, request.model_dump_json().encode(), content)
    except WorkerTimedOut:
        return SkipReason.TOO_SLOW
    except WorkerUnavailable:
        return SkipReason.LOST
    except InvalidResponse:
        return SkipReason.CRASHED
    except WorkerExited as exited:
        used_up = sys.platform != "win32" and exited.exit_code == -signal.SIGXCPU
        return SkipReason.TOO_MUCH_WORK if used_up else SkipReason.CRASHED


def shared_pool() -> WorkerPool:
    """Return the workers of this process; one that was forked has its own."""
    return _pool_of_process(os.getpid())


@cache
def _pool_of_process(_: int) -> WorkerPool:
    return WorkerPool(SETTINGS, TIMEOUT_SECONDS, min(_MAX_WORKERS, os.cpu_count() or 1))
