"""The process that reads a database: `python -m quaestor.tools.database.worker`.

It takes one request from its standard input, writes the answer to its standard output and ends. It ends at once, and
its query with it, when its standard input ends before that: whoever asked has gone, or does not want to know any more.
"""

import os
import signal
import sys
import time
from _thread import interrupt_main
from threading import Thread
from typing import BinaryIO

from pydantic import TypeAdapter

from quaestor.tools.database.protocol import Failure, Request, Response

if sys.platform != "win32":
    import resource

_MEMORY_BYTES = 2**30
_SQLITE_BYTES = 2**28
"""What SQLite may take of it, so that it is SQLite that says so."""
_FILE_BYTES = 64 * 2**20
_SHUTDOWN_SECONDS = 1.0
"""In this time a driver tells its server that the query is over."""


def main() -> None:
    """Answer one request."""
    requests, answers = _take_over_pipes()
    request = Request.model_validate_json(requests.readline())
    Thread(target=_exit_on_disconnect, args=(requests, request), daemon=True).start()
    _set_resource_limits()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a process of the background may have inherited none
    try:
        answer = _answer(request)
    except MemoryError:
        answer = Failure(reason="it takes too much memory; ask for less")
    answers.write(TypeAdapter[Response](Response).dump_json(answer))
    answers.flush()
    os._exit(0)


def _answer(request: Request) -> Response:
    if request.kind == "sqlite":
        import apsw  # noqa: PLC0415 -- one of the two is needed

        from quaestor.tools.database import sqlite_reader  # noqa: PLC0415

        apsw.hard_heap_limit(_SQLITE_BYTES)
        return sqlite_reader.handle_request(request)
    from quaestor.tools.database import sqlalchemy_reader  # noqa: PLC0415 -- an extra

    return sqlalchemy_reader.handle_request(request)


def _take_over_pipes() -> tuple[BinaryIO, BinaryIO]:
    """Give the two pipes, and leave nothing in their places that a driver could read from or print to."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    return requests, answers


def _exit_on_disconnect(requests: BinaryIO, request: Request) -> None:
    """Wait for the end of the requests, then let the driver take its query back, then end."""
    requests.read()
    if request.kind != "sqlite":
        interrupt_main()
        time.sleep(_SHUTDOWN_SECONDS)
    os._exit(1)


def _set_resource_limits() -> None:
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    if sys.platform != "win32":
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (_FILE_BYTES, _FILE_BYTES))


if __name__ == "__main__":
    main()
