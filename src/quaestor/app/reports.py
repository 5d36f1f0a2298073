"""The reports of a session, in every format, and where their claims come from."""

from collections.abc import Callable, Mapping

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import UsageError
from quaestor.contracts.terminal import ReportFormat
from quaestor.research.contracts.report import Report
from quaestor.research.views.diff import diff_reports
from quaestor.research.views.explanation import render_explanation
from quaestor.research.views.report_html import render_html
from quaestor.research.views.report_json import render_json
from quaestor.research.views.report_markdown import render_markdown
from quaestor.runtime import audit
from quaestor.views.text import count_noun

_RENDERERS: Mapping[ReportFormat, Callable[[Report], str]] = {
    "md": render_markdown,
    "html": render_html,
    "json": render_json,
}


class ReportSummary(Contract):
    """A report in short."""

    text: str
    cited_claim: int


def render_report(report: Report, form: ReportFormat) -> str:
    """Render a report in a format."""
    return _RENDERERS[form](report)


def summarize_report(report: Report) -> ReportSummary:
    """Count the citations, sources and unsupported claims of a report, and find a claim that is cited."""
    claims = report.claims()
    citations = {citation.number for claim in claims for citation in claim.citations}
    unsupported = sum(not claim.supported for claim in claims)
    doubt = f"; {count_noun(unsupported, 'claim')} unsupported" if unsupported else ""
    proven = f"{count_noun(len(citations), 'verified citation')} from {count_noun(len(report.sources), 'source')}"
    return ReportSummary(
        text=f"{proven}{doubt}", cited_claim=next((claim.number for claim in claims if claim.citations), 1)
    )


async def render_version(quaestor: Quaestor, session_id: str, version: int, form: ReportFormat) -> str:
    """Return one version of the report in a format. Raises UsageError for a version that the session does not have."""
    return render_report(_find(await _versions(quaestor, session_id), session_id, version), form)


async def diff_report(quaestor: Quaestor, session_id: str, version: int | None = None) -> str | None:
    """Return how a version, the newest without `version`, differs from the one before; None before there is a report.

    Raises UsageError for a version that the session does not have, and for the first.
    """
    versions = await _versions(quaestor, session_id)
    if not versions and version is None:
        return None
    report = _find(versions, session_id, version or max(versions))
    if report.version - 1 not in versions:
        raise UsageError(
            f"version {report.version} is the first, so there is none before it; it has {_version_list(versions)}"
        )
    return diff_reports(versions[report.version - 1], report)


async def explain_claim(quaestor: Quaestor, session_id: str, claim: int) -> str:
    """Trace a claim of the newest report back to its sources, as text.

    Raises UsageError when the session has no report, or its report no claim with this number.
    """
    return render_explanation(await audit.explain_claim(quaestor.store, quaestor.library, session_id, claim))


async def _versions(quaestor: Quaestor, session_id: str) -> Mapping[int, Report]:
    return {report.version: report for report in await quaestor.reports(session_id)}


def _find(versions: Mapping[int, Report], session_id: str, version: int) -> Report:
    if version not in versions:
        raise UsageError(f"session {session_id} has no version {version} of a report; it has {_version_list(versions)}")
    return versions[version]


def _version_list(versions: Mapping[int, Report]) -> str:
    return ", ".join(map(str, versions)) or "none"
