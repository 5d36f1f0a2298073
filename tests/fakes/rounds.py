"""Chores that people have a say in, and that may be done over and over: a small workflow of several cycles."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from fakes.chores import Chores, ChoresState
from quaestor.contracts.action import Action
from quaestor.contracts.command import Answer, Command, OpenCycle
from quaestor.contracts.event import Answered, BudgetRaised, CycleStarted, Event, SessionFinished
from quaestor.contracts.workflow import CommandOutcome


class RoundsState(ChoresState):
    finished: bool = False


class Rounds(Chores):
    """Chores that wait for answers as for other chores; an answer ends the chore of its name.

    It rests while a chore waits for a word. When it is finished another cycle may begin, in which all is to do again.
    """

    name: ClassVar[str] = "rounds"

    @override
    def begin(self) -> RoundsState:
        return RoundsState()

    @override
    def apply(self, state: ChoresState, event: Event) -> ChoresState:
        match event.payload:
            case Answered(text=text):
                return state.model_copy(update={"ended": {**state.ended, text: "said"}})
            case CycleStarted():
                return RoundsState()
            case SessionFinished():
                return state.model_copy(update={"finished": True})
            case BudgetRaised():
                return state.model_copy(update={"stopped": None})
            case _:
                return super().apply(state, event)

    @override
    def next(self, state: ChoresState) -> Sequence[Action]:
        if isinstance(state, RoundsState) and state.finished:
            return ()
        wanted = super().next(state)
        waits = any(chore not in state.ended for chore in self._chores)
        return () if waits and not state.stopped and wanted[0].kind != "tool_run" else wanted

    @override
    def handle(self, state: ChoresState, order: Command) -> CommandOutcome:
        match order:
            case OpenCycle(why=why, question=question) if isinstance(state, RoundsState) and state.finished:
                return CommandOutcome(facts=(CycleStarted(why=why, question=question),))
            case Answer(text=text):
                return CommandOutcome(facts=(Answered(ref="told", text=text),))
            case _:
                return super().handle(state, order)
