"""Where one sentence of a report or one passage of a brief comes from, back to the search that found it."""

from collections.abc import Iterator
from typing import assert_never

from pydantic import Field

from quaestor.contracts.base import Contract
from quaestor.contracts.source import Source
from quaestor.research.contracts.brief import BriefPassage
from quaestor.research.contracts.report import Citation, Claim
from quaestor.views.escaping import one_line, quote_line
from quaestor.views.text import format_timestamp


class CitationTrace(Contract):
    """The way of one citation: its place in the source, and the events that found, read and recorded it.

    `before` and `after` are the words of the source right before and after the quote. The numbers are events of
    the session; None where the log has no such event.
    """

    citation: Citation
    source: Source
    heading: str = Field(default="", description="The heading the quote stands under.")
    before: str = ""
    after: str = ""
    todo_id: str
    task: str
    state: str = Field(description="The state in which the finding was recorded.")
    query: str | None = Field(default=None, description="The query whose results held the passage.")
    searched: int | None = None
    read: int | None = None
    recorded: int | None = None


class Explanation(Contract):
    """A claim of a session's report, or a passage of its brief, with the trace of every citation."""

    session_id: str
    claim: Claim | BriefPassage
    traces: tuple[CitationTrace, ...] = ()


def render_explanation(explanation: Explanation) -> str:
    """Render an explanation as plain text, each quote between « and »; the text ends with a line end."""
    claim = explanation.claim
    session = one_line(explanation.session_id)
    match claim:
        case BriefPassage():
            head = f"Passage {claim.number} of session {session} (found by its words)\n  {one_line(claim.text)}"
        case Claim():
            head = "\n".join((f"Claim {claim.number} of session {session}\n  {one_line(claim.text)}", *_proof(claim)))
        case never:
            assert_never(never)
    return "\n\n".join((head, *("\n".join(_trace(trace)) for trace in explanation.traces))) + "\n"


def _proof(claim: Claim) -> Iterator[str]:
    """Return whether the claim is quoted, and what a checker concluded about it."""
    yield f"  quoted     {'yes' if claim.quoted else 'no: no verified quote is under it'}"
    confidence = "" if claim.confidence is None else f", confidence {claim.confidence:g}"
    checked = f" by {one_line(claim.checked_by)}{confidence}" if claim.checked_by else ""
    note = f": {one_line(claim.note)}" if claim.note else ""
    yield f"  verdict    {claim.verdict}{checked}{note}"


def _trace(trace: CitationTrace) -> Iterator[str]:
    citation, source = trace.citation, trace.source
    under = f', under "{one_line(trace.heading)}"' if trace.heading else ""
    yield f"[{citation.number}] {one_line(source.title) or one_line(source.uri)}"
    yield f"    {_context(trace)}"
    yield f"    found at   {one_line(source.uri)}"
    yield f"    place      characters {citation.start} to {citation.end} of {source.characters}{under}"
    yield f"    sha256     {source.sha256}"
    yield f"    retrieved  {format_timestamp(source.retrieved_at)}"
    yield f"    todo       {trace.todo_id}: {one_line(trace.task)}"
    if trace.query is not None:
        yield f'    query      "{one_line(trace.query)}"'
    yield f"    events     {', '.join(_event_numbers(trace)) or 'none in the log'}"


def _context(trace: CitationTrace) -> str:
    """Return the quote among its neighbours, with an ellipsis where the source goes on."""
    citation = trace.citation
    lead = "…" if citation.start > len(trace.before) else ""
    trail = "…" if citation.end + len(trace.after) < trace.source.characters else ""
    return f"{lead}{_collapse_spaces(trace.before)}«{quote_line(citation.text)}»{_collapse_spaces(trace.after)}{trail}"


def _collapse_spaces(text: str) -> str:
    """Fold the white space of a neighbour, but keep one blank where it meets the quote or the ellipsis."""
    return one_line(f"|{text}|")[1:-1]


def _event_numbers(trace: CitationTrace) -> Iterator[str]:
    for happened, seq in (("searched", trace.searched), ("read", trace.read)):
        if seq is not None:
            yield f"{happened} {seq}"
    if trace.recorded is not None:
        yield f"recorded {trace.recorded} in {trace.state}"
