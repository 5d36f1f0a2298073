"""The page of a task or of a decision session, as its workflow shows it."""

from fastapi import APIRouter, Response

from quaestor.faces.server.authentication import Reader, State, VisibleSession
from quaestor.faces.server.web.navigation import render_session_page

router = APIRouter(prefix="/sessions/{session_id}", include_in_schema=False)


@router.get("/work")
async def work(session: VisibleSession, caller: Reader, state: State) -> Response:
    """Show what a session made and did, in the panels of its workflow."""
    shown = await state.panels.read(caller.quaestor, session.id, state.options.patience_seconds)
    return await render_session_page("work.html", caller, session, "work", shown=shown)
