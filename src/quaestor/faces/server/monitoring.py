"""What watches the server: whether it lives, whether it is ready, and its figures for Prometheus."""

from collections.abc import Iterator, Mapping
from http import HTTPStatus

from fastapi import APIRouter, Response
from fastapi.responses import PlainTextResponse

from quaestor.app.workers.fleet import Workload, show_workload
from quaestor.app.workers.metering import count_sessions
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.faces.server.authentication import Reader, State
from quaestor.faces.server.problems import ProblemRaised
from quaestor.faces.server.state import ServerState

router = APIRouter(tags=["monitoring"])
_PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"


class Health(Contract):
    """That the server answers."""

    status: str = "ok"


@router.get("/healthz")
async def healthz() -> Health:
    """Answer, if the process lives."""
    return Health()


@router.get("/readyz")
async def readyz(state: State) -> Health:
    """Answer, if requests should be sent here; 503 while it shuts down."""
    if not state.is_ready:
        raise ProblemRaised(HTTPStatus.SERVICE_UNAVAILABLE, "the server shuts down", name="shutting-down")
    await state.quaestor.check_ready()
    return Health()


@router.get("/metrics", response_class=PlainTextResponse, responses={200: {"content": {"text/plain": {}}}})
async def metrics(caller: Reader, state: State) -> Response:
    """Read the figures of this server, and of the sessions that the token sees, as Prometheus text."""
    spent = await state.worker.meter.read() if state.worker else Spend()
    lines = _lines(state, await count_sessions(caller.quaestor), spent, await show_workload(state.quaestor))
    return Response("\n".join((*lines, "")), media_type=_PROMETHEUS)


def _lines(state: ServerState, sessions: Mapping[str, int], spent: Spend, store: Workload) -> Iterator[str]:
    yield from _family(
        "sessions", "gauge", "Sessions by status.", {f'status="{name}"': n for name, n in sessions.items()}
    )
    yield from _family("model_calls_total", "counter", "Model calls of sessions run here.", {"": spent.model_calls})
    yield from _family("tool_calls_total", "counter", "Tool calls of sessions run here.", {"": spent.tool_calls})
    yield from _family("tokens_total", "counter", "Tokens of sessions run here.", {"": spent.tokens})
    yield from _family("dollars_total", "counter", "Dollars of sessions run here.", {"": float(spent.dollars)})
    now = state.quaestor.clock.now()
    age = (now - store.oldest).total_seconds() if store.oldest else 0.0
    workers = [each for each in store.carriers if each.since]
    yield from _family("queue_sessions", "gauge", "Sessions of the store that wait for a worker.", {"": store.waiting})
    yield from _family("queue_age_seconds", "gauge", "Since when the first of them waits.", {"": age})
    yield from _family("workers", "gauge", "Workers of the store.", {"": len(workers)})
    yield from _family(
        "workers_hourly", "gauge", "Sessions that they run to rest in an hour.", {"": sum(w.hourly for w in workers)}
    )
    if state.worker:
        load = state.worker.load()
        age = (now - load.oldest).total_seconds() if load.oldest else 0.0
        yield from _family("worker_running", "gauge", "Sessions run here now.", {"": load.running})
        yield from _family("worker_queued", "gauge", "Sessions that wait for a place.", {"": load.queued})
        yield from _family("worker_queue_age_seconds", "gauge", "Since when the first of them waits.", {"": age})
    yield from _family("streams_open", "gauge", "Event streams that are open.", {"": state.open_streams})
    yield from _family("event_loop_lag_seconds", "gauge", "How late the event loop was.", {"": state.lag.seconds})
    answers = {f'status="{code}"': count for code, count in sorted(state.responses.items())}
    yield from _family("http_responses_total", "counter", "Answers by status.", answers)


def _family(name: str, kind: str, description: str, values: Mapping[str, float]) -> Iterator[str]:
    yield f"# HELP quaestor_{name} {description}"
    yield f"# TYPE quaestor_{name} {kind}"
    for labels, value in values.items():
        yield f"quaestor_{name}{f'{{{labels}}}' if labels else ''} {value}"
