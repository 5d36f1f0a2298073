"""One question to one database, in a process that can be ended whatever its driver is doing."""

import asyncio
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from quaestor.tools.database.protocol import MAX_RESPONSE_BYTES, Failure, Request, Response

AskWorker = Callable[[Request, Mapping[str, str]], Awaitable[Response]]
"""Gets an answer, with the environment of this process."""

_COMMAND = (sys.executable, "-B", "-P", "-m", "quaestor.tools.database.worker")
_PASSED_VARIABLES = (
    "HOME",
    "PATH",
    "SYSTEMROOT",
    "TZ",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "ORACLE_HOME",
    "TNS_ADMIN",
)
_PASSED_PREFIX = "PG"
"""Where drivers look for certificates, password files and the names of servers."""
_ROOT_FOLDER = os.path.abspath(os.sep)  # noqa: PTH100 -- of the drive, where there are drives
_SHUTDOWN_SECONDS = 2.0
_RESPONSE_ADAPTER: TypeAdapter[Response] = TypeAdapter(Response)


async def ask_worker(request: Request, environment: Mapping[str, str]) -> Response:
    """Give what a database answers; a failure names its time limit when that is over.

    Cancelled or late, it leaves no process and no query behind.
    """
    process = await asyncio.create_subprocess_exec(
        *_COMMAND,
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,  # what a driver prints may hold the URL
        env=_environment(environment),
        cwd=_ROOT_FOLDER,
        start_new_session=True,
    )
    try:
        async with asyncio.timeout(request.seconds):
            return await _exchange(process, request)
    except TimeoutError:
        return Failure(reason=f"it took more than {request.seconds:g} s; ask for less")
    finally:
        await _end(process)


async def _exchange(process: Process, request: Request) -> Response:
    assert process.stdin
    assert process.stdout
    with suppress(ConnectionError):
        process.stdin.write(request.model_dump_json().encode() + b"\n")
        await process.stdin.drain()
    received = b""
    while (piece := await process.stdout.read(2**16)) and len(received) <= MAX_RESPONSE_BYTES:
        received += piece
    if len(received) <= MAX_RESPONSE_BYTES:
        with suppress(ValidationError):  # it ended early, or the database has got hold of it
            return _RESPONSE_ADAPTER.validate_json(received)
    return Failure(reason="its driver ended; it took too much memory, or it crashed")


async def _end(process: Process) -> None:
    """Let the process take its query back, then kill it."""
    try:
        if process.stdin:
            process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_SHUTDOWN_SECONDS):
                await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
    await process.wait()


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    kept = {
        name: value for name, value in given.items() if name in _PASSED_VARIABLES or name.startswith(_PASSED_PREFIX)
    }
    return {**kept, "PYTHONPATH": os.pathsep.join(path or os.getcwd() for path in sys.path)}  # noqa: PTH109
