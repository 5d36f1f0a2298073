"""What each event changes while the report is written, verified and checked."""

from dataclasses import replace

from quaestor.contracts.event import ContractAccepted, ContractRejected, Event, ReportVerified, ToolResponded
from quaestor.research import writing
from quaestor.research.contracts.optional_roles import Check
from quaestor.research.contracts.roles import Frame, Section
from quaestor.research.contracts.tools import Verdicts
from quaestor.research.phases import Checking, Closing, Verifying, Writing
from quaestor.research.state import ResearchState


def fold(state: ResearchState, phase: Writing | Verifying | Checking, event: Event) -> ResearchState:
    """Return the state after one more event."""
    match phase, event.payload:
        case Writing(), ContractAccepted(contract="Section", output=output, todo_id=str(todo_id)):
            return _add_section(state, todo_id, Section.model_validate(output))
        case Writing(), ContractRejected(contract="Section", final=True, todo_id=str(todo_id)):
            return _add_section(state, todo_id, writing.section_without_model(state.report_material, todo_id))
        case Writing(), ContractAccepted(contract="Frame", output=output):
            return replace(state, phase=Verifying(Frame.model_validate(output)))
        case Writing(), ContractRejected(contract="Frame", final=True):
            return replace(state, phase=Verifying(writing.frame_without_model(state.report_material)))
        case Verifying(), ToolResponded(tool="verify", error=str(error)):
            return replace(state, phase=Closing(error))
        case Verifying(frame=frame), ToolResponded(tool="verify", result=result):
            return replace(state, phase=Checking(frame, Verdicts.model_validate(result).verdicts))
        case Checking() as checking, ContractAccepted(contract="Check", key=key, output=output):
            checks = {**checking.checks, key: Check.model_validate(output).doubts}
            return replace(state, phase=replace(checking, checks=checks))
        case Checking() as checking, ContractRejected(contract="Check", final=True, key=key):
            return replace(state, phase=replace(checking, checks={**checking.checks, key: ()}))
        case Checking(), ReportVerified():
            return replace(state, phase=Closing())
        case _:
            return state


def complete_without_model(state: ResearchState) -> ResearchState:
    """Return the state with the rest of the draft written without a model."""
    draft = writing.complete_without_model(state.report_material, state.sections)
    return replace(state, sections=draft.sections, phase=Verifying(draft.frame))


def _add_section(state: ResearchState, todo_id: str, section: Section) -> ResearchState:
    return replace(state, sections={**state.sections, todo_id: section})
