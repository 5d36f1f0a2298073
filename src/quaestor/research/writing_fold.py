"""What each event changes while the report is written, verified and checked."""

from dataclasses import replace

from quaestor.contracts.event import ContractAccepted, ContractRejected, Event, ReportVerified, ToolResponded
from quaestor.research import writing
from quaestor.research.contracts.optional_roles import Check
from quaestor.research.contracts.tools import Verdicts
from quaestor.research.contracts.writing import Frame, Section
from quaestor.research.phases import Checking, Closing, Verifying, Writing
from quaestor.research.state import ResearchState


def fold(state: ResearchState, phase: Writing | Verifying | Checking, event: Event) -> ResearchState:
    """Return the state after one more event."""
    match phase, event.payload:
        case Writing(), ContractAccepted(output=Section() as section) if event.todo_id:
            return replace(state, sections={**state.sections, event.todo_id: section})
        case Writing(), ContractRejected(contract="Section", final=True) if event.todo_id:
            section = writing.section_without_model(state.report_material, event.todo_id)
            return replace(state, sections={**state.sections, event.todo_id: section})
        case Writing(), ContractAccepted(output=Frame() as frame):
            return replace(state, phase=Verifying(frame))
        case Writing(), ContractRejected(contract="Frame", final=True):
            return replace(state, phase=Verifying(writing.frame_without_model(state.report_material)))
        case Verifying(), ToolResponded(tool="verify", error=str(error)):
            return replace(state, phase=Closing(error))
        case Verifying(frame=frame), ToolResponded(result=Verdicts(verdicts=verdicts)):
            return replace(state, phase=Checking(frame, verdicts))
        case Checking() as checking, ContractAccepted(key=key, output=Check(doubts=doubts)):
            return replace(state, phase=replace(checking, checks={**checking.checks, key: doubts}))
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
