"""The process that asks a database: `python -m quaestor.tools.database.worker`.

It takes one request, returns the response and ends. It ends at once, and its query with it, when its input ends before
that: its parent has gone, or has stopped waiting for the response.
"""

import os
from collections.abc import Callable

from pydantic import TypeAdapter

from quaestor.contracts.lazy import LazyImport
from quaestor.tools.database.protocol import MAX_REQUEST_BYTES, Failure, Request, Response
from quaestor.tools.worker.child import exit_with_input, limit_resources, read_frame, take_over_pipes, write_frames

# One of the two readers is imported, whichever the request needs; sqlalchemy is an extra.
_ASK_SQLITE: LazyImport[Callable[[Request], Response]] = LazyImport(
    "quaestor.tools.database.sqlite_reader:handle_request"
)
_ASK_SQLALCHEMY: LazyImport[Callable[[Request], Response]] = LazyImport(
    "quaestor.tools.database.sqlalchemy_reader:handle_request"
)
_LIMIT_SQLITE_HEAP: LazyImport[Callable[[int], object]] = LazyImport("apsw:hard_heap_limit")
_MEMORY_BYTES = 2**30
_SQLITE_BYTES = 2**28
"""What SQLite may take of it, so that SQLite itself reports it."""
_FILE_BYTES = 64 * 2**20
_INTERRUPT_SECONDS = 1.0
"""The time in which a driver cancels the query at its server."""


def main() -> None:
    """Answer one request."""
    requests, responses = take_over_pipes()
    message = read_frame(requests, MAX_REQUEST_BYTES)
    if message is None:
        return
    request = Request.model_validate_json(message)
    exit_with_input(requests, interrupt_seconds=0 if request.kind == "sqlite" else _INTERRUPT_SECONDS)
    limit_resources(memory_bytes=_MEMORY_BYTES, file_bytes=_FILE_BYTES)
    try:
        response = _answer(request)
    except MemoryError:
        response = Failure(reason="it takes too much memory; ask for less")
    write_frames(responses, TypeAdapter[Response](Response).dump_json(response))
    os._exit(0)


def _answer(request: Request) -> Response:
    if request.kind == "sqlite":
        _LIMIT_SQLITE_HEAP.load()(_SQLITE_BYTES)
        return _ASK_SQLITE.load()(request)
    return _ASK_SQLALCHEMY.load()(request)


if __name__ == "__main__":
    main()
