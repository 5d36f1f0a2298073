"""The report of a session to read: each citation in its source, versions, and what changed."""

from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Response
from fastapi.responses import HTMLResponse

from quaestor.app.reports.exports import exporter_names
from quaestor.app.reports.reading import read_citation, read_readable
from quaestor.app.reports.versions import diff_versions
from quaestor.faces.server.authentication import Reader, VisibleSession
from quaestor.faces.server.web.navigation import render_session_page
from quaestor.faces.server.web.rendering import PAGE_HEADERS, render_template

router = APIRouter(prefix="/sessions/{session_id}/report", include_in_schema=False)

_PANEL_CONTEXT, _PAGE_CONTEXT = 500, 4_000
"""Characters of a source on either side of a quote: beside the report, and on a page of its own."""
Version = Annotated[int | None, Query(ge=1, le=2**31)]
IsFragment = Annotated[bool, Header(alias="HX-Request")]


@router.get("")
async def report(session: VisibleSession, caller: Reader, version: Version = None) -> Response:
    """Show a version of the report, the newest without `version`."""
    return await render_session_page(
        "report.html",
        caller,
        session,
        "report",
        exports=exporter_names(),
        reading=await read_readable(caller.quaestor, session.id, version),
    )


@router.get("/quotes")
async def no_quote(session: VisibleSession, caller: Reader) -> Response:
    """Show the place of a quote while none is open."""
    return HTMLResponse(render_template("quote_hint.html", caller, session=session), headers=PAGE_HEADERS)


@router.get("/quotes/{number}")
async def quote(
    session: VisibleSession,
    caller: Reader,
    number: Annotated[int, Path(ge=1, le=2**31)],
    version: Version = None,
    is_fragment: IsFragment = False,
) -> Response:
    """Show a citation in its source: beside the report where a script asks for it, else on a page of its own."""
    context = _PANEL_CONTEXT if is_fragment else _PAGE_CONTEXT
    cited = await read_citation(caller.quaestor, session.id, number, version, context)
    if is_fragment:
        part = render_template(
            "quote.html", caller, session=session, cited=cited, number=number, version=version, is_page=False
        )
        return HTMLResponse(part, headers={**PAGE_HEADERS, "Vary": "HX-Request"})
    return await render_session_page(
        "quote_page.html", caller, session, "report", cited=cited, number=number, version=version, is_page=True
    )


@router.get("/versions")
async def versions(
    session: VisibleSession,
    caller: Reader,
    before: Annotated[int | None, Query(alias="from", ge=1, le=2**31)] = None,
    after: Annotated[int | None, Query(alias="to", ge=1, le=2**31)] = None,
) -> Response:
    """Compare two versions of the report; the last two without their numbers."""
    reading = await read_readable(caller.quaestor, session.id)
    known = reading.versions if reading else ()
    new = after or (known[-1] if known else None)
    old = before or (max((each for each in known if new and each < new), default=None))
    changes = await diff_versions(caller.quaestor, session.id, old, new) if old and new else ""
    return await render_session_page(
        "versions.html",
        caller,
        session,
        "report",
        known=known,
        before=old,
        after=new,
        changes=changes.splitlines(),
    )
