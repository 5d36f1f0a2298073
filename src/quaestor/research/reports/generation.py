"""How a report or a brief was made, as the log has it."""

from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.reports.fallbacks import order_fallbacks
from quaestor.research.state import ResearchState


def generation_info(state: ResearchState, *, extractive: bool) -> GenerationInfo:
    """Return the model, and the todos, searches and calls of all cycles of the session so far."""
    todos = state.whole_plan.todos
    return GenerationInfo(
        model=state.options.model,
        todos=len(todos),
        todos_done=sum(todo.status is TodoStatus.DONE for todo in todos),
        searches=state.searches,
        sources_searched=state.sources_searched,
        spend=state.answered,
        lost=state.lost_calls.spend,
        extractive=extractive,
        fallbacks=order_fallbacks(state.fallbacks, state.report_material.section_ids),
        cycles=state.cycle,
    )
