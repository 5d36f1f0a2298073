"""A report as a person reads it on a page, and each of its citations in the source that it is from."""

from collections.abc import Sequence

from quaestor.app.reports.sources import can_draw
from quaestor.app.shorthands import Quaestor
from quaestor.contracts.errors import UsageError
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.session import Session
from quaestor.research.contracts.report import Claim
from quaestor.research.views.explanation import CitationTrace
from quaestor.research.views.readable import ReadableDocument, citing_claims, readable_document
from quaestor.runtime import audit
from quaestor.views.excerpt import Excerpt, cut_excerpt


class ReportReading(Immutable):
    """A version of a report, with the numbers of all versions."""

    document: ReadableDocument
    versions: Sequence[int]


class CitedQuote(Immutable):
    """A citation in its source: the text around it, what found it, and the claims that rest on it."""

    trace: CitationTrace
    claims: tuple[Claim, ...]
    excerpt: Excerpt
    page: int | None
    """Of the source, where it has pages."""
    has_picture: bool
    """Whether that page can be drawn."""


def takes_follow_ups(workflow: str) -> bool:
    """Return whether a person may ask on when a session of a workflow is over: it writes reports with citations."""
    return workflow == "research"


async def has_report(quaestor: Quaestor, session: Session) -> bool:
    """Return whether there is a report of a session to be read, of this cycle or of an earlier one."""
    return takes_follow_ups(session.workflow) and await quaestor.has_document(session.id)


async def read_readable(quaestor: Quaestor, session_id: str, version: int | None = None) -> ReportReading | None:
    """Return a version of the report, the newest without `version`; None before there is one.

    Raises UsageError for a version that the session does not have.
    """
    found = {each.version: each for each in await quaestor.reports(session_id)}
    if not found and version is None:
        return None
    chosen = max(found) if version is None else version
    if chosen not in found:
        raise UsageError(f"session {session_id} has no version {chosen} of a report")
    return ReportReading(readable_document(found[chosen]), sorted(found))


async def read_citation(
    quaestor: Quaestor, session_id: str, number: int, version: int | None = None, context: int = 1_500
) -> CitedQuote:
    """Return a citation of a version of the report in its source, with so many characters on either side.

    Raises UsageError for a citation or a version that there is not.
    """
    await quaestor.session(session_id)
    document, trace = await audit.trace_citation(quaestor.store, quaestor.library, session_id, number, version)
    citation, source = trace.citation, trace.source
    text = await quaestor.library.text(citation.source) or ""
    others = [(each.start, each.end) for each in document.citations() if each.source == citation.source]
    page = source.page(citation.start)
    window = (*source.pages, len(text))[page - 1 : page + 1] if page else (0, len(text))
    return CitedQuote(
        trace=trace,
        claims=citing_claims(document, number),
        excerpt=cut_excerpt(text, (citation.start, citation.end), others, (window[0], window[1]), context),
        page=page,
        has_picture=page is not None and await can_draw(quaestor, source),
    )
