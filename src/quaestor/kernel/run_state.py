"""The state that the kernel keeps of any session: a fold of the same events."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeVar

from pydantic import JsonValue

from quaestor.contracts.cost import Budget, Spend
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
from quaestor.contracts.immutable import Immutable, replace

V = TypeVar("V")
_NO_SPEND = Spend()


class Intent(Immutable):
    """An effect that was begun; `tool` is None for a model call, `ordinal` counts a role's calls."""

    todo_id: str | None
    tool: str | None
    repeatable: bool
    ordinal: int
    reserved: Spend
    model: str = ""


class CallAttempts(Immutable):
    """How one model call went so far: replies that broke the contract, with the last of them, and silences since.

    `unavailable` is the last silence where the provider was out of order, `retry_at` until when it asks to be left
    alone; `replies` counts what its model had answered by then, and `others_answered` says whether that was more than
    at the silence before.
    """

    broken: int = 0
    objections: tuple[str, ...] = ()
    reply: str | None = None
    failures: int = 0
    unavailable: str | None = None
    retry_at: datetime | None = None
    replies: int = 0
    others_answered: bool = False


OpenQuestions = tuple[QuestionAsked, ...]
"""What a person was asked and has not answered, the first one first; todos may ask at the same time."""


class RunState(NamedTuple):
    """Where a session stands, as far as the kernel is concerned."""

    seq: int = 0
    cycle: int = 1
    status: Literal["new", "running", "paused", "finished"] = "new"
    entered: Mapping[str, str] = MappingProxyType({})
    open: Mapping[str, Intent] = MappingProxyType({})
    tries: Mapping[str, CallAttempts] = MappingProxyType({})
    replies: Mapping[str, int] = MappingProxyType({})
    """Replies to the model calls of this cycle, by model."""
    gave_up: bool = False
    """A model call of this cycle was given up."""
    has_usable_reply: bool = False
    """A reply to a model call of this cycle fulfilled its contract, or chose tools."""
    unusable: tuple[str, ...] = ()
    """Why model calls were given up since the session last went on, while no reply of the cycle was usable."""
    ordinals: Mapping[tuple[str, str | None], int] = MappingProxyType({})
    refused: frozenset[str] = frozenset()
    warned: frozenset[str] = frozenset()
    budget: Budget | None = None
    spent: Spend = _NO_SPEND
    elapsed: float = 0.0
    at: datetime | None = None
    options: JsonValue = None
    questions: OpenQuestions = ()
    outcome: Outcome | None = None
    pause: PauseKind | None = None
    due_at: datetime | None = None
    """When a paused session goes on by itself."""
    statement: str = ""

    @property
    def waiting(self) -> QuestionAsked | None:
        """The question that is to be answered first."""
        return self.questions[0] if self.questions else None

    @property
    def committed(self) -> Spend:
        """What was spent and what is reserved for what is in flight."""
        return sum((intent.reserved for intent in self.open.values()), self.spent)

    @property
    def has_only_failed_calls(self) -> bool:
        """Whether a model call of this cycle was given up, and no call got a reply."""
        return self.gave_up and not self.replies

    def elapsed_at(self, now: datetime) -> float:
        """Return the seconds with something in flight, without the time between runs and of waiting for a person."""
        return self.elapsed + ((now - self.at).total_seconds() if self.at and self.open else 0.0)


def fold(run: RunState, event: Event) -> RunState:
    """Return the run after one more event."""
    run = _fold_payload(_fold_time(run, event), event)
    questions = fold_questions(run.questions, event)
    return run if questions is run.questions else run._replace(questions=questions)


def _fold_time(run: RunState, event: Event) -> RunState:
    """Count the time since the last event, unless the session rested or its process was dead."""
    if event.payload.from_person:
        return run._replace(seq=event.seq, cycle=event.cycle)
    # The gap before `Resumed` is not working time: its process was dead, or a laptop slept.
    elapsed = run.elapsed if isinstance(event.payload, Resumed) else run.elapsed_at(event.at)
    rests = isinstance(event.payload, SessionStarted | CycleStarted | QuestionAsked | Paused | SessionFinished)
    return run._replace(seq=event.seq, cycle=event.cycle, elapsed=elapsed, at=None if rests else event.at)


def _fold_payload(run: RunState, event: Event) -> RunState:  # noqa: C901 -- one arm an event
    after = run._replace
    match event.payload:
        case SessionStarted(options=options):
            return after(status="running", options=options)
        case Forked(options=options):
            return after(options=options)
        case Resumed():
            tries = {key: _try_again(one) for key, one in run.tries.items()}
            # A call that was cut off may have reached its provider, so what was reserved for it counts as spent; begun
            # again it is reserved again. A budget errs on the side of the person who pays.
            open_again = _unreserved(run.open)
            return after(
                status="running",
                pause=None,
                due_at=None,
                spent=run.committed,
                open=open_again,
                tries=tries,
                unusable=(),
            )
        case Paused(kind=kind, reason=reason, until=until):
            return after(status="paused", pause=kind, statement=reason, due_at=until)
        case SessionFinished(outcome=outcome, statement=statement):
            return after(status="finished", outcome=outcome, statement=statement)
        case CycleStarted():
            return after(
                status="running",
                outcome=None,
                entered={},
                tries={},
                refused=frozenset(),
                replies={},
                gave_up=False,
                has_usable_reply=False,
                unusable=(),
            )
        case StateEntered(scope=scope):
            return after(entered={**run.entered, scope: event.state})
        case ModelRequested() as asked:
            intent = Intent(
                event.todo_id, None, repeatable=True, ordinal=asked.ordinal, reserved=asked.reserved, model=asked.model
            )
            ordinals = {**run.ordinals, (asked.role, event.todo_id): asked.ordinal}
            return after(open={**run.open, asked.key: intent}, ordinals=ordinals)
        case ToolRequested() as asked:
            intent = Intent(event.todo_id, asked.tool, repeatable=asked.repeatable, ordinal=0, reserved=asked.reserved)
            return after(open={**run.open, asked.key: intent})
        case ModelResponded() as answered:
            return _fold_response(run, answered)
        case ToolResponded() as answered:
            return after(open=_without(run.open, answered.key), spent=run.spent + answered.spend)
        case ContractRejected(key=key, objections=objections, final=False):
            before = run.tries.get(key, CallAttempts())
            broken = replace(before, broken=before.broken + 1, objections=objections, failures=0)
            return after(tries={**run.tries, key: broken})
        case ContractRejected() | ContractAccepted() | ToolsChosen() as verdict:
            return _fold_verdict(run, verdict)
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
            lost = run.open[key].reserved if key in run.open else _NO_SPEND
            return after(open=_without(run.open, key), spent=run.spent + lost)
        case _:
            return run


def _fold_response(run: RunState, answered: ModelResponded) -> RunState:
    model = run.open[answered.key].model if answered.key in run.open else ""
    replies = run.replies.get(model, 0)
    attempts = _fold_reply(run.tries.get(answered.key, CallAttempts()), answered, replies)
    return run._replace(
        open=_without(run.open, answered.key),
        tries={**run.tries, answered.key: attempts},
        spent=run.spent + answered.spend,
        replies=run.replies if answered.reply is None else {**run.replies, model: replies + 1},
    )


def _fold_verdict(run: RunState, verdict: ContractRejected | ContractAccepted | ToolsChosen) -> RunState:
    """Fold how a call ended for good: whether what was answered can be used, if anything was."""
    run = run._replace(tries=_without(run.tries, verdict.key), gave_up=run.gave_up or not run.replies)
    match verdict:
        case ContractRejected(role=role, objections=objections) if not run.has_usable_reply:
            reason = f"the {role} gave no usable answer: {'; '.join(objections[:1])}"
            return run._replace(unusable=(*run.unusable, reason))
        case ContractAccepted() | ToolsChosen(calls=(_, *_)):
            return run._replace(has_usable_reply=True)
        case _:
            return run


def _fold_reply(before: CallAttempts, answered: ModelResponded, replies: int) -> CallAttempts:
    if answered.error is None:
        return replace(before, reply=answered.reply)
    return replace(
        before,
        failures=before.failures + 1,
        unavailable=answered.error if answered.unavailable else None,
        retry_at=answered.retry_at,
        replies=replies,
        others_answered=before.failures > 0 and replies > before.replies,
    )


def _try_again(tries: CallAttempts) -> CallAttempts:
    """Return the attempts at a call once its session goes on: a provider that was out of order may be back."""
    return replace(tries, failures=0, unavailable=None, retry_at=None) if tries.unavailable else tries


def _unreserved(intents: Mapping[str, Intent]) -> Mapping[str, Intent]:
    return {key: replace(intent, reserved=_NO_SPEND) for key, intent in intents.items()}


def _without(items: Mapping[str, V], key: str) -> Mapping[str, V]:
    return {other: value for other, value in items.items() if other != key}


def fold_questions(questions: OpenQuestions, event: Event) -> OpenQuestions:
    """Return the questions that stand open after one more event."""
    match event.payload:
        case QuestionAsked() as asked:
            return (*questions, asked)
        case SessionFinished():
            return ()
        case payload:
            rest = tuple(one for one in questions if not payload.settles(one.kind, one.ref))
            return questions if len(rest) == len(questions) else rest
