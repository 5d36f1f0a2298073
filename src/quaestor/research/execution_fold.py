"""What each event changes while the todos are carried out."""

from collections.abc import Mapping

from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    ToolInterrupted,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.delegate_verdicts import CitationVerdicts, FactVerdict
from quaestor.research.contracts.writing import Section, Summary, WrittenSentence
from quaestor.research.events import PlanUpdated, TodoStarted
from quaestor.research.phases import Executing
from quaestor.research.reports import checking, writing, writing_fold
from quaestor.research.state import ResearchState
from quaestor.research.todos import lifecycle, steps, todo_fold, workflow_todo
from quaestor.research.todos.state import TodoState

_ADVANCING_EVENTS = (TodoStarted, ContractAccepted, ContractRejected, ToolsChosen, ToolResponded, ToolInterrupted)
"""Events that bring what a todo waits for, or make it wait."""


def fold(state: ResearchState, phase: Executing, event: Event) -> ResearchState:
    """Return the state after one more event."""
    match event.payload:
        case TodoStarted() if event.todo_id:
            phase = replace(phase, todos={**phase.todos, **_start_todo(state, phase, event)})
        case PlanUpdated(update=update):  # nothing more can happen to it, and every event looks at all that are left
            phase = replace(phase, todos=_without_recorded(phase.todos, update.completed_todo_id))
        case ContractAccepted() as accepted:
            state, phase = _apply_output(state, phase, accepted, event.todo_id)
        case ContractRejected(final=True) as rejected:
            state, phase = _apply_fallback(state, phase, rejected)
        case _:
            pass
    todos = _fold_todos(state, phase.todos, event)
    if state.options.todo_kinds and state.untrusted_source is None:
        source = workflow_todo.source_read_by_runs(todos.values())
        state = state if source is None else replace(state, untrusted_source=source)
    advanced = _advance_todos(state, todos, event)
    if advanced is not phase.todos:
        phase = replace(phase, todos=advanced)
    return state if phase is state.phase else replace(state, phase=phase)


def _without_recorded(todos: Mapping[str, TodoState], todo_id: str) -> Mapping[str, TodoState]:
    """Return the todos without one that is recorded."""
    return {own: one for own, one in todos.items() if own != todo_id or not isinstance(one.step, steps.Recorded)}


def stop_todos(phase: Executing, reason: str) -> Executing:
    """End every todo with what it has."""
    todos = {todo_id: todo_fold.stop_early(todo_state, reason) for todo_id, todo_state in phase.todos.items()}
    return replace(phase, todos=todos)


def _fold_todos(state: ResearchState, todos: Mapping[str, TodoState], event: Event) -> Mapping[str, TodoState]:
    """Fold an event into its own todo; into a run of another workflow every event."""
    working = {todo_id: one for todo_id, one in todos.items() if isinstance(one.step, steps.Working)}
    if working:
        source = state.untrusted_source
        marked = {own: workflow_todo.mark_untrusted(one, source) if source else one for own, one in working.items()}
        todos = {**todos, **{own: workflow_todo.fold(one, event) for own, one in marked.items()}}
    if event.todo_id is None or event.todo_id not in todos:
        return todos
    return {**todos, event.todo_id: todo_fold.fold(todos[event.todo_id], event, state.options)}


def _advance_todos(state: ResearchState, todos: Mapping[str, TodoState], event: Event) -> Mapping[str, TodoState]:
    """Advance every todo whose dependencies are met."""
    if not isinstance(event.payload, _ADVANCING_EVENTS):
        return todos
    waiting = steps.Surveying | steps.Searching | steps.Fetching | steps.Picking
    advanced = {
        todo_id: lifecycle.advance(todo_state, state.outcomes, state.options)
        for todo_id, todo_state in todos.items()
        if isinstance(todo_state.step, waiting)
    }
    return {**todos, **advanced} if advanced else todos


def _start_todo(state: ResearchState, phase: Executing, event: Event) -> Mapping[str, TodoState]:
    todo = state.plan.todo(event.todo_id or "")
    if todo is None:
        return {}
    before = state.findings_of(earlier.id for earlier in state.earlier_plan.todos)
    unchanged = tuple(
        finding for finding in before if phase.changed_sources.isdisjoint(quote.source for quote in finding.quotes)
    )
    todo_state = lifecycle.start(
        todo,
        state.findings_of(todo.dependencies),
        state.options,
        unchanged,
        session_id=event.session_id,
        workflows=state.todo_workflows,
    )
    # In a follow-up cycle the planner and the query writer were shown private text of the cycles before.
    if state.options.isolates_private_text and state.earlier_plan.todos:
        todo_state = replace(todo_state, has_outside_access=False)
    return {todo.id: todo_state}


def _apply_output(
    state: ResearchState, phase: Executing, accepted: ContractAccepted, todo_id: str | None
) -> tuple[ResearchState, Executing]:
    """Apply what the summarizer, an agent or the writer of a section answered; an agent's text is a section too."""
    match accepted.output:
        case Summary(text=text) if todo_id is None:
            return state, replace(phase, summaries={**phase.summaries, accepted.key: text})
        case Summary() as summary if todo_id:
            section = _uncited_section(state, todo_id, summary)
            return replace(state, sections={**state.sections, todo_id: section}), phase
        case FactVerdict() | CitationVerdicts() as verdict:
            checked_by = state.options.models.get(accepted.role, state.options.model)
            checks = checking.delegate_checks(verdict, todo_id, checked_by)
            return replace(state, delegate_checks={**state.delegate_checks, **checks}), phase
        case Section() as section if todo_id:
            todo_ids = writing.section_todo_ids(accepted.key) or (todo_id,)
            return writing_fold.add_section(state, todo_ids, section), phase
        case _:
            return state, phase


def _apply_fallback(
    state: ResearchState, phase: Executing, rejected: ContractRejected
) -> tuple[ResearchState, Executing]:
    """Go on without the answer of the summarizer or of the writer of a section."""
    match rejected.contract:
        case "Summary":
            return state, replace(phase, failed_summaries=phase.failed_summaries | {rejected.key})
        case "Section" if todo_ids := writing.section_todo_ids(rejected.key):
            return writing_fold.add_sections_without_model(state, todo_ids), phase
        case _:
            return state, phase


def _uncited_section(state: ResearchState, todo_id: str, summary: Summary) -> Section:
    """Return the section of an agent's summary; it names no findings, so the report cannot show it as proven."""
    todo = state.plan.todo(todo_id)
    heading = (todo.task if todo else todo_id)[:300]
    return Section(heading=heading, sentences=(WrittenSentence(text=summary.text),))
