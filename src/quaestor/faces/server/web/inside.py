"""The inside of a session: its log row by row, events whole, what it spent, and a replay of it."""

from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import RedirectResponse

from quaestor.app.inspection import read_spend
from quaestor.app.network.submissions import NewSession, SessionSettings, begin_session, can_replay
from quaestor.app.watching.log_pages import LogFilter, read_event_json, read_log_page
from quaestor.app.workflows import event_types, workflow_states
from quaestor.faces.server.authentication import Reader, Runner, State, VisibleSession
from quaestor.faces.server.web.navigation import render_session_page

router = APIRouter(prefix="/sessions/{session_id}/inside", include_in_schema=False)

_ROWS = 100
Choice = Annotated[str, Query(max_length=200)]


@router.get("")
async def log(
    *,
    session: VisibleSession,
    caller: Reader,
    state: Choice = "",
    type: Choice = "",  # noqa: A002 -- its name in the URL
    todo: Choice = "",
    after: Annotated[int, Query(ge=0, le=2**53)] = 0,
) -> Response:
    """Show rows of the log behind an event, of a state, a type and a todo where they are chosen."""
    chosen = LogFilter(state or None, type or None, todo.strip() or None)
    return await render_session_page(
        "inside.html",
        caller,
        session,
        "inside",
        page=await read_log_page(caller.quaestor, session.id, chosen, after, _ROWS),
        chosen=chosen,
        after=after,
        last=max(0, session.events - _ROWS),
        states=sorted(workflow_states(session.workflow)),
        types=sorted(event_types(session.workflow)),
    )


@router.get("/events/{seq}")
async def event(session: VisibleSession, caller: Reader, seq: Annotated[int, Path(ge=1, le=2**53)]) -> Response:
    """Show one event as it is in the log."""
    return await render_session_page(
        "event.html",
        caller,
        session,
        "inside",
        seq=seq,
        json=await read_event_json(caller.quaestor, session.id, seq),
    )


@router.get("/spend")
async def spend(session: VisibleSession, caller: Reader) -> Response:
    """Show what a session spent, by role, model, state and todo."""
    return await render_session_page(
        "spend.html",
        caller,
        session,
        "inside",
        spent=await read_spend(caller.quaestor, session.id),
        can_replay=can_replay(session),
    )


@router.post("/replay")
async def replay(session: VisibleSession, caller: Runner, state: State) -> Response:
    """Run a session again with the answers of its log, and show the new one at work."""
    replayed = NewSession(
        workflow=session.workflow, text=session.question, settings=SessionSettings(model=f"replay:{session.id}")
    )
    session_id = await begin_session(caller.quaestor, replayed, caller.submitter)
    state.carry(session_id)
    return RedirectResponse(f"/sessions/{session_id}", HTTPStatus.SEE_OTHER)
