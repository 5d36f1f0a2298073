"""The reports of a session, in every format and version."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, assert_never

from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import NoEvidence, UsageError
from quaestor.contracts.lazy import deferred
from quaestor.contracts.plugin import ReportFormat
from quaestor.contracts.signature import SignedHead
from quaestor.views.escaping import escape_hidden_json
from quaestor.views.text import count_noun

if TYPE_CHECKING:
    from quaestor.research.contracts.brief import ResearchDocument
    from quaestor.research.views.summary import ReportSummary

__all__ = [
    "ReportSummary",
    "attach_signature",
    "diff_report",
    "diff_versions",
    "find_version",
    "read_report",
    "render_report",
    "render_version",
    "summarize_report",
]

# Research is imported when a report is read: who lists sessions needs none of it.
_VIEWS = "quaestor.research.views"
render_report: "Callable[[ResearchDocument, ReportFormat], str]" = deferred(f"{_VIEWS}.document:render_document")
"""Renders a report or a brief in a format."""
summarize_report: "Callable[[ResearchDocument], ReportSummary]" = deferred(f"{_VIEWS}.summary:summarize_document")
"""Counts what a report or a brief cites, and finds a claim or a passage that can be explained."""
_diff_documents: "Callable[[ResearchDocument, ResearchDocument], str]" = deferred(f"{_VIEWS}.diff:diff_documents")


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
    return _diff_documents(versions[report.version - 1], report)


async def diff_versions(quaestor: Quaestor, session_id: str, before: int, after: int) -> str:
    """Return how one version of the report differs from another. Raises UsageError for one that there is not."""
    versions = await _versions(quaestor, session_id)
    return _diff_documents(_find(versions, session_id, before), _find(versions, session_id, after))


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


async def find_version(quaestor: Quaestor, session_id: str, version: int | None = None) -> "ResearchDocument":
    """Return a version of the report of a session, the newest without `version`.

    Raises UsageError for a version that the session does not have, and for a session without a report.
    """
    versions = await _versions(quaestor, session_id)
    if version is None and not versions:
        raise UsageError(f"session {session_id} has no report")
    return _find(versions, session_id, max(versions) if version is None else version)


async def _versions(quaestor: Quaestor, session_id: str) -> "Mapping[int, ResearchDocument]":
    return {report.version: report for report in await quaestor.reports(session_id)}


def _find(versions: "Mapping[int, ResearchDocument]", session_id: str, version: int) -> "ResearchDocument":
    if version not in versions:
        raise UsageError(f"session {session_id} has no version {version} of a report; it has {_version_list(versions)}")
    return versions[version]


def _version_list(versions: "Mapping[int, ResearchDocument]") -> str:
    return ", ".join(map(str, versions)) or "none"
