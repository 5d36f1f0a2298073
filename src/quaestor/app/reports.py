"""The reports of a session, in every format, and where their claims come from."""

import json
from collections.abc import Mapping
from typing import assert_never

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.base import Contract
from quaestor.contracts.errors import NoEvidence, UsageError
from quaestor.contracts.plugin import ReportFormat
from quaestor.contracts.signature import SignedHead
from quaestor.research.contracts.brief import Brief, ResearchDocument
from quaestor.research.contracts.report import Report
from quaestor.research.report_words import report_words
from quaestor.research.views.diff import diff_documents
from quaestor.research.views.document import render_document
from quaestor.research.views.explanation import Explanation, render_explanation
from quaestor.research.views.report_outline import proof_notice
from quaestor.runtime import audit
from quaestor.views.escaping import escape_hidden_json
from quaestor.views.text import count_noun

__all__ = [
    "Explanation",
    "ReportSummary",
    "diff_report",
    "diff_versions",
    "explain_claim",
    "find_version",
    "read_report",
    "render_report",
    "render_version",
    "summarize_report",
    "trace_claim",
]


class ReportSummary(Contract):
    """A report in short."""

    text: str
    cited_claim: int


def render_report(document: ResearchDocument, form: ReportFormat) -> str:
    """Render a report or a brief in a format."""
    return render_document(document, form)


def summarize_report(document: ResearchDocument) -> ReportSummary:
    """Count what a report or a brief cites, and find a claim or a passage that can be explained."""
    match document:
        case Report():
            return _summarize_claims(document)
        case Brief():
            passages = count_noun(len(document.passages), "passage")
            return ReportSummary(text=f"{passages} from {count_noun(len(document.sources), 'source')}", cited_claim=1)
        case never:
            assert_never(never)


def _summarize_claims(report: Report) -> ReportSummary:
    claims = report.claims()
    cited = (
        f"{count_noun(len(report.citations()), 'verified citation')} from {count_noun(len(report.sources), 'source')}"
    )
    return ReportSummary(
        text=f"{cited}; {proof_notice(report, report_words(None)).removesuffix('.')}",
        cited_claim=next((claim.number for claim in claims if claim.citations), 1),
    )


async def read_report(
    quaestor: Quaestor, session_id: str, form: ReportFormat, version: int | None = None
) -> str | None:
    """Return the newest report of a session in a format, or one version of it; None before there is one.

    Raises NoEvidence when the session ended without one, UsageError for a version that it does not have.
    """
    if version is not None:
        return await render_version(quaestor, session_id, version, form)
    text = await quaestor.render_report(session_id, form)
    if text is None and (result := await quaestor.result(session_id)).outcome == "no_result":
        raise NoEvidence(f"session {session_id} ended without a report: {result.statement}")
    return text


async def render_version(quaestor: Quaestor, session_id: str, version: int, form: ReportFormat) -> str:
    """Return one version of the report in a format. Raises UsageError for a version that the session does not have."""
    return render_report(await find_version(quaestor, session_id, version), form)


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
    return diff_documents(versions[report.version - 1], report)


async def diff_versions(quaestor: Quaestor, session_id: str, before: int, after: int) -> str:
    """Return how one version of the report differs from another. Raises UsageError for one that there is not."""
    versions = await _versions(quaestor, session_id)
    return diff_documents(_find(versions, session_id, before), _find(versions, session_id, after))


async def trace_claim(quaestor: Quaestor, session_id: str, claim: int) -> Explanation:
    """Trace a claim of the newest report back to its sources.

    Raises UsageError when the session has no report, or its report no claim with this number.
    """
    await quaestor.session(session_id)
    return await audit.explain_claim(quaestor.store, quaestor.library, session_id, claim)


async def explain_claim(quaestor: Quaestor, session_id: str, claim: int) -> str:
    """Trace a claim of the newest report back to its sources, as text. Raises as `trace_claim` does."""
    return render_explanation(await trace_claim(quaestor, session_id, claim))


def attach_signature(text: str, form: ReportFormat, signed: SignedHead) -> str:
    """Return a rendered report with the signed head of the log that it is from; as JSON in the field `log`."""
    match form:
        case "json":
            whole = {**json.loads(text), "log": signed.model_dump(mode="json")}
            return escape_hidden_json(json.dumps(whole, ensure_ascii=False, indent=2))
        case "md":
            return f"{text.rstrip()}\n\n---\n\n{_signature_line(signed)}\n"
        case "html":
            before, end, after = text.rpartition("</body>")
            return f"{before}<footer><p>{_signature_line(signed)}</p></footer>\n{end}{after}"
        case never:
            assert_never(never)


def _signature_line(signed: SignedHead) -> str:
    head = signed.head
    return (
        f"Log of session {head.session_id}: {count_noun(head.events, 'event')}, head {head.hash}, "
        f"signed {signed.signed_at.isoformat()} by {signed.key}: {signed.signature}"
    )


async def find_version(quaestor: Quaestor, session_id: str, version: int | None = None) -> ResearchDocument:
    """Return a version of the report of a session, the newest without `version`.

    Raises UsageError for a version that the session does not have, and for a session without a report.
    """
    versions = await _versions(quaestor, session_id)
    if version is None and not versions:
        raise UsageError(f"session {session_id} has no report")
    return _find(versions, session_id, max(versions) if version is None else version)


async def _versions(quaestor: Quaestor, session_id: str) -> Mapping[int, ResearchDocument]:
    return {report.version: report for report in await quaestor.reports(session_id)}


def _find(versions: Mapping[int, ResearchDocument], session_id: str, version: int) -> ResearchDocument:
    if version not in versions:
        raise UsageError(f"session {session_id} has no version {version} of a report; it has {_version_list(versions)}")
    return versions[version]


def _version_list(versions: Mapping[int, ResearchDocument]) -> str:
    return ", ".join(map(str, versions)) or "none"
