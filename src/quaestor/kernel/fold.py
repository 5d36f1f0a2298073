"""What the kernel itself must remember of a session, whatever its workflow: a fold of the same events."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar

from pydantic import JsonValue

from quaestor.contracts.asking import Questions, still_open
from quaestor.contracts.budget import Budget, Spend
from quaestor.contracts.event import (
    ActionCancelled,
    BudgetRaised,
    BudgetReached,
    BudgetWarned,
    ContractAccepted,
    ContractRejected,
    CycleStarted,
    Event,
    Forked,
    FromOutside,
    ModelRequested,
    ModelResponded,
    Outcome,
    Paused,
    PauseKind,
    QuestionAsked,
    Resumed,
    SessionFinished,
    SessionStarted,
    StateEntered,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
    ToolsChosen,
)

V = TypeVar("V")
_NOTHING = Spend()


@dataclass(frozen=True, slots=True)
class Intent:
    """An effect that was begun; `tool` is None for a model call, `ordinal` counts a role's calls."""

    todo_id: str | None
    tool: str | None
    repeatable: bool
    ordinal: int
    reserved: Spend


@dataclass(frozen=True, slots=True)
class Tries:
    """How one model call went so far: replies that broke the contract, with the last of them, and silences since."""

    broken: int = 0
    objections: tuple[str, ...] = ()
    reply: str | None = None
    failures: int = 0


class Run(NamedTuple):
    """Where a session stands, as far as the kernel is concerned."""

    seq: int = 0
    cycle: int = 1
    status: Literal["new", "running", "paused", "finished"] = "new"
    entered: Mapping[str, str] = MappingProxyType({})
    open: Mapping[str, Intent] = MappingProxyType({})
    tries: Mapping[str, Tries] = MappingProxyType({})
    ordinals: Mapping[tuple[str, str | None], int] = MappingProxyType({})
    refused: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    budget: Budget | None = None
    spent: Spend = _NOTHING
    elapsed: float = 0.0
    at: datetime | None = None
    options: JsonValue = None
    questions: Questions = ()
    outcome: Outcome | None = None
    pause: PauseKind | None = None
    statement: str = ""

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that is to be answered first."""
        return self.questions[0] if self.questions else None

    @property
    def committed(self) -> Spend:
        """What was spent and what is reserved for what is in flight."""
        return sum((intent.reserved for intent in self.open.values()), self.spent)

    def elapsed_at(self, now: datetime) -> float:
        """Give the seconds something was in flight; the time between two runs, or of waiting for a person, is free."""
        return self.elapsed + ((now - self.at).total_seconds() if self.at and self.open else 0.0)


def fold(run: Run, event: Event) -> Run:
    """Give the run after one more event."""
    run = _moved(_timed(run, event), event)
    questions = still_open(run.questions, event)
    return run if questions is run.questions else run._replace(questions=questions)


def _timed(run: Run, event: Event) -> Run:
    """Count the time since the last event, unless the session rested or its process was dead."""
    if isinstance(event.payload, FromOutside):
        return run._replace(seq=event.seq, cycle=event.cycle)
    elapsed = run.elapsed if isinstance(event.payload, Resumed) else run.elapsed_at(event.at)
    rests = isinstance(event.payload, SessionStarted | CycleStarted | QuestionAsked | Paused | SessionFinished)
    return run._replace(seq=event.seq, cycle=event.cycle, elapsed=elapsed, at=None if rests else event.at)


def _moved(run: Run, event: Event) -> Run:  # noqa: C901 -- one arm an event
    after = run._replace
    match event.payload:
        case SessionStarted(options=options):
            return after(status="running", options=options)
        case Forked(options=options):
            return after(options=options)
        case Resumed():
            return after(status="running", pause=None, spent=run.committed, open=_unreserved(run.open))
        case Paused(kind=kind, reason=reason):
            return after(status="paused", pause=kind, statement=reason)
        case SessionFinished(outcome=outcome, statement=statement):
            return after(status="finished", outcome=outcome, statement=statement)
        case CycleStarted():
            return after(status="running", outcome=None, entered={}, tries={}, refused=frozenset())
        case StateEntered(scope=scope):
            return after(entered={**run.entered, scope: event.state})
        case ModelRequested() as asked:
            intent = Intent(asked.todo_id, None, repeatable=True, ordinal=asked.ordinal, reserved=asked.reserved)
            ordinals = {**run.ordinals, (asked.role, asked.todo_id): asked.ordinal}
            return after(open={**run.open, asked.key: intent}, ordinals=ordinals)
        case ToolRequested() as asked:
            intent = Intent(asked.todo_id, asked.tool, repeatable=asked.repeatable, ordinal=0, reserved=asked.reserved)
            return after(open={**run.open, asked.key: intent})
        case ModelResponded() as answered:
            tries = {**run.tries, answered.key: _answered(run.tries.get(answered.key, Tries()), answered)}
            return after(open=_without(run.open, answered.key), tries=tries, spent=run.spent + answered.spend)
        case ToolResponded() as answered:
            return after(open=_without(run.open, answered.key), spent=run.spent + answered.spend)
        case ContractRejected(key=key, objections=objections, final=False):
            before = run.tries.get(key, Tries())
            broken = replace(before, broken=before.broken + 1, objections=objections, failures=0)
            return after(tries={**run.tries, key: broken})
        case ContractRejected(key=key) | ContractAccepted(key=key) | ToolsChosen(key=key):
            return after(tries=_without(run.tries, key))
        case BudgetWarned(limit=limit):
            return after(warned=run.warned | {limit})
        case BudgetRaised(budget=budget):
            return after(budget=budget, warned=frozenset(), refused=frozenset())
        case BudgetReached(refused_key=key):
            return after(refused=run.refused | {key})
        case ToolInterrupted(key=key):
            return after(open=_without(run.open, key))
        case ActionCancelled(key=key):
            # its provider may have been at work already, so what was reserved for it counts as spent
            lost = run.open[key].reserved if key in run.open else _NOTHING
            return after(open=_without(run.open, key), spent=run.spent + lost)
        case _:
            return run


def _answered(before: Tries, answered: ModelResponded) -> Tries:
    if answered.error is not None:
        return replace(before, failures=before.failures + 1)
    return replace(before, reply=answered.reply)


def _unreserved(intents: Mapping[str, Intent]) -> Mapping[str, Intent]:
    return {key: replace(intent, reserved=_NOTHING) for key, intent in intents.items()}


def _without(items: Mapping[str, V], key: str) -> Mapping[str, V]:
    return {other: value for other, value in items.items() if other != key}
