"""The steps from the recorded findings to the brief: the paragraphs are read, then the brief is recorded."""

from quaestor.contracts.action import Record, ToolRun
from quaestor.research.brief.assembly import BriefMaterial, assemble_brief
from quaestor.research.contracts.tools import ContextInput
from quaestor.research.events import ReportWritten
from quaestor.research.generation import generation_info
from quaestor.research.phases import Briefing
from quaestor.research.state import ResearchState


def request_contexts(state: ResearchState) -> ToolRun:
    """Return the run that reads the paragraph around every quote."""
    given = ContextInput(findings=state.all_findings())
    key = f"contexts/{state.report_versions + 1}"
    return ToolRun(key=key, state="VERIFYING", tool="contexts", uses_reserve=True, given=given)


def publish_brief(state: ResearchState, phase: Briefing) -> Record:
    """Return the record of the brief."""
    material = BriefMaterial(
        question=state.topic,
        plan=state.plan,
        entries=state.entries,
        contexts=phase.contexts,
        contradictions=state.contradictions,
        growth_refused=state.growth_refused,
        needs_dates=state.options.as_of is not None,
    )
    version = state.report_versions + 1
    partial = state.stopped.note if state.stopped else None
    brief = assemble_brief(material, version=version, making=generation_info(state, extractive=True), partial=partial)
    return Record(key=f"report/{version}", state="VERIFYING", facts=(ReportWritten(report=brief),))
