"""What the kernel itself must remember of a session, whatever its workflow: a fold of the same events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Literal, TypeVar

from quaestor.contracts.budget import Spend
from quaestor.contracts.event import (
    ActionCancelled,
    BudgetReached,
    ContractAccepted,
    ContractRejected,
    Event,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)

V = TypeVar("V")
_EMPTY: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Intent:
    """An effect that was begun; `tool` is None for a model call, `ordinal` counts a role's calls."""

    todo_id: str | None
    tool: str | None
    repeatable: bool
    ordinal: int


@dataclass(frozen=True, slots=True)
class Refusals:
    """How often a reply to one key broke its contract, and what was wrong the last time."""

    times: int
    objections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Run:
    """Where a session stands, as far as the kernel is concerned."""

    seq: int = 0
    cycle: int = 1
    status: Literal["new", "running", "paused", "finished"] = "new"
    entered: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    open: Mapping[str, Intent] = field(default_factory=dict)
    refusals: Mapping[str, Refusals] = field(default_factory=dict)
    ordinals: Mapping[tuple[str, str | None], int] = field(default_factory=dict)
    refused_key: str | None = None
    spent: Spend = field(default_factory=Spend)


def fold(run: Run, event: Event) -> Run:  # noqa: C901 -- one arm an event
    """Give the run after one more event."""
    after = partial(replace, run, seq=event.seq, cycle=event.cycle)
    match event.payload:
        case SessionStarted() | Resumed():
            return after(status="running")
        case Paused():
            return after(status="paused")
        case SessionFinished():
            return after(status="finished")
        case StateEntered(scope=scope):
            return after(entered={**run.entered, scope: event.state})
        case ModelRequested() as asked:
            intent = Intent(asked.todo_id, None, repeatable=True, ordinal=asked.ordinal)
            ordinals = {**run.ordinals, (asked.role, asked.todo_id): asked.ordinal}
            return after(open={**run.open, asked.key: intent}, ordinals=ordinals)
        case ToolRequested() as asked:
            intent = Intent(asked.todo_id, asked.tool, repeatable=asked.repeatable, ordinal=0)
            return after(open={**run.open, asked.key: intent})
        case ModelResponded() | ToolResponded() as answered:
            return after(open=_without(run.open, answered.key), spent=run.spent + answered.spend)
        case ContractRejected(key=key, objections=objections, final=final):
            if final:
                return after(refusals=_without(run.refusals, key))
            times = run.refusals[key].times + 1 if key in run.refusals else 1
            return after(refusals={**run.refusals, key: Refusals(times, objections)})
        case ContractAccepted(key=key) if key in run.refusals:
            return after(refusals=_without(run.refusals, key))
        case BudgetReached(refused_key=key):
            return after(refused_key=key)
        case ToolInterrupted(key=key) | ActionCancelled(key=key):
            return after(open=_without(run.open, key))
        case _:
            return after()


def _without(items: Mapping[str, V], key: str) -> Mapping[str, V]:
    return {other: value for other, value in items.items() if other != key}
