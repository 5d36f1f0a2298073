"""What each event changes in what a research session knows, made of the parts' folds."""

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    Answered,
    BudgetReached,
    Cancelled,
    ContractAccepted,
    ContractRejected,
    ContradictionsFound,
    CycleStarted,
    Event,
    FinishRequested,
    Forked,
    ModelResponded,
    PlanCreated,
    PlanEdited,
    PlanUpdated,
    ReportVerified,
    ReportWritten,
    SessionFinished,
    SessionStarted,
    TodoRecorded,
    TodoStarted,
    ToolInterrupted,
    ToolResponded,
    ToolsChosen,
)
from quaestor.research import dialogue, memory, todo_lifecycle, tool_todo, writing
from quaestor.research.contracts.optional_roles import Check
from quaestor.research.contracts.plan import Plan, PlanDraft, PlanUpdate, TodoStatus
from quaestor.research.contracts.roles import Clarity, Frame, Section, Summary, WrittenSentence
from quaestor.research.contracts.tools import RecheckResult, Verdicts
from quaestor.research.options import ResearchOptions
from quaestor.research.planning import todo_graph
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.planning.replanning import stale_todos
from quaestor.research.state import ResearchState
from quaestor.research.tool_outcomes import ToolOutcomes
from quaestor.research.writing import ReportDraft

_ADVANCING_EVENTS = (TodoStarted, ContractAccepted, ToolsChosen, ToolResponded, ToolInterrupted)


def initial_state() -> ResearchState:
    """Give the state before any event."""
    return ResearchState()


def fold(state: ResearchState, event: Event) -> ResearchState:
    """Give the state after one more event."""
    state = state.model_copy(
        update={
            "plan": todo_graph.fold(state.plan, event),
            "memory": memory.fold(state.memory, event),
            "dialogue": dialogue.fold_dialogue(state.dialogue, event),
        }
    )
    return _advance_todos(_fold_spend(_fold_todos(_fold_session(state, event), event), event), event)


def _fold_session(state: ResearchState, event: Event) -> ResearchState:  # noqa: C901 -- one arm an event
    """Fold what concerns the session as a whole."""
    match event.payload:
        case SessionStarted(question=question, options=options):
            return _with(state, question=question, options=ResearchOptions.model_validate(options))
        case Forked(options=options):
            return _with(state, options=ResearchOptions.model_validate(options))
        case CycleStarted() as begun:
            return _start_cycle(state, begun)
        case PlanCreated():
            return _with(
                state, is_refreshing=False, last_todo_number=max(state.last_todo_number, last_todo_number(state.whole))
            )
        case Answered() if state.clarity and not state.clarity.is_clear and not state.plan.todos:
            return _with(state, clarity=None)
        case PlanEdited(used=used):
            return _with(state, last_plan_edit_seq=event.seq, last_todo_number=used)
        case FinishRequested():
            return _stop_early(state, "a person asked for the report")
        case Cancelled():
            return _with(state, cancelled=True)
        case TodoStarted() if event.todo_id:
            return _start_todo(state, event.todo_id)
        case TodoRecorded(entry=entry):
            return _with(state, ledger={**state.ledger, entry.todo_id: entry})
        case PlanUpdated(update=update, refused=refused):
            reviewed = state.reviewed | {update.completed_todo_id}
            return _with(state, reviewed=reviewed, growth_refused=(*state.growth_refused, *refused))
        case ContractAccepted() as accepted:
            return _apply_output(state, accepted, event.todo_id)
        case ContractRejected(final=True) as rejected:
            return _apply_fallback(state, rejected, event.todo_id)
        case ContradictionsFound(contradictions=contradictions):
            return _with(state, writing=True, contradictions=contradictions)
        case ReportVerified():
            return _with(state, is_report_recorded=True)
        case ReportWritten(report=report):
            return _with(state, report=report, report_versions=report.version)
        case ToolResponded(tool="recheck", error=str(error)):
            return _apply_recheck(state, RecheckResult(unread=(error,)))
        case ToolResponded(result=RecheckResult() as rechecked):
            return _apply_recheck(state, rechecked)
        case BudgetReached(limit=limit):
            return _stop_early(state, f"the budget is reached ({limit})")
        case SessionFinished():
            return _with(state, finished=True)
        case ToolResponded(tool="verify", error=str(error)):
            return _with(state, verification_error=error)
        case ToolResponded(result=Verdicts(verdicts=verdicts)):
            return _with(state, verdicts=verdicts)
        case _:
            return state


def _fold_todos(state: ResearchState, event: Event) -> ResearchState:
    """Fold what concerns the life of one todo, and what all todos share."""
    if isinstance(event.payload, ToolResponded | ToolInterrupted):
        state = _with(state, outcomes=state.outcomes.after(event.payload))
    if state.options.allow and state.untrusted is None and (words := tool_todo.untrusted_source(event)):
        lives = {own: tool_todo.mark_untrusted(life, words) for own, life in state.lives.items()}
        state = _with(state, untrusted=words, lives=lives)
    if any(life.step == "tasking" for life in state.lives.values()):
        state = _with(state, lives={own: tool_todo.fold(life, event) for own, life in state.lives.items()})
    todo_id = event.todo_id
    if todo_id is None or todo_id not in state.lives:
        return state
    life = todo_lifecycle.fold(state.lives[todo_id], event, state.options)
    return _with(state, lives={**state.lives, todo_id: life})


def _advance_todos(state: ResearchState, event: Event) -> ResearchState:
    """Let every life go on that has what it waits for; only some events bring that, or make a life wait."""
    if not isinstance(event.payload, _ADVANCING_EVENTS):
        return state
    moved = {
        todo_id: todo_lifecycle.advance(life, state.outcomes, state.options)
        for todo_id, life in state.lives.items()
        if life.step in todo_lifecycle.WAITING_STEPS
    }
    return _with(state, lives={**state.lives, **moved}) if moved else state


def _fold_spend(state: ResearchState, event: Event) -> ResearchState:
    match event.payload:
        case ModelResponded(spend=spend):
            return _with(state, steps=state.steps + 1, spend=state.spend + spend)
        case ToolResponded(spend=spend):
            calls = state.answered + Spend(tool_calls=spend.tool_calls)
            return _with(state, steps=state.steps + 1, spend=state.spend + spend, answered=calls)
        case ContractAccepted() | ContractRejected() | ToolsChosen():
            return _with(state, answered=state.answered + Spend(model_calls=1))
        case _:
            return state


def _start_cycle(state: ResearchState, begun: CycleStarted) -> ResearchState:
    """Begin a cycle with what is known: a follow-up question has a plan to come, a new look the plan that was."""
    asks = begun.why == "question"
    return ResearchState(
        question=begun.question or state.question,
        options=state.options,
        dialogue=state.dialogue,
        clarity=None if asks else state.clarity,
        earlier_plan=state.whole if asks else state.earlier_plan,
        is_refreshing=not asks,
        plan=Plan() if asks else state.plan,
        last_plan_edit_seq=state.last_plan_edit_seq,
        last_todo_number=max(state.last_todo_number, last_todo_number(state.whole)),
        outcomes=state.outcomes if asks else ToolOutcomes(),
        untrusted=state.untrusted,
        reviewed=state.reviewed,
        ledger=state.ledger,
        memory=state.memory,
        draft=ReportDraft() if asks else ReportDraft(sections=state.draft.sections),
        report_versions=state.report_versions,
        steps=state.steps,
        answered=state.answered,
        spend=state.spend,
    )


def _apply_recheck(state: ResearchState, rechecked: RecheckResult) -> ResearchState:
    """Set aside what rests on changed sources: its todos are past, and what was written of them is written anew."""
    gone = stale_todos(state.plan, state.ledger, rechecked.changed)
    return _with(
        state,
        recheck_result=rechecked,
        earlier_plan=Plan(todos=(*state.earlier_plan.todos, *(todo for todo in state.plan.todos if todo.id in gone))),
        memory=tuple(line for line in state.memory if not gone.issuperset(line.todo_ids)),
        draft=ReportDraft(sections={own: said for own, said in state.draft.sections.items() if own not in gone}),
    )


def _start_todo(state: ResearchState, todo_id: str) -> ResearchState:
    todo = state.plan.todo(todo_id)
    if todo is None:
        return state
    changed = state.recheck_result.changed if state.recheck_result else ()
    before = state.findings_of(earlier.id for earlier in state.earlier_plan.todos)
    standing = (finding for finding in before if all(quote.source not in changed for quote in finding.quotes))
    known = state.findings_of(todo.dependencies)
    life = todo_lifecycle.start(todo, known, state.options, tuple(standing))
    if (
        state.options.isolates_private_text and state.earlier_plan.todos
    ):  # who planned it, or words its queries, was shown private text
        life = life.after(outward=False)
    life = tool_todo.mark_untrusted(life, state.untrusted) if state.untrusted else life
    return _with(state, lives={**state.lives, todo_id: life})


def _apply_output(state: ResearchState, accepted: ContractAccepted, todo_id: str | None) -> ResearchState:
    match accepted.output:
        case Clarity() as clarity:
            return _with(state, clarity=clarity)
        case PlanDraft() as draft:
            return _with(state, plan_draft=draft)
        case PlanUpdate() as update:
            return _with(state, pending_reviews={**state.pending_reviews, update.completed_todo_id: update})
        case Summary() as summary if todo_id:
            return _with(state, draft=_with_digest(state, todo_id, summary))
        case Check(doubts=doubts):
            return _with(state, checks={**state.checks, accepted.key: doubts})
        case Summary(text=text):
            return _with(state, summaries={**state.summaries, accepted.key: text})
        case Section() as section:
            return _with(state, draft=_with_section(state, todo_id, section))
        case Frame() as frame:
            return _with(state, draft=state.draft.model_copy(update={"frame": frame}))
        case _:
            return state


def _apply_fallback(state: ResearchState, rejected: ContractRejected, todo_id: str | None) -> ResearchState:
    """Fall back, where a role gave no usable answer, to what needs no model."""
    reason = "; ".join(rejected.objections)
    match rejected.contract:
        case "Clarity":
            return _with(state, clarity=Clarity(is_clear=True, assumptions=("The question is clear as it stands.",)))
        case "PlanDraft":
            return _with(state, planner_error=reason)
        case "PlanUpdate" if todo_id:
            todo = state.plan.todo(todo_id)
            failed = todo is not None and todo.status is TodoStatus.FAILED
            update = PlanUpdate(
                completed_todo_id=todo_id,
                outcome=f"The reviewer gave no usable answer: {reason}",
                status="failed" if failed else "done",
            )
            return _with(state, pending_reviews={**state.pending_reviews, todo_id: update})
        case "Summary":
            return _with(state, failed_summaries=state.failed_summaries | {rejected.key})
        case "Check":
            return _with(state, checks={**state.checks, rejected.key: ()})
        case "Section" | "Frame" if state.writing:
            return _write_without_model(state, todo_id if rejected.contract == "Section" else None)
        case _:
            return state


def _stop_early(state: ResearchState, reason: str) -> ResearchState:
    """End gathering; what is in progress ends with what it has. While writing, the rest is written without a model."""
    if not state.writing:
        unfinished = "Gathering ended early"
    elif state.draft.frame is None:
        unfinished = "The rest of the report was written without a model"
    else:
        unfinished = "Not every sentence was checked"
    state = _with(state, partial_reason=state.partial_reason or f"{unfinished}: {reason}.")
    if state.writing:
        state = _with(state, draft=writing.complete_without_model(state.report_material, state.draft))
    lives = {todo_id: todo_lifecycle.stop_early(life, reason) for todo_id, life in state.lives.items()}
    return _with(state, lives=lives, stopped=state.stopped or reason)


def _write_without_model(state: ResearchState, todo_id: str | None) -> ResearchState:
    if todo_id is None:
        return _with(
            state, draft=state.draft.model_copy(update={"frame": writing.frame_without_model(state.report_material)})
        )
    return _with(
        state, draft=_with_section(state, todo_id, writing.section_without_model(state.report_material, todo_id))
    )


def _with_section(state: ResearchState, todo_id: str | None, section: Section) -> ReportDraft:
    return state.draft.model_copy(update={"sections": {**state.draft.sections, todo_id or "": section}})


def _with_digest(state: ResearchState, todo_id: str, summary: Summary) -> ReportDraft:
    """Give a digest its section; it names no findings, so the report cannot show it as proven."""
    todo = state.plan.todo(todo_id)
    heading = (todo.task if todo else todo_id)[:300]
    return _with_section(state, todo_id, Section(heading=heading, sentences=(WrittenSentence(text=summary.text),)))


def _with(state: ResearchState, **changes: object) -> ResearchState:
    return state.model_copy(update=changes)
