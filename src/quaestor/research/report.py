"""From the draft to the report, or to the statement that there is none."""

from collections.abc import Sequence

from quaestor.contracts.action import Finish, OutputPass, Record, ToolRun
from quaestor.research import writing
from quaestor.research.contracts.optional_roles import CheckInput, QuotedSentence
from quaestor.research.contracts.tools import VerifyInput
from quaestor.research.events import ReportVerified, ReportWritten
from quaestor.research.generation import generation_info
from quaestor.research.options import ResearchOptions
from quaestor.research.phases import Checking, Closing, Verifying
from quaestor.research.report_assembly import assemble_report
from quaestor.research.state import ResearchState
from quaestor.research.writing import ReportDraft
from quaestor.views.escaping import one_line


def verify_quotes(state: ResearchState, phase: Verifying) -> ToolRun:
    """Return the run that compares the quotes of everything that the draft cites with the stored sources."""
    cited = writing.cited_findings(state.report_material, _draft(state, phase), state.contradictions)
    key = f"verify/{state.report_versions + 1}"
    return ToolRun(key=key, state="VERIFYING", tool="verify", uses_reserve=True, given=VerifyInput(findings=cited))


def request_checks(state: ResearchState, phase: Checking) -> Sequence[OutputPass]:
    """Return the checker's passes over every sentence that names only verified findings, if that is wanted."""
    if not state.options.check or state.stopped:
        return ()
    return [
        OutputPass(
            key=f"check/{place}",
            state="VERIFYING",
            role="checker",
            uses_reserve=True,
            given=CheckInput(sentences=lines),
        )
        for place, lines in enumerate(_checkable_sentences(state, phase), 1)
        if f"check/{place}" not in phase.checks
    ]


def publish_report(state: ResearchState, phase: Checking) -> Record:
    """Return the record of the verdicts, and with them of the report, if anything in it is proven."""
    report = assemble_report(
        state.report_material,
        _draft(state, phase),
        phase.verdicts,
        version=state.report_versions + 1,
        doubted=_doubted_sentences(state, phase),
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        partial=state.stopped.note if state.stopped else None,
        making=generation_info(state, extractive=_is_extractive(state.options)),
    )
    claims = report.claims()
    supported = sum(claim.supported for claim in claims)
    verified = ReportVerified(verdicts=phase.verdicts, supported=supported, unsupported=len(claims) - supported)
    facts = (verified, ReportWritten(report=report)) if supported else (verified,)
    return Record(key=f"report/{state.report_versions + 1}", state="VERIFYING", facts=facts)


def _draft(state: ResearchState, phase: Verifying | Checking) -> ReportDraft:
    return ReportDraft(sections=state.sections, frame=phase.frame)


def _doubted_sentences(state: ResearchState, phase: Checking) -> frozenset[str]:
    """Return the sentences that the checker doubts."""
    if not phase.checks:
        return frozenset()
    texts = {line.number: line.text for lines in _checkable_sentences(state, phase) for line in lines}
    return frozenset(texts[doubt.number] for doubts in phase.checks.values() for doubt in doubts)


def _checkable_sentences(state: ResearchState, phase: Checking) -> Sequence[tuple[QuotedSentence, ...]]:
    verified = {verdict.finding for verdict in phase.verdicts if verdict.verified}
    return writing.checkable_sentences(state.report_material, _draft(state, phase), verified)


def _is_extractive(options: ResearchOptions) -> bool:
    models = (options.model, *options.models.values(), *options.fallback)
    return all(name.partition(":")[0] in {"offline", "script"} for name in models)


def finish_cycle(state: ResearchState, phase: Closing) -> Finish:
    """Return the end of the cycle, with its outcome in one sentence."""
    if phase.error:
        statement = f"No report was written, because its quotes could not be verified: {phase.error}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if state.report is None:
        return finish_without_evidence(state)
    if state.stopped:
        statement = f"A partial {state.report.kind} was written: {state.stopped.reason}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    return Finish(key="finish", state="DONE", outcome="done", statement=f"The {state.report.kind} was written.")


def finish_without_evidence(state: ResearchState) -> Finish:
    """Return the end of a cycle that has no report: where was searched, and what is missing."""
    gaps = tuple(dict.fromkeys(gap for todo in state.plan.todos for gap in todo.gaps))
    sources = state.options.documents + state.outcomes.read
    stopped = state.stopped.reason if state.stopped else None
    statement = render_no_evidence(state.question, gaps, state.outcomes.asked, sources, stopped)
    return Finish(key="finish", state="DONE", outcome="no_result", statement=statement)


MAX_LISTED_GAPS = 20
"""More gaps than these are counted, not listed."""


def render_no_evidence(
    question: str, gaps: Sequence[str], searches: int, sources_searched: int, stopped: str | None = None
) -> str:
    """Return the statement that nothing was found that answers the question, so that there is no report.

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
