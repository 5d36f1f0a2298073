"""The stream of a session as server-sent events, and its log as lines of JSON."""

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Header, Query, Response
from fastapi.responses import StreamingResponse

from quaestor.app import Quaestor
from quaestor.app.overview import read_details
from quaestor.app.text import escape_hidden_json
from quaestor.app.watching.following import StreamItem, StreamPosition
from quaestor.app.watching.live_tokens import LiveTokens, with_tokens
from quaestor.app.workflows import event_types
from quaestor.contracts.errors import UnknownSession, UsageError
from quaestor.contracts.session import Session
from quaestor.faces.server.authentication import Reader, State, VisibleSession
from quaestor.faces.server.problems import ProblemRaised
from quaestor.faces.server.state import ServerState

router = APIRouter(prefix="/api/v1/sessions/{session_id}", tags=["events"])

RETRY_MILLISECONDS = 2_000
"""After how long a client whose stream ended comes back."""
HEARTBEAT = ": heartbeat\n\n"
_EVENT_STREAM = "text/event-stream"
_NDJSON = "application/x-ndjson"
_UNBUFFERED = {"X-Accel-Buffering": "no"}
"""Keeps a proxy from holding events back."""
STREAMED: dict[int | str, dict[str, object]] = {200: {"content": {_EVENT_STREAM: {"schema": {"type": "string"}}}}}
"""How the OpenAPI document describes an answer that is a stream."""


@router.get(
    "/events",
    response_class=StreamingResponse,
    responses={
        **STREAMED,
        204: {"description": "The session is finished, and nothing comes after this place."},
        503: {"description": "Too many streams are open."},
    },
)
async def events(
    *,
    session: VisibleSession,
    caller: Reader,
    state: State,
    after: Annotated[str | None, Query(max_length=40, description="Only what comes behind this id.")] = None,
    snapshot: Annotated[bool, Query(description="Send the state of the session first, and then what is new.")] = False,
    tokens: Annotated[bool, Query(description="Send the words of models as well, as they come.")] = False,
    last_event_id: Annotated[str | None, Header(max_length=40)] = None,
) -> Response:
    """Follow a session: the events of its public stream, as they come from whichever process.

    `id` is the number of the event in the log; where one event of the log is several of the stream, those before the
    last have a part too, as `12.1`. A client that comes back with the last id that it has seen misses nothing and sees
    nothing twice. The stream of a finished session ends; a comment comes every 15 seconds in which nothing happens.

    With `tokens` there are events `token` too, without an id: what models write, where their servers stream it and this
    server runs the session. Some may be left out; nothing depends on them.
    """
    place = last_event_id or after
    begin = StreamPosition.parse(place) if place else StreamPosition(session.events if snapshot else 0)
    if session.outcome is not None and not snapshot and begin.part == 0 and begin.seq >= session.events:
        return Response(status_code=HTTPStatus.NO_CONTENT)
    require_stream(state)
    return stream_response(_event_stream(state, caller.quaestor, session, begin, snapshot=snapshot, tokens=tokens))


async def _event_stream(
    state: ServerState, quaestor: Quaestor, session: Session, begin: StreamPosition, *, snapshot: bool, tokens: bool
) -> AsyncIterator[str]:
    with sent_stream(state):
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        if snapshot:
            details = await read_details(quaestor, session.id)
            yield f"event: snapshot\ndata: {escape_hidden_json(details.model_dump_json())}\n\n"
        pages = state.hub.pages(session.id, begin, state.options.heartbeat_seconds)
        async for page in with_tokens(quaestor, session.id, pages) if tokens else pages:
            yield _render_tokens(page) if isinstance(page, LiveTokens) else _render(page) or HEARTBEAT


def stream_response(messages: AsyncIterator[str]) -> StreamingResponse:
    """Return the answer that server-sent events are."""
    return StreamingResponse(messages, media_type=_EVENT_STREAM, headers=_UNBUFFERED)


def require_stream(state: ServerState) -> None:
    """Raise ProblemRaised where as many streams are open as the server allows."""
    if state.open_streams >= state.options.streams:
        raise ProblemRaised(
            HTTPStatus.SERVICE_UNAVAILABLE,
            f"{state.options.streams} streams are open, which is the limit; come back later",
            name="too-many-streams",
            headers={"Retry-After": "10"},
        )


@contextmanager
def sent_stream(state: ServerState) -> Iterator[None]:
    """Count a stream while it is sent; it ends with its session, where that is erased meanwhile."""
    state.open_streams += 1
    try:
        with suppress(UnknownSession):
            yield
    finally:
        state.open_streams -= 1


def _render_tokens(words: LiveTokens) -> str:
    return "".join(f"event: token\ndata: {escape_hidden_json(each.model_dump_json())}\n\n" for each in words.pieces)


def _render(page: Sequence[StreamItem]) -> str:
    """Return events as server-sent events; JSON has no line ends, so that each is one line of data."""
    return "".join(f"id: {item.position}\nevent: {item.event.type}\ndata: {item.json}\n\n" for item in page)


@router.get(
    "/log",
    response_class=StreamingResponse,
    responses={200: {"content": {_NDJSON: {"schema": {"type": "string"}}}}},
)
async def log(
    session: VisibleSession,
    caller: Reader,
    after: Annotated[int, Query(ge=0, le=2**53, description="Only events with a higher number.")] = 0,
    limit: Annotated[int | None, Query(ge=1, le=2**53, description="At most so many.")] = None,
    type: Annotated[str | None, Query(max_length=64, description="Only events of this type.")] = None,  # noqa: A002 -- its name in the URL
) -> StreamingResponse:
    """Read the log of a session as it is now: whole events, one a line."""
    known = event_types(session.workflow)
    if type is not None and type not in known:
        raise UsageError(f"type {type} is not known; it is one of: {', '.join(sorted(known))}")
    return StreamingResponse(
        _log_lines(caller.quaestor, session, after, limit, type), media_type=_NDJSON, headers=_UNBUFFERED
    )


async def _log_lines(
    quaestor: Quaestor, session: Session, after: int, limit: int | None, only: str | None
) -> AsyncIterator[str]:
    sent = 0
    async for event in quaestor.read_events(session.id, after):
        if event.seq > session.events or sent == limit:
            return
        if only in {None, event.type}:
            sent += 1
            yield f"{escape_hidden_json(event.model_dump_json())}\n"
