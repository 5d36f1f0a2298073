"""What each event changes in what a research session knows: what concerns every phase here, the rest by phase."""

from typing import assert_never

from quaestor.contracts.approvals import StandingApproval
from quaestor.contracts.event import (
    Answered,
    ApprovalRevoked,
    BudgetReached,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    Event,
    FinishRequested,
    Forked,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolResponded,
)
from quaestor.contracts.immutable import replace
from quaestor.research import cost_fold, cycle_fold, dialogue, execution_fold, memory
from quaestor.research.brief import brief_fold
from quaestor.research.contracts.plan import PlanDraft
from quaestor.research.contracts.report import Report
from quaestor.research.contracts.roles import Clarity
from quaestor.research.events import (
    ContradictionsFound,
    PlanCreated,
    PlanEdited,
    PlanReviewed,
    PlanUpdated,
    ReportWritten,
    RevisionRequested,
    TodoRecorded,
    TodoRetried,
)
from quaestor.research.options import ResearchOptions, writes_brief
from quaestor.research.phases import (
    Briefing,
    Cancelling,
    Checking,
    Clarifying,
    Closing,
    Done,
    Executing,
    PlannerFailure,
    Planning,
    Refreshing,
    ReviewingPlan,
    Verifying,
    Writing,
    known_clarity,
)
from quaestor.research.planning import todo_graph
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.reports import writing_fold
from quaestor.research.reports.fallbacks import PLAN
from quaestor.research.reports.revision import WrittenReport
from quaestor.research.state import EarlyStop, ResearchState
from quaestor.research.todos import workflow_todo


def fold(state: ResearchState, event: Event) -> ResearchState:
    """Return the state after one more event; a part that an event does not concern is not made again."""
    plan = todo_graph.fold(state.plan, event)
    lines = memory.fold(state.memory, event)
    talk = dialogue.fold_dialogue(state.dialogue, event)
    if plan is not state.plan or lines is not state.memory or talk is not state.dialogue:
        state = replace(state, plan=plan, memory=lines, dialogue=talk)
    return cost_fold.fold(_fold_phase(_fold_tools(_fold_session(state, event), event), event), event)


def _with_approved(state: ResearchState, approved: tuple[StandingApproval, ...]) -> ResearchState:
    """Return a state whose todos that begin from here on may do what is approved for good."""
    return replace(state, options=state.options.revised(approved=approved))


def _fold_session(state: ResearchState, event: Event) -> ResearchState:  # noqa: C901 -- one arm an event
    """Fold what concerns the session in whatever phase it is."""
    match event.payload:
        case SessionStarted(question=question, options=options):
            return replace(state, question=question, options=ResearchOptions.model_validate(options))
        case Forked(options=options):
            return replace(state, options=ResearchOptions.model_validate(options))
        case Answered(standing=StandingApproval() as standing):
            return _with_approved(state, (*state.options.approved, standing))
        case ApprovalRevoked(standing=standing):
            return _with_approved(state, tuple(each for each in state.options.approved if each != standing))
        case CycleStarted() as started:
            return cycle_fold.start_cycle(state, started)
        case PlanCreated() as created:
            return _begin_execution(state, created)
        case PlanReviewed(review=review):
            phase = Executing() if isinstance(state.phase, ReviewingPlan) else state.phase
            return replace(state, phase=phase, is_review_over=state.is_review_over or review == "auto_approved")
        case TodoRetried(todo=todo):
            given_up = f"{todo.retries} is not tried again"
            left = tuple(line for line in state.refusals if not line.startswith(given_up))
            return replace(state, refusals=left)
        case PlanEdited(used=used):
            return replace(state, last_plan_edit_seq=event.seq, last_todo_number=used)
        case TodoRecorded(entry=entry):
            return replace(state, ledger={**state.ledger, entry.todo_id: entry})
        case PlanUpdated(update=update, refused=refused):
            reviewed = state.reviewed | {update.completed_todo_id}
            return replace(state, reviewed=reviewed, refusals=(*state.refusals, *refused))
        case ContradictionsFound(contradictions=contradictions):
            return replace(state, phase=Writing(), contradictions=contradictions)
        case ReportWritten(report=report):
            frame = state.phase.frame if isinstance(state.phase, Closing) else None
            written = WrittenReport(report, frame) if frame and isinstance(report, Report) else state.written
            return replace(state, report=report, report_versions=report.version, written=written)
        case RevisionRequested() as requested:
            return cycle_fold.begin_revision(state, requested)
        case FinishRequested():
            return _stop_early(state, "a person asked for the report")
        case BudgetReached(limit=limit):
            return _stop_early(state, f"the budget is reached ({limit})")
        case Cancelled():
            return replace(state, phase=Cancelling())
        case Paused():
            return replace(state, is_paused=True)
        case Resumed():
            return replace(state, is_paused=False, outcomes=state.outcomes.without_outages())
        case SessionFinished():
            return replace(state, phase=Done())
        case _:
            return state


def _fold_tools(state: ResearchState, event: Event) -> ResearchState:
    """Fold what all todos share: the outcomes of tools, and whether text of others was read."""
    if isinstance(event.payload, ToolResponded | ToolInterrupted):
        state = replace(state, outcomes=state.outcomes.fold(event.payload))
    if state.options.todo_kinds and state.untrusted_source is None:
        source = workflow_todo.untrusted_source(event)
        return state if source is None else replace(state, untrusted_source=source)
    return state


def _fold_phase(state: ResearchState, event: Event) -> ResearchState:
    match state.phase:
        case Clarifying() | Planning() as phase:
            folded = _fold_planning(phase, event)
            return state if folded is phase else replace(state, phase=folded)
        case Refreshing():
            return cycle_fold.apply_recheck(state, event)
        case Executing() as phase:
            return execution_fold.fold(state, phase, event)
        case Writing() | Briefing() as phase if writes_brief(state.options):
            return brief_fold.fold(state, phase, event)
        case Writing() | Verifying() | Checking() as phase:
            return writing_fold.fold(state, phase, event)
        case ReviewingPlan() | Briefing() | Closing() | Cancelling() | Done():
            return state
        case never:
            assert_never(never)


def _fold_planning(phase: Clarifying | Planning, event: Event) -> Clarifying | Planning:
    match phase, event.payload:
        case Clarifying(), ContractAccepted(output=Clarity() as clarity):
            return Planning(clarity)
        case Clarifying(), ContractRejected(contract="Clarity", final=True):
            return Planning(Clarity(is_clear=True, assumptions=("The question is clear as it stands.",)))
        case Planning(clarity=clarity), Answered() if not clarity.is_clear:
            return Clarifying()
        case _, ContractAccepted(output=PlanDraft() as draft):
            return Planning(known_clarity(phase), draft)
        case _, ContractRejected(contract="PlanDraft", final=True, objections=objections):
            return Planning(known_clarity(phase), PlannerFailure("; ".join(objections)))
        case _:
            return phase


def _begin_execution(state: ResearchState, created: PlanCreated) -> ResearchState:
    recheck = state.phase.recheck if isinstance(state.phase, Refreshing) else None
    is_reviewed = created.review == "awaiting_confirmation" and not state.stopped
    return replace(
        state,
        fallbacks=state.fallbacks | ({PLAN} if created.fallback else frozenset()),
        phase=ReviewingPlan()
        if is_reviewed
        else Executing(changed_sources=frozenset(recheck.changed if recheck else ())),
        last_todo_number=max(state.last_todo_number, last_todo_number(state.whole_plan)),
        assumptions=created.assumptions,
        refusals=(*state.refusals, *created.refused),
    )


def _stop_early(state: ResearchState, reason: str) -> ResearchState:
    """End gathering: todos in progress end with what they have. While writing, the rest is written without a model."""
    match state.phase:
        case Writing() if state.revision:
            unfinished = "The section was not written again"
        case Writing() if not writes_brief(state.options):
            unfinished = "The rest of the report was written without a model"
        case Verifying() | Checking() | Closing():
            unfinished = "Not every sentence was checked"
        case _:
            unfinished = "Gathering ended early"
    state = replace(state, stopped=state.stopped or EarlyStop(reason, unfinished))
    match state.phase:
        case ReviewingPlan():
            return replace(state, phase=Executing())
        case Executing() as phase:
            return replace(state, phase=execution_fold.stop_todos(phase, reason))
        case Writing() if state.revision:
            return replace(state, phase=Closing(reason))
        case Writing() as writing if not writes_brief(state.options):
            return writing_fold.complete_without_model(state, writing)
        case _:
            return state
