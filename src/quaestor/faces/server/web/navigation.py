"""The pages of one session, as the tabs at its top."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal

from fastapi.responses import HTMLResponse

from quaestor.app.panels import has_panels
from quaestor.app.report_reading import has_readable_report
from quaestor.contracts.session import Session
from quaestor.faces.server.authentication import Caller
from quaestor.faces.server.web.rendering import render_page

TabName = Literal["live", "report", "work", "inside"]


@dataclass(frozen=True, slots=True)
class Tab:
    """A page of a session."""

    name: TabName
    suffix: str
    """Of its address, behind the one of the session."""
    is_of: Callable[[str], bool] = lambda _: True
    """Whether sessions of a workflow have it."""


_TABS = (
    Tab("live", ""),
    Tab("report", "/report", has_readable_report),
    Tab("work", "/work", has_panels),
    Tab("inside", "/inside"),
)


@dataclass(frozen=True, slots=True)
class TabLink:
    """A tab of one session."""

    name: TabName
    path: str
    is_current: bool


def session_tabs(session: Session, current: TabName) -> Sequence[TabLink]:
    """Return the tabs of a session, in order, for one of its pages."""
    return [
        TabLink(tab.name, f"/sessions/{session.id}{tab.suffix}", tab.name == current)
        for tab in _TABS
        if tab.is_of(session.workflow)
    ]


def render_session_page(
    template: str,
    caller: Caller,
    session: Session,
    current: TabName,
    *,
    status: HTTPStatus = HTTPStatus.OK,
    **values: object,
) -> HTMLResponse:
    """Return a page of a session in its frame, which shows the session and its tabs."""
    tabs, may_run = session_tabs(session, current), caller.token.allows("run")
    return render_page(template, caller, status=status, session=session, tabs=tabs, may_run=may_run, **values)
