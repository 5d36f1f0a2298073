"""The first page: the sessions that a caller sees."""

from fastapi import APIRouter, Response

from quaestor.app.overview import list_sessions
from quaestor.faces.server.authentication import Reader
from quaestor.faces.server.web.rendering import render_page

router = APIRouter(include_in_schema=False)


@router.get("/")
async def home(caller: Reader) -> Response:
    """Show sessions, the newest first."""
    return render_page("home.html", caller, page=await list_sessions(caller.quaestor))
