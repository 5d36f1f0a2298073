"""How a report or a brief was made, as the log has it."""

from quaestor.research.contracts.plan import TodoStatus
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.state import ResearchState


def generation_info(state: ResearchState, *, extractive: bool) -> GenerationInfo:
    """Return the model and the todos of a cycle, with the searches and the calls of its session so far."""
    return GenerationInfo(
        model=state.options.model,
        todos=len(state.plan.todos),
        todos_done=sum(todo.status is TodoStatus.DONE for todo in state.plan.todos),
        searches=state.outcomes.asked,
        sources_searched=state.options.documents + state.outcomes.read,
        spend=state.answered,
        lost=state.lost_calls.spend,
        extractive=extractive,
    )
