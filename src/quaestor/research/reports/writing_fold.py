"""What each event changes while the report is written, verified and checked."""

from collections.abc import Sequence

from quaestor.contracts.event import ContractAccepted, ContractRejected, Event, ModelRequested, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.optional_roles import SentenceVerdicts
from quaestor.research.contracts.tools import Verdicts
from quaestor.research.contracts.writing import Frame, Section
from quaestor.research.events import ReportVerified
from quaestor.research.phases import Checking, Closing, Verifying, Writing
from quaestor.research.reports import writing
from quaestor.research.reports.fallbacks import FRAME
from quaestor.research.reports.form import fit_section, limit_frame
from quaestor.research.state import ResearchState


def fold(state: ResearchState, phase: Writing | Verifying | Checking, event: Event) -> ResearchState:
    """Return the state after one more event."""
    match phase, event.payload:
        case Writing() as writing_phase, _:
            return _fold_draft(state, writing_phase, event)
        case Verifying(), ToolResponded(tool="verify", error=str(error)):
            return replace(state, phase=Closing(error))
        case Verifying(frame=frame), ToolResponded(result=Verdicts(verdicts=verdicts)):
            return replace(state, phase=Checking(frame, verdicts))
        case Checking(frame=frame), ReportVerified(refuted=refuted):
            return replace(state, phase=Closing(frame=frame, refuted=refuted))
        case Checking() as checking, _:
            return replace(state, phase=_fold_checks(checking, event))
        case _:
            return state


def _fold_draft(state: ResearchState, phase: Writing, event: Event) -> ResearchState:
    match event.payload:
        case ContractAccepted(output=Section() as section, key=key) if todo_ids := writing.section_todo_ids(key):
            state = add_section(state, todo_ids, section)
        case ContractRejected(contract="Section", final=True, objections=objections) if state.revision:
            return replace(state, phase=Closing("; ".join(objections)))
        case ContractRejected(contract="Section", final=True, key=key) if todo_ids := writing.section_todo_ids(key):
            state = add_sections_without_model(state, todo_ids)
        case ContractAccepted(output=Frame() as frame):
            phase = Writing(limit_frame(frame, state.options.length))
            state = replace(state, fallbacks=state.fallbacks - {FRAME})
        case ContractRejected(contract="Frame", final=True):
            phase = Writing(writing.frame_without_model(state.report_material))
            state = replace(state, fallbacks=state.fallbacks | {FRAME})
        case _:
            return state
    if phase.frame and (state.revision or not writing.request_sections(state.report_material, state.sections)):
        return replace(state, phase=Verifying(phase.frame))
    return replace(state, phase=phase)


def add_section(state: ResearchState, todo_ids: Sequence[str], section: Section) -> ResearchState:
    """Return the state with the sections of todos that were written together, each as long as it is to be."""
    material, length = state.report_material, state.options.length
    own, share = writing.split_section(material, todo_ids, section), writing.assign_findings(material)
    fitted = {todo_id: fit_section(one, length, share.get(todo_id, ())) for todo_id, one in own.items()}
    return replace(state, sections={**state.sections, **fitted}, fallbacks=state.fallbacks.difference(todo_ids))


def add_sections_without_model(state: ResearchState, todo_ids: Sequence[str]) -> ResearchState:
    """Return the state with the sections of todos for which the writer gave no usable answer."""
    written = {todo_id: writing.section_without_model(state.report_material, todo_id) for todo_id in todo_ids}
    return replace(state, sections={**state.sections, **written}, fallbacks=state.fallbacks.union(todo_ids))


def _fold_checks(phase: Checking, event: Event) -> Checking:
    match event.payload:
        case ModelRequested(key=key, model=model):
            return replace(phase, models={**phase.models, key: model})
        case ContractAccepted(key=key, output=SentenceVerdicts(verdicts=verdicts)):
            return replace(phase, checks={**phase.checks, key: verdicts})
        case ContractRejected(contract="SentenceVerdicts", final=True, key=key):
            return replace(phase, checks={**phase.checks, key: ()})
        case _:
            return phase


def complete_without_model(state: ResearchState, phase: Writing) -> ResearchState:
    """Return the state with the rest of the draft written without a model."""
    draft = writing.complete_without_model(state.report_material, state.sections, phase.frame)
    return replace(state, sections=draft.sections, phase=Verifying(draft.frame))
