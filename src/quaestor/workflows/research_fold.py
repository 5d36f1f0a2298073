"""What each event changes in what a research session knows, made of the parts' folds."""

from quaestor.contracts.budget import Spend
from quaestor.contracts.checking import Check
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
from quaestor.contracts.options import ResearchOptions
from quaestor.contracts.plan import Plan, PlanDraft, PlanUpdate, TodoStatus
from quaestor.contracts.roles import Clarity, Frame, Section, Summary, WrittenSentence
from quaestor.contracts.tools import Rechecked, Verdicts
from quaestor.plan.edits import highest
from quaestor.plan.renewal import stale
from quaestor.workflows.parts import gathering, memory, plan, talk, tasking, writing
from quaestor.workflows.parts.outcomes import Outcomes
from quaestor.workflows.parts.writing import Draft
from quaestor.workflows.research_state import ResearchState

_BRINGS = (TodoStarted, ContractAccepted, ToolsChosen, ToolResponded, ToolInterrupted)


def begin() -> ResearchState:
    """Give the state before any event."""
    return ResearchState()


def fold(state: ResearchState, event: Event) -> ResearchState:
    """Give the state after one more event."""
    state = state.model_copy(
        update={
            "plan": plan.apply(state.plan, event),
            "memory": memory.apply(state.memory, event),
            "talk": talk.apply(state.talk, event),
        }
    )
    return _advanced(_counted(_lived(_session(state, event), event), event), event)


def _session(state: ResearchState, event: Event) -> ResearchState:  # noqa: C901 -- one arm an event
    """Fold what concerns the session as a whole."""
    match event.payload:
        case SessionStarted(question=question, options=options):
            return _with(state, question=question, options=ResearchOptions.model_validate(options))
        case Forked(options=options):
            return _with(state, options=ResearchOptions.model_validate(options))
        case CycleStarted() as begun:
            return _begun_again(state, begun)
        case PlanCreated():
            return _with(state, refreshing=False, todos_used=max(state.todos_used, highest(state.whole)))
        case Answered() if state.clarity and not state.clarity.is_clear and not state.plan.todos:
            return _with(state, clarity=None)
        case PlanEdited(used=used):
            return _with(state, plan_edited=event.seq, todos_used=used)
        case FinishRequested():
            return _stopped(state, "a person asked for the report")
        case Cancelled():
            return _with(state, cancelled=True)
        case TodoStarted(todo_id=todo_id):
            return _started(state, todo_id)
        case TodoRecorded(entry=entry):
            return _with(state, ledger={**state.ledger, entry.todo_id: entry})
        case PlanUpdated(update=update, refused=refused):
            reviewed = state.reviewed | {update.completed_todo_id}
            return _with(state, reviewed=reviewed, growth_refused=(*state.growth_refused, *refused))
        case ContractAccepted() as accepted:
            return _accepted(state, accepted)
        case ContractRejected(final=True) as rejected:
            return _rejected(state, rejected)
        case ContradictionsFound(contradictions=contradictions):
            return _with(state, writing=True, contradictions=contradictions)
        case ReportVerified():
            return _with(state, report_settled=True)
        case ReportWritten(report=report):
            return _with(state, report=report, versions=report.version)
        case ToolResponded(tool="recheck", result=result, error=error):
            return _looked_again(state, Rechecked(unread=(error,)) if error else Rechecked.model_validate(result))
        case BudgetReached(limit=limit):
            return _stopped(state, f"the budget is reached ({limit})")
        case SessionFinished():
            return _with(state, finished=True)
        case ToolResponded(tool="verify", result=result, error=error):
            if error:
                return _with(state, unverifiable=error)
            return _with(state, verdicts=Verdicts.model_validate(result).verdicts)
        case _:
            return state


def _lived(state: ResearchState, event: Event) -> ResearchState:
    """Fold what concerns the life of one todo, and what all todos share."""
    if isinstance(event.payload, ToolResponded | ToolInterrupted):
        state = _with(state, outcomes=state.outcomes.after(event.payload))
    if state.options.allow and state.untrusted is None and (words := tasking.words_of_others(event)):
        lives = {own: tasking.warned(life, words) for own, life in state.lives.items()}
        state = _with(state, untrusted=words, lives=lives)
    if any(life.step == "tasking" for life in state.lives.values()):
        state = _with(state, lives={own: tasking.apply(life, event) for own, life in state.lives.items()})
    todo_id = event.todo_id
    if todo_id is None or todo_id not in state.lives:
        return state
    life = gathering.apply(state.lives[todo_id], event, state.options)
    return _with(state, lives={**state.lives, todo_id: life})


def _advanced(state: ResearchState, event: Event) -> ResearchState:
    """Let every life go on that has what it waits for; only some events bring that, or make a life wait."""
    if not isinstance(event.payload, _BRINGS):
        return state
    moved = {
        todo_id: gathering.went_on(life, state.outcomes, state.options)
        for todo_id, life in state.lives.items()
        if life.step in gathering.WAITING
    }
    return _with(state, lives={**state.lives, **moved}) if moved else state


def _counted(state: ResearchState, event: Event) -> ResearchState:
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


def _begun_again(state: ResearchState, begun: CycleStarted) -> ResearchState:
    """Begin a cycle with what is known: a follow-up question has a plan to come, a new look the plan that was."""
    asks = begun.why == "question"
    return ResearchState(
        question=begun.question or state.question,
        options=state.options,
        talk=state.talk,
        clarity=None if asks else state.clarity,
        past=state.whole if asks else state.past,
        refreshing=not asks,
        plan=Plan() if asks else state.plan,
        plan_edited=state.plan_edited,
        todos_used=max(state.todos_used, highest(state.whole)),
        outcomes=state.outcomes if asks else Outcomes(),
        untrusted=state.untrusted,
        reviewed=state.reviewed,
        ledger=state.ledger,
        memory=state.memory,
        draft=Draft() if asks else Draft(sections=state.draft.sections),
        versions=state.versions,
        steps=state.steps,
        answered=state.answered,
        spend=state.spend,
    )


def _looked_again(state: ResearchState, rechecked: Rechecked) -> ResearchState:
    """Set aside what rests on changed sources: its todos are past, and what was written of them is written anew."""
    gone = stale(state.plan, state.ledger, rechecked.changed)
    return _with(
        state,
        rechecked=rechecked,
        past=Plan(todos=(*state.past.todos, *(todo for todo in state.plan.todos if todo.id in gone))),
        memory=tuple(line for line in state.memory if not gone.issuperset(line.todo_ids)),
        draft=Draft(sections={own: said for own, said in state.draft.sections.items() if own not in gone}),
    )


def _started(state: ResearchState, todo_id: str) -> ResearchState:
    todo = state.plan.todo(todo_id)
    if todo is None:
        return state
    changed = state.rechecked.changed if state.rechecked else ()
    before = state.findings_of(earlier.id for earlier in state.past.todos)
    standing = (finding for finding in before if all(quote.source not in changed for quote in finding.quotes))
    known = state.findings_of(todo.dependencies)
    life = gathering.born(todo, known, state.options, tuple(standing))
    if state.options.keeps_apart and state.past.todos:  # who planned it, or words its queries, was shown private text
        life = life.after(outward=False)
    life = tasking.warned(life, state.untrusted) if state.untrusted else life
    return _with(state, lives={**state.lives, todo_id: life})


def _accepted(state: ResearchState, accepted: ContractAccepted) -> ResearchState:
    match accepted.contract:
        case "Clarity":
            return _with(state, clarity=Clarity.model_validate(accepted.output))
        case "PlanDraft":
            return _with(state, plan_draft=PlanDraft.model_validate(accepted.output))
        case "PlanUpdate":
            update = PlanUpdate.model_validate(accepted.output)
            return _with(state, updates={**state.updates, update.completed_todo_id: update})
        case "Summary" if accepted.todo_id:
            return _with(state, draft=_with_digest(state, accepted.todo_id, Summary.model_validate(accepted.output)))
        case "Check":
            return _with(state, checks={**state.checks, accepted.key: Check.model_validate(accepted.output).doubts})
        case "Summary":
            summary = Summary.model_validate(accepted.output)
            return _with(state, summaries={**state.summaries, accepted.key: summary.text})
        case "Section":
            return _with(state, draft=_with_section(state, accepted.todo_id, Section.model_validate(accepted.output)))
        case "Frame":
            frame = Frame.model_validate(accepted.output)
            return _with(state, draft=state.draft.model_copy(update={"frame": frame}))
        case _:
            return state


def _rejected(state: ResearchState, rejected: ContractRejected) -> ResearchState:
    """Fall back, where a role gave no usable answer, to what needs no model."""
    reason = "; ".join(rejected.objections)
    match rejected.contract:
        case "Clarity":
            return _with(state, clarity=Clarity(is_clear=True, assumptions=("The question is clear as it stands.",)))
        case "PlanDraft":
            return _with(state, planner_failed=reason)
        case "PlanUpdate" if rejected.todo_id:
            todo = state.plan.todo(rejected.todo_id)
            failed = todo is not None and todo.status is TodoStatus.FAILED
            update = PlanUpdate(
                completed_todo_id=rejected.todo_id,
                outcome=f"The reviewer gave no usable answer: {reason}",
                status="failed" if failed else "done",
            )
            return _with(state, updates={**state.updates, rejected.todo_id: update})
        case "Summary":
            return _with(state, unsummarized=state.unsummarized | {rejected.key})
        case "Check":
            return _with(state, checks={**state.checks, rejected.key: ()})
        case "Section" | "Frame" if state.writing:
            return _unwritten(state, rejected.todo_id if rejected.contract == "Section" else None)
        case _:
            return state


def _stopped(state: ResearchState, reason: str) -> ResearchState:
    """End gathering; what is in progress ends with what it has. While writing, the rest is written without a model."""
    if not state.writing:
        unfinished = "Gathering ended early"
    elif state.draft.frame is None:
        unfinished = "The rest of the report was written without a model"
    else:
        unfinished = "Not every sentence was checked"
    state = _with(state, unfinished=state.unfinished or f"{unfinished}: {reason}.")
    if state.writing:
        state = _with(state, draft=writing.plainly(state.material, state.draft))
    lives = {todo_id: gathering.cut_short(life, reason) for todo_id, life in state.lives.items()}
    return _with(state, lives=lives, stopped=state.stopped or reason)


def _unwritten(state: ResearchState, todo_id: str | None) -> ResearchState:
    if todo_id is None:
        return _with(state, draft=state.draft.model_copy(update={"frame": writing.plain_frame(state.material)}))
    return _with(state, draft=_with_section(state, todo_id, writing.plain_section(state.material, todo_id)))


def _with_section(state: ResearchState, todo_id: str | None, section: Section) -> Draft:
    return state.draft.model_copy(update={"sections": {**state.draft.sections, todo_id or "": section}})


def _with_digest(state: ResearchState, todo_id: str, summary: Summary) -> Draft:
    """Give a digest its section; it names no findings, so the report cannot show it as proven."""
    todo = state.plan.todo(todo_id)
    heading = (todo.task if todo else todo_id)[:300]
    return _with_section(state, todo_id, Section(heading=heading, sentences=(WrittenSentence(text=summary.text),)))


def _with(state: ResearchState, **changes: object) -> ResearchState:
    return state.model_copy(update=changes)
