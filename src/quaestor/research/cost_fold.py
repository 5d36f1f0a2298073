"""What each event changes in what a research session cost: the calls that were answered, and those that were lost."""

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    ModelResponded,
    ToolResponded,
    ToolsChosen,
)
from quaestor.contracts.immutable import replace
from quaestor.research.state import ResearchState


def fold(state: ResearchState, event: Event) -> ResearchState:
    """Return the state after one more event."""
    lost_calls = state.lost_calls.fold(event.payload)
    if lost_calls is not state.lost_calls:
        state = replace(state, lost_calls=lost_calls)
    match event.payload:
        case ModelResponded(spend=spend, recorded=recorded, error=error, unavailable=unavailable):
            used = Spend() if unavailable else recorded or spend
            # Calls with an answer are counted with what came of it, which a process that ends in between repeats.
            failed = used.model_calls if error else 0
            answered = state.answered + Spend(model_calls=failed, tokens=used.tokens, dollars=used.dollars)
            return replace(state, steps=state.steps + 1, spend=state.spend + spend, answered=answered)
        case ToolResponded(spend=spend, unavailable=unavailable):
            answered = state.answered + Spend(tool_calls=0 if unavailable else spend.tool_calls)
            return replace(state, steps=state.steps + 1, spend=state.spend + spend, answered=answered)
        case ContractAccepted() | ContractRejected() | ToolsChosen():
            return replace(state, answered=state.answered + Spend(model_calls=1))
        case _:
            return state
