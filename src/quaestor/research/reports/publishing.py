"""From the draft to the report, or to the statement that there is none."""

from collections import Counter
from collections.abc import Callable, Sequence

from quaestor.contracts.action import Finish, Record, ToolRun
from quaestor.contracts.lazy import deferred
from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.report import Report
from quaestor.research.contracts.tools import VerifyInput
from quaestor.research.contracts.verdicts import Verdict
from quaestor.research.events import ReportVerified, ReportWritten
from quaestor.research.options import writes_brief
from quaestor.research.phases import Checking, Closing, Verifying
from quaestor.research.reports.checking import current_draft, judge_sentences, unjudged_note
from quaestor.research.reports.draft import cited_findings
from quaestor.research.reports.generation import generation_info
from quaestor.research.reports.revision import revise_report
from quaestor.research.state import ResearchState
from quaestor.views.escaping import one_line

_left_out_notes: Callable[..., tuple[str, ...]] = deferred("quaestor.research.reports.source_bounds:left_out_notes")
_assemble_report: Callable[..., Report] = deferred("quaestor.research.reports.assembly:assemble_report")


def verify_quotes(state: ResearchState, phase: Verifying) -> ToolRun:
    """Return the run that compares the quotes of everything that the draft cites with the stored sources."""
    cited = cited_findings(state.report_material, current_draft(state, phase))
    key = f"verify/{state.report_versions + 1}"
    return ToolRun(key=key, state="VERIFYING", tool="verify", uses_reserve=True, given=VerifyInput(findings=cited))


def publish_report(state: ResearchState, phase: Checking) -> Record:
    """Return the record of the verdicts, and with them of the report, if anything in it is proven."""
    making = generation_info(state, extractive=state.options.is_extractive)
    checks = judge_sentences(state, phase)
    report = _assemble_report(
        state.report_material,
        current_draft(state, phase),
        phase.verdicts,
        version=state.report_versions + 1,
        checks=checks,
        assumptions=state.assumptions,
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        left_out=(
            *unjudged_note(state.report_material.words, checks),
            *_left_out_notes(
                state.outcomes, state.options, state.report_material.words, state.outcomes.similar_words()
            ),
        ),
        partial=_partial_note(state),
        making=making,
    )
    if state.revision:
        report = revise_report(state.revision, report, making)
    claims = report.claims()
    counts = Counter(claim.verdict for claim in claims)
    quoted = sum(claim.quoted for claim in claims)
    verified = ReportVerified(
        verdicts=phase.verdicts,
        quoted=quoted,
        unquoted=len(claims) - quoted,
        supported=counts[Verdict.SUPPORTED],
        refuted=counts[Verdict.REFUTED],
        unverifiable=counts[Verdict.UNVERIFIABLE],
    )
    holds = any(claim.quoted and claim.verdict is not Verdict.REFUTED for claim in claims)
    facts = (verified, ReportWritten(report=report)) if holds else (verified,)
    return Record(key=f"report/{state.report_versions + 1}", state="VERIFYING", facts=facts)


def _partial_note(state: ResearchState) -> str | None:
    if state.stopped:
        return state.stopped.note
    unfinished = _unfinished_todos(state)
    return f"Not every todo was carried out: {unfinished}." if unfinished else None


def finish_cycle(state: ResearchState, phase: Closing) -> Finish:
    """Return the end of the cycle, with its outcome in one sentence."""
    if phase.error and state.revision:
        kept = f"version {state.report_versions} of the report stands"
        statement = f"The section was not written again, so {kept}: {phase.error}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if phase.error:
        statement = f"No report was written, because its quotes could not be verified: {phase.error}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if state.report is None:
        return finish_without_evidence(state, phase.refuted)
    if state.stopped:
        statement = f"A partial {state.report.kind} was written: {state.stopped.reason}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    if unfinished := _unfinished_todos(state):
        statement = f"A partial {state.report.kind} was written: {unfinished}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    return Finish(key="finish", state="DONE", outcome="done", statement=f"The {state.report.kind} was written.")


def _unfinished_todos(state: ResearchState) -> str:
    """Return the todos that ended failed and were not tried again with success, and those blocked by them."""
    retried = {todo.retries for todo in state.plan.todos}
    lost = {TodoStatus.FAILED, TodoStatus.BLOCKED}
    ended = [f"{todo.id} {todo.status}" for todo in state.plan.todos if todo.status in lost and todo.id not in retried]
    return ", ".join(ended)


def finish_without_evidence(state: ResearchState, refuted: int = 0) -> Finish:
    """Return the end of a cycle that has no report: where was searched, and what is missing or was refuted."""
    retried = {todo.retries for todo in state.plan.todos}
    last_tries = [todo for todo in state.plan.todos if todo.id not in retried]
    gaps = tuple(dict.fromkeys(gap for todo in last_tries for gap in todo.gaps))
    stopped = state.stopped.reason if state.stopped else None
    failures = tuple(f"{todo.id}: {todo.result}" for todo in last_tries if todo.status is TodoStatus.FAILED)
    found_out = any(todo.status is TodoStatus.DONE for todo in last_tries)
    statement = render_no_evidence(
        state.question,
        gaps,
        state.searches,
        state.sources_searched,
        stopped,
        failures=failures,
        all_failed=bool(failures) and not found_out,
        refuted=refuted,
        by_words=writes_brief(state.options),
    )
    return Finish(key="finish", state="DONE", outcome="no_result", statement=statement)


MAX_LISTED_GAPS = 20
"""More gaps than these are counted, not listed."""


def render_no_evidence(
    question: str,
    gaps: Sequence[str],
    searches: int,
    sources_searched: int,
    stopped: str | None = None,
    *,
    failures: Sequence[str] = (),
    all_failed: bool = False,
    refuted: int = 0,
    by_words: bool = False,
) -> str:
    """Return the statement that nothing was found that answers the question, so that there is no report.

    `sources_searched` counts the texts that could have held an answer, `stopped` says why the search ended early,
    `failures` are the todos that failed, with their reasons, `all_failed` if no other was carried out, so that nobody
    knows what the sources hold, `refuted` counts the claims that the checker refuted, and `by_words` is true where no
    model reads, so that an answer in other words, or in another language, is not found.
    """
    why = "nothing that was found answers the question"
    advice = "Add sources that may hold the answer, or ask more precisely, and run it again."
    if by_words:
        why = "no passage that was found shares enough words with the question"
        advice = "Ask in the words and in the language of the documents, or add sources, and run it again."
    if all_failed:
        why = "every todo failed, so what the sources hold is not known"
    if stopped:
        why = "it ended early, so what the sources hold is not known"
        advice = "See to the reason, and run it again."
    elif failures:
        advice = "A todo that failed says nothing about the answer: see to its reason, and run it again."
    places = _format_count(sources_searched, "source", "sources")
    searched = f"{_format_count(searches, 'search', 'searches')} over {places}"
    lines = (
        f"No report: {why}, and nothing is claimed without a source.",
        "",
        f"Question: {one_line(question)}",
        f"Searched: {searched}.",
        *([f"It ended early: {one_line(stopped)}."] if stopped else []),
        *([f"Refuted by the checker: {_format_count(refuted, 'claim', 'claims')}."] if refuted else []),
        *_listed("What is missing:", gaps),
        *_listed("What failed:", failures),
        "",
        advice,
    )
    return "\n".join(lines)


def _listed(title: str, items: Sequence[str]) -> Sequence[str]:
    """Return a list below its title, without what exceeds MAX_LISTED_GAPS; nothing where there are no items."""
    more = len(items) - MAX_LISTED_GAPS
    listed = [f"- {one_line(item)}" for item in items[:MAX_LISTED_GAPS]] + [f"- and {more:,} more"] * (more > 0)
    return ("", title, *listed) if listed else ()


def _format_count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
