"""What each event changes while a brief is put together."""

from quaestor.contracts.event import Event, ToolResponded
from quaestor.contracts.immutable import replace
from quaestor.research.contracts.tools import Contexts
from quaestor.research.events import ReportWritten
from quaestor.research.phases import Briefing, Closing, Writing
from quaestor.research.state import ResearchState

_QUOTES_GONE = "no quote stands in the stored sources any more"


def fold(state: ResearchState, phase: Writing | Briefing, event: Event) -> ResearchState:
    """Return the state after one more event."""
    match phase, event.payload:
        case Writing(), ToolResponded(tool="contexts", error=str(error)):
            return replace(state, phase=Closing(error))
        case Writing(), ToolResponded(result=Contexts(contexts=())):
            return replace(state, phase=Closing(_QUOTES_GONE))
        case Writing(), ToolResponded(result=Contexts() as contexts):
            return replace(state, phase=Briefing(contexts))
        case Writing() | Briefing(), ReportWritten():
            return replace(state, phase=Closing())
        case _:
            return state
