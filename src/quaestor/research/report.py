"""From the draft to the report, or to the plain statement that there is none."""

from collections.abc import Sequence

from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolRun
from quaestor.research import writing
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.contracts.tools import VerifyInput
from quaestor.research.events import ReportVerified, ReportWritten
from quaestor.research.options import ResearchOptions
from quaestor.research.state import ResearchState
from quaestor.views.escaping import one_line


def verify_quotes(state: ResearchState) -> Action:
    """Compare the quotes of everything that the draft cites with the stored sources."""
    given = VerifyInput(findings=writing.cited_findings(state.report_material, state.draft, state.contradictions))
    return ToolRun(
        key=f"verify/{state.report_versions + 1}", state="VERIFYING", tool="verify", uses_reserve=True, given=given
    )


def request_checks(state: ResearchState) -> Sequence[Action]:
    """Ask the checker about every sentence of the draft that stands on verified quotes, if it is wanted."""
    if not state.options.check or state.stopped or state.is_report_recorded:
        return ()
    return [
        OutputPass(
            key=f"check/{place}",
            state="VERIFYING",
            role="checker",
            uses_reserve=True,
            given=CheckInput(sentences=lines),
        )
        for place, lines in enumerate(_checkable_sentences(state), 1)
        if f"check/{place}" not in state.checks
    ]


def _doubted_sentences(state: ResearchState) -> frozenset[str]:
    """Give the sentences that the checker doubts."""
    said = {line.number: line.text for lines in _checkable_sentences(state) for line in lines}
    return frozenset(said[doubt.number] for doubts in state.checks.values() for doubt in doubts)


def _checkable_sentences(state: ResearchState) -> Sequence[tuple[QuotedSentence, ...]]:
    verified = {verdict.finding for verdict in state.verdicts or () if verdict.verified}
    return writing.checkable_sentences(state.report_material, state.draft, verified)


def publish_report(state: ResearchState) -> Action:
    """Record the verdicts, and with them the report, if anything in it is proven."""
    done = sum(todo.status is TodoStatus.DONE for todo in state.plan.todos)
    report = writing.assemble_report(
        state.report_material,
        state.draft,
        state.verdicts or (),
        version=state.report_versions + 1,
        doubted=_doubted_sentences(state) if state.checks else frozenset(),
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        partial=state.partial_reason,
        making=GenerationInfo(
            model=state.options.model,
            todos=len(state.plan.todos),
            todos_done=done,
            searches=state.outcomes.asked,
            sources_searched=state.options.documents + state.outcomes.read,
            spend=state.answered,
            extractive=_is_extractive(state.options),
        ),
    )
    claims = report.claims()
    supported = sum(claim.supported for claim in claims)
    verified = ReportVerified(verdicts=state.verdicts or (), supported=supported, unsupported=len(claims) - supported)
    facts = (verified, ReportWritten(report=report)) if supported else (verified,)
    return Record(key=f"report/{state.report_versions + 1}", state="VERIFYING", facts=facts)


def _is_extractive(options: ResearchOptions) -> bool:
    models = (options.model, *options.models.values(), *options.fallback)
    return all(name.partition(":")[0] in {"offline", "script"} for name in models)


def finish_cycle(state: ResearchState) -> Action:
    """End the cycle, and say with what."""
    if state.verification_error:
        statement = f"No report was written, because its quotes could not be verified: {state.verification_error}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if state.report is None:
        return Finish(key="finish", state="DONE", outcome="no_result", statement=no_evidence_statement(state))
    if state.stopped:
        statement = f"A partial report was written: {state.stopped}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    return Finish(key="finish", state="DONE", outcome="done", statement="The report was written.")


def no_evidence_statement(state: ResearchState) -> str:
    """Say that nothing was found, where it was looked for, and what is missing."""
    gaps = tuple(dict.fromkeys(gap for todo in state.plan.todos for gap in todo.gaps))
    sources = state.options.documents + state.outcomes.read
    return render_no_evidence(state.question, gaps, state.outcomes.asked, sources, state.stopped)


MAX_LISTED_GAPS = 20
"""More gaps than these are counted, not listed."""


def render_no_evidence(
    question: str, gaps: Sequence[str], searches: int, sources_searched: int, stopped: str | None = None
) -> str:
    """Say plainly that nothing was found that answers the question, so that there is no report.

    `sources_searched` counts the texts that could have held an answer, `stopped` says why the search ended early.
    """
    more = len(gaps) - MAX_LISTED_GAPS
    missing = [f"- {one_line(gap)}" for gap in gaps[:MAX_LISTED_GAPS]] + [f"- and {more:,} more"] * (more > 0)
    places = _format_count(sources_searched, "source", "sources")
    searched = f"{_format_count(searches, 'search', 'searches')} over {places}"
    lines = (
        "No report: nothing that was found answers the question, and nothing is claimed without a source.",
        "",
        f"Question: {one_line(question)}",
        f"Searched: {searched}.",
        *([f"It ended early: {one_line(stopped)}."] if stopped else []),
        *(["", "What is missing:", *missing] if missing else []),
        "",
        "Add sources that may hold the answer, or ask more precisely, and run it again.",
    )
    return "\n".join(lines)


def _format_count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
