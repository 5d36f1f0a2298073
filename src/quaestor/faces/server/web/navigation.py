"""The pages of one session, as the tabs at its top."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from types import MappingProxyType
from typing import Literal

from fastapi.responses import HTMLResponse

from quaestor.app import Quaestor
from quaestor.app.reports.reading import has_report
from quaestor.app.watching.panels import has_panels
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.session import Session
from quaestor.faces.server.authentication import Caller
from quaestor.faces.server.web.rendering import render_page

TabName = Literal["live", "report", "work", "inside"]


_SUFFIXES: Mapping[TabName, str] = MappingProxyType(
    {"live": "", "report": "/report", "work": "/work", "inside": "/inside"}
)
"""Of the addresses of the tabs, in their order, behind the address of the session."""


class TabLink(Immutable):
    """A tab of one session."""

    name: TabName
    path: str
    is_current: bool


async def session_tabs(quaestor: Quaestor, session: Session, current: TabName) -> Sequence[TabLink]:
    """Return the tabs of a session that have something to show, and the one of the current page."""
    shown: set[TabName] = {"live", "inside", current}
    if has_panels(session.workflow):
        shown.add("work")
    if await has_report(quaestor, session):
        shown.add("report")
    return [
        TabLink(name, f"/sessions/{session.id}{suffix}", name == current)
        for name, suffix in _SUFFIXES.items()
        if name in shown
    ]


async def render_session_page(
    template: str,
    caller: Caller,
    session: Session,
    current: TabName,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    **values: object,
) -> HTMLResponse:
    """Return a page of a session in its frame, which shows the session and its tabs."""
    tabs, may_run = await session_tabs(caller.quaestor, session, current), caller.token.allows("run")
    return render_page(template, caller, status=status, session=session, tabs=tabs, may_run=may_run, **values)
