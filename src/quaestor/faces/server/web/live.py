"""One session while it goes on: the page, and the stream of its newest state."""

import asyncio
import re
from collections.abc import AsyncIterator
from http import HTTPStatus

from fastapi import APIRouter, Response

from quaestor.app.approvals import session_approvals
from quaestor.app.watching.live_page import LiveView
from quaestor.contracts.session import Session
from quaestor.faces.server.authentication import Caller, Reader, State, VisibleSession
from quaestor.faces.server.state import ServerState
from quaestor.faces.server.streaming import HEARTBEAT, RETRY_MILLISECONDS, require_stream, sent_stream, stream_response
from quaestor.faces.server.web.navigation import render_session_page
from quaestor.faces.server.web.rendering import render_template

router = APIRouter(prefix="/sessions/{session_id}", include_in_schema=False)
_LINE_END = re.compile(r"\r\n|\r|\n")
_LOOK_SECONDS = 1.0
"""Between two looks at the status, which changes without an event when a process lets a session go."""
_PAUSE_SECONDS = 0.25
"""Between two states, so that what happens in a burst is sent once."""
CLOSED = "event: finished\ndata: finished\n\n"
"""Tells the page that nothing more comes, so that it does not come back for more."""


@router.get("")
async def show(
    session: VisibleSession, caller: Reader, state: State, done: str = "", skipped: int | None = None
) -> Response:
    """Show a session as it is now, and follow it."""
    return await render_live(session, caller, state, done=done, skipped=skipped)


async def render_live(
    session: Session,
    caller: Caller,
    state: ServerState,
    *,
    done: str = "",
    skipped: int | None = None,
    refused: str | None = None,
) -> Response:
    """Return the page of a session; `done` is what a command did, `refused` why one was not taken."""
    return await render_session_page(
        "live.html",
        caller,
        session,
        "live",
        status=HTTPStatus.CONFLICT if refused else HTTPStatus.OK,
        done=done,
        skipped=skipped,
        refused=refused,
        view=await state.live.read(caller.quaestor, session.id, state.options.patience_seconds),
        approved=await session_approvals(caller.quaestor, session.id),
    )


@router.get("/live")
async def follow(session: VisibleSession, caller: Reader, state: State) -> Response:
    """Follow a session: its whole state as a part of the page, each time that something happened."""
    require_stream(state)
    return stream_response(_states(state, caller, session.id))


async def _states(state: ServerState, caller: Caller, session_id: str) -> AsyncIterator[str]:
    with sent_stream(state):
        yield f"retry: {RETRY_MILLISECONDS}\n\n"
        view = await state.live.read(caller.quaestor, session_id, _LOOK_SECONDS)
        while not view.is_whole:
            yield _as_message(_render_state(view, caller))
            view = await state.live.read(caller.quaestor, session_id, _LOOK_SECONDS)
        shown = _render_state(view, caller)
        yield _as_message(shown)
        beat, idle = state.options.heartbeat_seconds, 0.0
        look = min(beat, _LOOK_SECONDS)
        while not (view.is_over or state.hub.is_closed):
            has_news = await state.hub.wait_for_news(session_id, view.seq, look)
            idle += look
            is_let_go = view.status.holder and await caller.quaestor.status(session_id) != view.status
            if has_news or idle >= beat or is_let_go:
                view, idle = await state.live.read(caller.quaestor, session_id), 0.0
                known, shown = shown, _render_state(view, caller)
                yield _as_message(shown) if shown != known else HEARTBEAT
                await asyncio.sleep(_PAUSE_SECONDS)
        if view.is_over:
            yield CLOSED


def _render_state(view: LiveView, caller: Caller) -> str:
    return render_template("live_state.html", caller, view=view, may_run=caller.token.allows("run"))


def _as_message(part: str) -> str:
    """Return a part of a page as one server-sent event."""
    return "".join(f"data: {line}\n" for line in _LINE_END.split(part)) + "\n"
