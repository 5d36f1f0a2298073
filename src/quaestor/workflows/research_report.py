"""From the draft to the report, or to the plain statement that there is none."""

from collections.abc import Sequence

from quaestor.contracts.action import Action, Finish, OutputPass, Record, ToolRun
from quaestor.contracts.checking import CheckGiven, CheckLine
from quaestor.contracts.event import (
    ReportVerified,
    ReportWritten,
)
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import TodoStatus
from quaestor.contracts.report import Making
from quaestor.contracts.tools import VerifyGiven
from quaestor.views.statement import no_evidence
from quaestor.workflows.parts import writing
from quaestor.workflows.research_state import ResearchState


def verification(state: ResearchState) -> Action:
    """Compare the quotes of everything that the draft cites with the stored sources."""
    given = VerifyGiven(findings=writing.cited(state.material, state.draft, state.contradictions))
    return ToolRun(key=f"verify/{state.versions + 1}", state="VERIFYING", tool="verify", writing=True, given=given)


def checks_wanted(state: ResearchState) -> Sequence[Action]:
    """Ask the checker about every sentence of the draft that stands on verified quotes, if it is wanted."""
    if not state.options.check or state.stopped or state.report_settled:
        return ()
    return [
        OutputPass(
            key=f"check/{place}", state="VERIFYING", role="checker", writing=True, given=CheckGiven(sentences=lines)
        )
        for place, lines in enumerate(_checkable(state), 1)
        if f"check/{place}" not in state.checks
    ]


def _doubted(state: ResearchState) -> frozenset[str]:
    """Give the sentences that the checker doubts."""
    said = {line.number: line.text for lines in _checkable(state) for line in lines}
    return frozenset(said[doubt.number] for doubts in state.checks.values() for doubt in doubts)


def _checkable(state: ResearchState) -> Sequence[tuple[CheckLine, ...]]:
    verified = {verdict.finding for verdict in state.verdicts or () if verdict.verified}
    return writing.checkable(state.material, state.draft, verified)


def published(state: ResearchState) -> Action:
    """Record the verdicts, and with them the report, if anything in it is proven."""
    done = sum(todo.status is TodoStatus.DONE for todo in state.plan.todos)
    report = writing.assembled(
        state.material,
        state.draft,
        state.verdicts or (),
        version=state.versions + 1,
        doubted=_doubted(state) if state.checks else frozenset(),
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        partial=state.unfinished,
        making=Making(
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
    return Record(key=f"report/{state.versions + 1}", state="VERIFYING", facts=facts)


def _is_extractive(options: ResearchOptions) -> bool:
    models = (options.model, *options.models.values(), *options.fallback)
    return all(name.partition(":")[0] in {"offline", "script"} for name in models)


def finished(state: ResearchState) -> Action:
    """End the cycle, and say with what."""
    if state.unverifiable:
        statement = f"No report was written, because its quotes could not be verified: {state.unverifiable}"
        return Finish(key="finish", state="DONE", outcome="failed", statement=statement)
    if state.report is None:
        return Finish(key="finish", state="DONE", outcome="no_evidence", statement=no_evidence_statement(state))
    if state.stopped:
        statement = f"A partial report was written: {state.stopped}"
        return Finish(key="finish", state="DONE", outcome="partial", statement=statement)
    return Finish(key="finish", state="DONE", outcome="done", statement="The report was written.")


def no_evidence_statement(state: ResearchState) -> str:
    """Say that nothing was found, where it was looked for, and what is missing."""
    gaps = tuple(dict.fromkeys(gap for todo in state.plan.todos for gap in todo.gaps))
    sources = state.options.documents + state.outcomes.read
    return no_evidence(state.question, gaps, state.outcomes.asked, sources, state.stopped)
