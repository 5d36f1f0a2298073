"""The course of an earlier session, as a replay follows it.

What a role is shown can depend on which todo was faster, and a clock can stop a session anywhere. So in a replay
effects end in the turns in which they ended then, limits stop it where they stopped it then, and the state goes through
the same forms.
"""

import asyncio
from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from quaestor.contracts.event import (
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    Error,
    Event,
    ModelResponded,
    ToolInterrupted,
    ToolResponded,
    ToolsChosen,
)


class _End(NamedTuple):
    """Where in a session an outcome came: in which turn, and as which event."""

    turn: float
    seq: float


_NEVER = _End(float("inf"), float("inf"))


class _Stop(NamedTuple):
    """What stopped a session, and before which turn."""

    turn: int
    limit: str


class Rerun:
    """Knows in which turn of an earlier session each outcome came, and what stopped it when."""

    def __init__(self, events: Iterable[Event]) -> None:
        self._ends: dict[str, deque[_End]] = {}
        self._stops: list[_Stop] = []
        self._gates: dict[str, asyncio.Event] = {}
        turn = 0
        for event in events:
            match event.payload:
                case ModelResponded(key=key) | ToolResponded(key=key) | ToolInterrupted(key=key):
                    self._ends.setdefault(key, deque()).append(_End(turn, event.seq))
                case ContractAccepted() | ContractRejected() | ToolsChosen() | Error():
                    pass
                case payload:
                    turn += 1
                    if isinstance(payload, BudgetReached):
                        self._stops.append(_Stop(turn, payload.limit))

    def refusal(self, key: str, stops: int) -> str | None:
        """Name the limit that stopped the earlier session before this action ended there, or None.

        `stops` says how often the replay has been stopped already.
        """
        ahead = self._stops[stops:]
        return ahead[0].limit if ahead and self._next(key).turn >= ahead[0].turn else None

    async def its_turn(self, key: str) -> None:
        """Wait until it is this action's turn."""
        await self._gate(key).wait()
        del self._gates[key]

    def call(self, flying: Sequence[str]) -> Sequence[str]:
        """Call those actions whose outcomes came in the earliest turn, and name them in the order of these.

        What the earlier session never ended comes last, one by one in the order given.
        """
        ordered = sorted(flying, key=self._next)
        called = [key for key in ordered if self._next(key).turn == self._next(ordered[0]).turn]
        if ordered and self._next(ordered[0]) == _NEVER:
            called = ordered[:1]
        for key in called:
            if ends := self._ends.get(key):
                ends.popleft()
            self._gate(key).set()
        return called

    def _next(self, key: str) -> _End:
        ends = self._ends.get(key)
        return ends[0] if ends else _NEVER

    def _gate(self, key: str) -> asyncio.Event:
        return self._gates.setdefault(key, asyncio.Event())
