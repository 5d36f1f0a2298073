"""The course of an earlier session, as a replay follows it.

What a role is shown can depend on which todo was faster, a clock can stop a session anywhere, and people can step in at
any time. So in a replay effects end in the turns in which they ended then, limits stop it where they stopped it then,
the events of people are repeated between the same two outcomes, and the state takes the same values.
"""

import asyncio
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from quaestor.contracts.cost import Spend
from quaestor.contracts.event import (
    BudgetRaised,
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    ErrorRecorded,
    Event,
    Forked,
    KnownPayload,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionStarted,
    StateEntered,
    ToolInterrupted,
    ToolResponded,
    ToolsChosen,
    UnknownPayload,
)
from quaestor.contracts.immutable import replace
from quaestor.contracts.payload import WorkflowPayload
from quaestor.kernel.lost_calls import LostCalls
from quaestor.kernel.run_state import RunState

_NeutralPayload = SessionStarted | StateEntered | Forked | Paused | Resumed
"""What does not follow from an outcome or from a word by itself."""


def _is_person_input(payload: KnownPayload | UnknownPayload) -> TypeGuard[KnownPayload]:
    """Return whether a replay repeats a fact because a person's command led to it; a fork is a session of its own."""
    return isinstance(payload, CycleStarted) or (payload.from_person and not isinstance(payload, Forked))


class _OutcomePosition(NamedTuple):
    """Where in a session an outcome came: in which turn, and as which event."""

    turn: float
    seq: float


_NOTHING = Spend()
_NEVER = _OutcomePosition(float("inf"), float("inf"))


class _BudgetStop(NamedTuple):
    """What stopped a session, and before which turn."""

    turn: int
    limit: str


class _PersonInput(NamedTuple):
    """The event of a person, the outcome before it, and whether anything came between the two."""

    seq: int
    turn: int
    after: float
    followed: bool
    todo_id: str | None
    fact: KnownPayload


def _repeated_outages(events: Sequence[Event]) -> frozenset[int]:
    """Return the numbers of the outcomes that say of an outage alone, after which the same was done again."""
    settled: set[str] = set()
    repeated: set[int] = set()
    for event in reversed(events):
        match event.payload:
            case ModelResponded(key=key, unavailable=True) | ToolResponded(key=key, unavailable=True):
                if key in settled:
                    repeated.add(event.seq)
            case ModelResponded(key=key) | ToolResponded(key=key):
                settled.add(key)
            case CycleStarted():
                settled.clear()
            case _:
                pass
    return frozenset(repeated)


def _calls_lost_before(events: Sequence[Event], repeated: Collection[int]) -> Mapping[float, Spend]:
    """Return what was reserved for the model calls that were lost, by the number of the outcome that came next.

    A document that was written before another one came counts them too: then it is the last one.
    """
    calls, last = LostCalls(), 0
    lost: dict[float, Spend] = {}
    for event in events:
        calls = calls.fold(event.payload)
        match event.payload:
            case ModelResponded() | ToolResponded() if event.seq not in repeated:
                last = event.seq
            case WorkflowPayload(has_document=True):
                pass
            case _:
                continue
        if calls.spend != _NOTHING:
            lost[last] = lost.get(last, _NOTHING) + calls.spend
            calls = replace(calls, spend=_NOTHING)
    return lost


class ReplaySchedule:
    """The order of an earlier session: the turn of each outcome, its budget stops, and the events of people."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._outcomes: dict[str, deque[_OutcomePosition]] = {}
        self._stops: list[_BudgetStop] = []
        self._words: deque[_PersonInput] = deque()
        self._calls: dict[tuple[str, str | None, int], int] = {}
        self._gates: dict[str, asyncio.Event] = {}
        self._lost_before: dict[str, Spend] = {}
        self._reached: float = 0
        events = tuple(events)
        repeated = _repeated_outages(events)
        self._lost = _calls_lost_before(events, repeated)
        turn, last, followed = 0, 0, False
        for event in events:
            match event.payload:
                case ModelResponded(unavailable=True) | ToolResponded(unavailable=True) if event.seq in repeated:
                    pass
                case ModelResponded(key=key) | ToolResponded(key=key) | ToolInterrupted(key=key):
                    self._outcomes.setdefault(key, deque()).append(_OutcomePosition(turn, event.seq))
                    last, followed = event.seq, False
                case ContractAccepted() | ContractRejected() | ToolsChosen() | ErrorRecorded():
                    pass
                case payload:
                    turn += 1
                    if _is_person_input(payload):
                        self._words.append(_PersonInput(event.seq, turn, last, followed, event.todo_id, payload))
                    elif isinstance(payload, BudgetReached):
                        self._stops.append(_BudgetStop(turn, payload.limit))
                    elif isinstance(payload, ModelRequested):
                        self._calls[payload.role, event.todo_id, payload.ordinal] = event.seq
                    followed = not _is_person_input(payload) and (followed or not isinstance(payload, _NeutralPayload))

    def skip_finished(self, run: RunState) -> None:
        """Leave behind what a replay that was interrupted has done, as far as its model calls and cycles show it."""
        made = (seq for (role, todo, number), seq in self._calls.items() if run.ordinals.get((role, todo), 0) >= number)
        cycles = [word.seq for word in self._words if isinstance(word.fact, CycleStarted)]
        self._reached = max((0, *made, *cycles[: run.cycle - 1]))
        for ends in self._outcomes.values():
            while ends and ends[0].seq < self._reached:
                ends.popleft()
        while self._words and self._words[0].seq <= self._reached:
            self._pass(self._words.popleft())

    def told(self, *, followed: bool, resting: bool = False) -> Sequence[tuple[str | None, KnownPayload]]:
        """Return the events of people at the current place of the replay, each with its todo.

        `followed`: the replay has recorded all that follows from the last outcome; some events of people came before
        that. When the replay has nothing else to do, the next one is returned wherever it was.
        """
        due: list[tuple[str | None, KnownPayload]] = []
        while self._words and (resting or self._words[0].after <= self._reached):
            if self._words[0].followed and not followed:
                break
            word = self._words.popleft()
            self._pass(word)
            self._reached = max(self._reached, word.after)
            followed = resting = False
            due.append((word.todo_id, word.fact))
        return due

    def refusal(self, key: str, stops: int) -> str | None:
        """Name the limit that stopped the earlier session before this action ended there, or None.

        `stops` is the number of times the replay has been stopped already.
        """
        ahead = self._stops[stops:]
        return ahead[0].limit if ahead and self._next(key).turn >= ahead[0].turn else None

    async def wait_for_turn(self, key: str) -> Spend | None:
        """Wait until it is this action's turn; return what was reserved for calls that were lost before its outcome."""
        await self._gate(key).wait()
        del self._gates[key]
        return self._lost_before.pop(key, None)

    def call(self, flying: Sequence[str]) -> Sequence[str]:
        """Call those actions whose outcomes came in the earliest turn, and name them in the order of these.

        What the earlier session never ended comes last, one by one in the order given.
        """
        ordered = sorted(flying, key=self._next)
        called = [key for key in ordered if self._next(key).turn == self._next(ordered[0]).turn]
        if ordered and self._next(ordered[0]) == _NEVER:
            called = ordered[:1]
        # Taken out when it is called, not when it ends: an action can come several times, each with its own turn.
        for key in called:
            if ends := self._outcomes.get(key):
                seq = ends.popleft().seq
                self._reached = max(self._reached, seq)
                if lost := self._lost.get(seq):
                    self._lost_before[key] = lost
            self._gate(key).set()
        return called

    def _pass(self, word: _PersonInput) -> None:
        """Drop the budget stops of the earlier session that a person lifted."""
        if isinstance(word.fact, BudgetRaised | CycleStarted):
            self._stops = [stop for stop in self._stops if stop.turn > word.turn]

    def _next(self, key: str) -> _OutcomePosition:
        ends = self._outcomes.get(key)
        return ends[0] if ends else _NEVER

    def _gate(self, key: str) -> asyncio.Event:
        return self._gates.setdefault(key, asyncio.Event())
