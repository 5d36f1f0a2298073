"""The page of a task or of a decision session, as its workflow shows it."""

from fastapi import APIRouter, Response

from quaestor.app.panels import read_panels
from quaestor.faces.server.authentication import Reader, VisibleSession
from quaestor.faces.server.web.navigation import render_session_page

router = APIRouter(prefix="/sessions/{session_id}", include_in_schema=False)


@router.get("/work")
async def work(session: VisibleSession, caller: Reader) -> Response:
    """Show what a session made and did, in the panels of its workflow."""
    panels = await read_panels(caller.quaestor, session.id)
    return render_session_page("work.html", caller, session, "work", panels=panels)
