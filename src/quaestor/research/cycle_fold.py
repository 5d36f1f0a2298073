"""How a further cycle starts: with a follow-up question, a new look at the cited sources, or another try of a todo."""

from collections.abc import Collection, Mapping

from quaestor.contracts.event import CycleStarted, Event, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.plan import Plan
from quaestor.research.contracts.tools import RecheckResult
from quaestor.research.contracts.writing import Section
from quaestor.research.events import RevisionRequested
from quaestor.research.phases import Clarifying, Done, Executing, Refreshing, Writing
from quaestor.research.planning.edits import last_todo_number
from quaestor.research.planning.stale_todos import stale_todos
from quaestor.research.reports.revision import Revision
from quaestor.research.state import ResearchState
from quaestor.research.todos.tool_outcomes import ToolOutcomes

RETRY = "retry"
"""Why a cycle begins in which a todo that failed is tried again."""
REVISE = "revise"
"""Why a cycle begins in which one section of the report is written again."""


def start_cycle(state: ResearchState, started: CycleStarted) -> ResearchState:
    """Start a cycle; what was searched and read before it counts on, also where its outcomes are not kept."""
    begun = _start_cycle(state, started)
    return replace(
        begun,
        cycle=state.cycle + 1,
        earlier_searches=state.searches - begun.outcomes.asked,
        earlier_read=state.earlier_read | state.outcomes.read,
    )


def _start_cycle(state: ResearchState, started: CycleStarted) -> ResearchState:
    """Return the state of a new cycle.

    A follow-up question gets a plan of its own, a refresh keeps the plan and the sections. Another try of a todo
    goes on with the plan as it ended, and asks again what failed.
    """
    if started.why == RETRY:
        outcomes = state.outcomes.without_errors()
        kept = replace(state, stopped=None, revision=None, report=None)
        return replace(kept, phase=Executing(), outcomes=outcomes, contradictions=())
    if started.why == REVISE:  # what is revised comes with the next event
        return replace(state, phase=Done(), stopped=None, revision=None, report=None)
    is_question = started.why == "question"
    return ResearchState(
        question=started.question or state.question,
        options=state.options,
        todo_workflows=state.todo_workflows,
        is_review_over=state.is_review_over,
        phase=Clarifying() if is_question else Refreshing(),
        dialogue=state.dialogue,
        assumptions=() if is_question else state.assumptions,
        earlier_plan=state.whole_plan if is_question else state.earlier_plan,
        plan=Plan() if is_question else state.plan,
        last_plan_edit_seq=state.last_plan_edit_seq,
        last_todo_number=max(state.last_todo_number, last_todo_number(state.whole_plan)),
        outcomes=state.outcomes if is_question else ToolOutcomes(),
        untrusted_source=state.untrusted_source,
        reviewed=state.reviewed,
        ledger=state.ledger,
        memory=state.memory,
        sections={} if is_question else state.sections,
        fallbacks=frozenset() if is_question else state.fallbacks,
        written=None if is_question else state.written,
        report_versions=state.report_versions,
        steps=state.steps,
        answered=state.answered,
        lost_calls=state.lost_calls,
        spend=state.spend,
    )


def begin_revision(state: ResearchState, requested: RevisionRequested) -> ResearchState:
    """Set the section aside that is written again; the frame and the other sections stay."""
    if state.written is None:
        return state
    revision = Revision(requested.section, requested.wish, state.written)
    sections = _without(state.sections, {requested.section})
    return replace(state, phase=Writing(state.written.frame), revision=revision, sections=sections)


def apply_recheck(state: ResearchState, event: Event) -> ResearchState:
    """Set aside what rests on changed sources: its todos are past, and its sections are written again."""
    match event.payload:
        case ToolResponded(tool="recheck", error=str(error)):
            recheck = RecheckResult(unread=(error,))
        case ToolResponded(result=RecheckResult() as recheck):
            pass
        case _:
            return state
    stale = stale_todos(state.plan, state.ledger, recheck.changed)
    past = (*state.earlier_plan.todos, *(todo for todo in state.plan.todos if todo.id in stale))
    return replace(
        state,
        phase=Refreshing(recheck),
        earlier_plan=Plan(todos=past),
        memory=tuple(line for line in state.memory if not stale.issuperset(line.todo_ids)),
        sections={} if state.options.sections and stale else _without(state.sections, stale),
    )


def _without(sections: Mapping[str, Section], stale: Collection[str]) -> Mapping[str, Section]:
    return {todo_id: section for todo_id, section in sections.items() if todo_id not in stale}
