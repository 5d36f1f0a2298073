"""Asking one database one thing, in a process that can be ended whatever its driver is doing."""

from collections.abc import Awaitable, Callable, Mapping

from pydantic import TypeAdapter

from quaestor.tools.database.protocol import MAX_RESPONSE_BYTES, Failure, Request, Response
from quaestor.tools.worker.pool import CancellationToken, ask_once, run_cancellable
from quaestor.tools.worker.process import WorkerError, WorkerSettings, WorkerTimedOut

AskWorker = Callable[[Request, Mapping[str, str]], Awaitable[Response]]
"""Returns the response to a request, with the environment of this process."""

_PASSED_VARIABLES = (
    "HOME",
    "PATH",
    "TZ",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "ORACLE_HOME",
    "TNS_ADMIN",
)
_PASSED_PREFIX = "PG"
"""Where drivers look for certificates, password files and the names of servers."""
_EXIT_SECONDS = 2.0
"""For a driver to tell its server to end the query."""
_RESPONSE_ADAPTER: TypeAdapter[Response] = TypeAdapter(Response)


async def ask_worker(request: Request, environment: Mapping[str, str]) -> Response:
    """Return what a database answers; a failure names its time limit when that is over.

    Cancelled or late, it leaves no process and no query behind.
    """
    settings = WorkerSettings(
        module="quaestor.tools.database.worker",
        environment=_environment(environment),
        max_response_bytes=MAX_RESPONSE_BYTES,
        exit_seconds=_EXIT_SECONDS,
    )
    message = request.model_dump_json().encode()

    def ask(cancellation: CancellationToken) -> Response:
        return ask_once(settings, request.seconds, _RESPONSE_ADAPTER.validate_json, cancellation, message)

    try:
        return await run_cancellable(ask)
    except WorkerTimedOut:
        return Failure(reason=f"it took more than {request.seconds:g} s; ask for less")
    except WorkerError:  # it ended early, or the database controls it
        return Failure(reason="its driver ended; it took too much memory, or it crashed")


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value for name, value in given.items() if name in _PASSED_VARIABLES or name.startswith(_PASSED_PREFIX)
    }
