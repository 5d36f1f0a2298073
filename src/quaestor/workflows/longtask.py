"""The long-task workflow: a task that needs many rounds of tools, with its memory on disk.

    OUTLINING -> KEEPING -> WORKING (-> APPROVING) (-> ACTING) (-> ESCALATING) -> KEEPING -> WORKING ... -> DONE

It is thin: what is wanted when is in `parts/rounds`, what has happened is folded in `parts/rounds_fold`.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar

from quaestor.contracts.action import Action, Finish, Record
from quaestor.contracts.command import Order
from quaestor.contracts.event import Event, Paused
from quaestor.contracts.workflow import Obeyed, StateRow
from quaestor.workflows import longtask_orders
from quaestor.workflows.longtask_state import LongTaskState, fold
from quaestor.workflows.parts import rounds
from quaestor.workflows.parts.rounds_state import Rounds

_END = "DONE"

TABLE: Mapping[str, StateRow] = MappingProxyType({**rounds.table(_END), _END: StateRow(takes="how the task ended")})


class LongTask:
    """The state table and the routing of a long task; a `Workflow`."""

    name: ClassVar[str] = "longtask"
    table: ClassVar[Mapping[str, StateRow]] = TABLE

    def begin(self) -> LongTaskState:
        """Give the state before any event."""
        return LongTaskState()

    def apply(self, state: LongTaskState, event: Event) -> LongTaskState:
        """Give the state after one more event."""
        return fold(state, event)

    def next(self, state: LongTaskState) -> Sequence[Action]:
        """Say what is wanted now."""
        if state.rounds is None or state.finished or state.paused:
            return ()
        if state.rounds.broken:
            return [_pause(state.rounds)]
        if state.rounds.ending and state.rounds.step == "ended":
            ending = state.rounds.ending
            return [Finish(key="finish", state=_END, outcome=ending.outcome, statement=ending.statement)]
        return rounds.wanted(state.rounds)

    def obey(self, state: LongTaskState, order: Order) -> Obeyed:
        """Say what a person's order leads to."""
        return longtask_orders.obey(state, order)


def _pause(life: Rounds) -> Action:
    """Pause after three replies that cannot be used; going on asks again."""
    reason = f"three replies could not be used: {'; '.join(life.broken)}; go on, and it is asked again"
    state = "WORKING" if life.step == "working" else "OUTLINING"
    return Record(key=f"{life.key}/pause", state=state, facts=(Paused(kind="setup", reason=reason),))
