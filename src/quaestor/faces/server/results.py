"""What sessions bring about: reports, plans, spend, claims and the sources of their quotes."""

from http import HTTPStatus
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Header, Path, Query, Response

from quaestor.app.inspection import read_spend
from quaestor.app.overview import PlanOverview, read_plan
from quaestor.app.reports.explanations import Explanation, trace_claim
from quaestor.app.reports.exports import get_exporter, pack_report
from quaestor.app.reports.sources import SourceText, draw_source_page, read_source
from quaestor.app.reports.versions import diff_versions, read_report
from quaestor.app.verification import verify_session
from quaestor.contracts.cost import SpendReport
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.plugin import ReportFormat
from quaestor.contracts.session import Verification
from quaestor.contracts.source import Sha256
from quaestor.faces.server.authentication import Reader, VisibleSession
from quaestor.faces.server.problems import ProblemRaised

router = APIRouter(prefix="/api/v1", tags=["results"])

_MEDIA_TYPES: dict[ReportFormat, str] = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
}
_REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; sandbox"
"""A report brings its own style and nothing else; no script in it is ever run."""
_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {"content": {kind.partition(";")[0]: {"schema": {}} for kind in _MEDIA_TYPES.values()}}
}
Version = Annotated[int | None, Query(ge=1, le=2**31, description="The newest without it.")]
Number = Annotated[int, Path(ge=1, le=2**31)]
Offset = Annotated[int, Query(ge=0, le=2**31)]
QuotingSession = Annotated[
    str | None, Query(max_length=64, description="The session that quotes it; the newest that does without it.")
]
T = TypeVar("T")


@router.get("/sessions/{session_id}/report", response_class=Response, responses=_CONTENT)
async def report(
    session: VisibleSession, caller: Reader, version: Version = None, accept: Annotated[str, Header()] = ""
) -> Response:
    """Read the report of a session as Markdown; as HTML or JSON where the client asks for that."""
    form: ReportFormat = "html" if "text/html" in accept else "json" if "application/json" in accept else "md"
    return await report_as(session, caller, form, version)


@router.get("/sessions/{session_id}/report.{form}", response_class=Response, responses=_CONTENT)
async def report_as(session: VisibleSession, caller: Reader, form: ReportFormat, version: Version = None) -> Response:
    """Read the report of a session in a format."""
    text = await read_report(caller.quaestor, session.id, form, version)
    if text is None:
        raise ProblemRaised(HTTPStatus.NOT_FOUND, f"session {session.id} has no report yet", name="no-report")
    return Response(text, media_type=_MEDIA_TYPES[form], headers={"Content-Security-Policy": _REPORT_POLICY})


@router.get(
    "/sessions/{session_id}/exports/{form}",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def export(
    session: VisibleSession,
    caller: Reader,
    form: Annotated[str, Path(max_length=40, description="A format of docs/exports.md.")],
    version: Version = None,
) -> Response:
    """Read the report of a session in the format of another program; a folder as a ZIP archive."""
    exporter = get_exporter(form)
    content = await pack_report(caller.quaestor, session.id, exporter, version)
    suffix = exporter.suffix or ".zip"
    return Response(
        content,
        media_type=exporter.media_type,
        headers={"Content-Disposition": f'attachment; filename="{session.id}-{form}{suffix}"'},
    )


@router.get("/sessions/{session_id}/diff", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def diff(
    session: VisibleSession,
    caller: Reader,
    before: Annotated[int, Query(alias="from", ge=1, le=2**31)],
    after: Annotated[int, Query(alias="to", ge=1, le=2**31)],
) -> Response:
    """Compare two versions of the report."""
    text = await diff_versions(caller.quaestor, session.id, before, after)
    return Response(text, media_type="text/plain; charset=utf-8")


@router.get("/sessions/{session_id}/plan")
async def plan(session: VisibleSession, caller: Reader) -> PlanOverview:
    """Show the plan of a research session."""
    return await read_plan(caller.quaestor, session.id)


@router.get("/sessions/{session_id}/spend")
async def spend(session: VisibleSession, caller: Reader) -> SpendReport:
    """Show what a session spent, by state, role, todo and model."""
    return await read_spend(caller.quaestor, session.id)


@router.get("/sessions/{session_id}/verify")
async def verify(session: VisibleSession, caller: Reader) -> Verification:
    """Check the log, the sources and every quote of a session."""
    return await verify_session(caller.quaestor, session.id)


@router.get("/sessions/{session_id}/claims/{number}")
async def claim(session: VisibleSession, caller: Reader, number: Number) -> Explanation:
    """Trace one claim of the report back to its sources."""
    return await trace_claim(caller.quaestor, session.id, number)


@router.get("/sources/{sha256}")
async def source(sha256: Sha256, caller: Reader, session: QuotingSession = None) -> SourceText:
    """Read the stored text of a source that a session quotes, with its quotes."""
    return _require_source(sha256, await read_source(caller.quaestor, sha256, session))


@router.get(
    "/sources/{sha256}/pages/{number}.png",
    response_class=Response,
    responses={
        200: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}},
        404: {"description": "No session quotes such a page, or its file is not there as it was read."},
    },
)
async def source_picture(
    *,
    sha256: Sha256,
    number: Number,
    caller: Reader,
    session: QuotingSession = None,
    start: Offset = 0,
    end: Offset = 0,
) -> Response:
    """Draw one page of a PDF file with the quotes on it marked, or only the words from `start` up to `end`.

    The file is read in a process of its own, and drawn only where the page has the words that were stored.
    """
    span = (start, end) if end > start else None
    try:
        picture = await draw_source_page(caller.quaestor, sha256, number, session, span)
    except ToolFailed as error:
        raise ProblemRaised(HTTPStatus.NOT_FOUND, str(error), name="no-picture") from error
    return Response(_require_source(sha256, picture), media_type="image/png")


@router.get("/sources/{sha256}/pages/{number}")
async def source_page(sha256: Sha256, number: Number, caller: Reader, session: QuotingSession = None) -> SourceText:
    """Read one page of a source that has pages, with the quotes on it."""
    return _require_source(sha256, await read_source(caller.quaestor, sha256, session, number))


def _require_source(sha256: str, found: T | None) -> T:
    if found is None:
        raise ProblemRaised(
            HTTPStatus.NOT_FOUND,
            f"no session that you may see quotes a source {sha256[:12]}... with this page",
            name="no-source",
        )
    return found
