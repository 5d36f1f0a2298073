"""What a session spent, and on what: a fold of its log that counts every call, also one whose answer was lost."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal

from quaestor.contracts.cost import Budget, LimitUsage, Spend, SpendAccount, SpendReport, Usage
from quaestor.contracts.event import (
    SESSION_SCOPE,
    ActionCancelled,
    BudgetRaised,
    Event,
    ModelRequested,
    ModelResponded,
    Paused,
    Resumed,
    SessionFinished,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.immutable import Immutable, replace
from quaestor.contracts.settings import RunOptions, parse_common_options

TOOLS_ACCOUNT = "tools"
"""The name of tool calls among the models."""
UNKNOWN_MODEL = "unknown"
"""The model of an answer whose question a newer release wrote."""
_NO_TOKENS = Usage(input_tokens=0, output_tokens=0)


class _Charge(Immutable):
    """What one call came to, or, as long as it is held, may come to."""

    kind: Literal["paid", "lost", "held"]
    state: str
    role: str
    todo: str
    model: str
    spend: Spend
    usage: Usage = _NO_TOKENS
    priced: bool = True
    recalled: bool = False
    milliseconds: int = 0


@dataclass(slots=True)
class _Sum:
    """The sum of the calls of one name."""

    name: str
    spend: Spend = field(default_factory=Spend)
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    recalled: int = 0
    milliseconds: int = 0

    def add(self, charge: _Charge) -> None:
        """Add one call."""
        self.spend += charge.spend
        self.input_tokens += charge.usage.input_tokens
        self.cached_tokens += charge.usage.cached_tokens
        self.output_tokens += charge.usage.output_tokens
        self.recalled += charge.recalled
        self.milliseconds += charge.milliseconds

    def account(self) -> SpendAccount:
        """Return the sum as it is reported."""
        return SpendAccount(
            name=self.name,
            spend=self.spend,
            input_tokens=self.input_tokens,
            cached_tokens=self.cached_tokens,
            output_tokens=self.output_tokens,
            recalled=self.recalled,
            milliseconds=self.milliseconds,
        )


@dataclass(slots=True)
class SpendFold:
    """The fold of what a session spent, event by event; it keeps sums and open calls, and no event."""

    _session_id: str = ""
    _options: RunOptions | None = None
    _raised: Budget | None = None
    _open: dict[str, _Charge] = field(default_factory=dict)
    _total: _Sum = field(default_factory=lambda: _Sum("total"))
    _lost: _Sum = field(default_factory=lambda: _Sum("lost"))
    _tables: tuple[dict[str, _Sum], ...] = field(default_factory=lambda: ({}, {}, {}, {}))
    _unpriced: dict[str, None] = field(default_factory=dict)
    _in_flight: dict[str, None] = field(default_factory=dict)
    _seconds: float = 0.0
    _since: datetime | None = None

    def take(self, event: Event) -> None:  # noqa: C901 -- one arm an event
        """Take the next event into account."""
        self._session_id = self._session_id or event.session_id
        self._count_time(event)
        todo = event.todo_id or SESSION_SCOPE
        match event.payload:
            case SessionStarted(options=options):
                self._options = self._options or parse_common_options(options)
            case BudgetRaised(budget=budget):
                self._raised = budget
            case ModelRequested() as asked:
                self._open[asked.key] = _Charge("held", event.state, asked.role, todo, asked.model, asked.reserved)
            case ToolRequested() as asked:
                self._open[asked.key] = _Charge("held", event.state, asked.tool, todo, TOOLS_ACCOUNT, asked.reserved)
            case ModelResponded() as answered:
                of = self._open.pop(answered.key, None)
                self._add(_model_charge(event, answered, of.model if of else UNKNOWN_MODEL))
            case ToolResponded() as answered:
                self._open.pop(answered.key, None)
                took = answered.milliseconds
                self._add(
                    _Charge("paid", event.state, answered.tool, todo, TOOLS_ACCOUNT, answered.spend, milliseconds=took)
                )
            case ToolInterrupted(key=key):
                self._open.pop(key, None)
            case ActionCancelled(key=key) if key in self._open:
                self._add(replace(self._open.pop(key), kind="lost"))
            case Resumed():
                for charge in self._open.values():
                    self._add(replace(charge, kind="lost"))
                self._open.clear()
            case _:
                pass

    def report(self) -> SpendReport:
        """Return what the session spent so far."""
        held = _Sum("held")
        for charge in self._open.values():
            held.add(charge)
        options = self._options or parse_common_options({})
        total, seconds = self._total.account(), round(self._seconds, 3)
        by_state, by_role, by_todo, by_model = (tuple(one.account() for one in of.values()) for of in self._tables)
        return SpendReport(
            session_id=self._session_id,
            total=total,
            by_state=by_state,
            by_role=by_role,
            by_todo=tuple(sorted(by_todo, key=lambda account: _todo_sort_key(account.name))),
            by_model=by_model,
            lost=self._lost.account(),
            held=held.account(),
            seconds=seconds,
            limits=tuple(limit_usage(self._raised or options.budget, total.spend, seconds)),
            unpriced=tuple(self._unpriced),
            replays=options.replays,
        )

    def _add(self, charge: _Charge) -> None:
        names = (charge.state, charge.role, charge.todo, charge.model)
        for name, table in zip(names, self._tables, strict=True):
            table.setdefault(name, _Sum(name)).add(charge)
        self._total.add(charge)
        if charge.kind == "lost":
            self._lost.add(charge)
        if not charge.priced:
            self._unpriced[charge.model] = None

    def _count_time(self, event: Event) -> None:
        """Count the time with something in flight, but not from a rest to what follows it, nor to a resumption."""
        if event.payload.from_person:
            return
        if self._since and self._in_flight and not isinstance(event.payload, Resumed):
            self._seconds += (event.at - self._since).total_seconds()
        self._since = None if isinstance(event.payload, SessionStarted | Paused | SessionFinished) else event.at
        match event.payload:
            case ModelRequested(key=key) | ToolRequested(key=key):
                self._in_flight[key] = None
            case ModelResponded(key=key) | ToolResponded(key=key) | ToolInterrupted(key=key) | ActionCancelled(key=key):
                self._in_flight.pop(key, None)
            case _:
                pass


def _model_charge(event: Event, answered: ModelResponded, model: str) -> _Charge:
    return _Charge(
        "paid",
        event.state,
        answered.role,
        event.todo_id or SESSION_SCOPE,
        model,
        answered.spend,
        usage=answered.usage or _NO_TOKENS,
        priced=answered.priced,
        recalled=answered.cached,
        milliseconds=answered.milliseconds,
    )


def _todo_sort_key(todo: str) -> tuple[int, ...]:
    """Return the sort key of a todo: behind the session, by number, follow-ups after their parent."""
    return () if todo == SESSION_SCOPE else tuple(map(int, todo.removeprefix("t").split(".")))


def limit_usage(budget: Budget, spent: Spend, seconds: float) -> Iterator[LimitUsage]:
    """Yield each limit of a budget, with what is used of it."""
    counts: tuple[tuple[str, float | Decimal, float | Decimal | None], ...] = (
        ("model_calls", spent.model_calls, budget.model_calls),
        ("tool_calls", spent.tool_calls, budget.tool_calls),
        ("tokens", spent.tokens, budget.tokens),
        ("dollars", spent.dollars, budget.dollars),
        ("seconds", seconds, budget.seconds),
    )
    for name, used, allowed in counts:
        if allowed is not None:
            most, taken = Decimal(str(allowed)), Decimal(str(used))
            yield LimitUsage(
                name=name,
                used=taken,
                allowed=most,
                gathering=most * (1 - Decimal(str(budget.reserve_share))),
                share=round(float(taken / most), 4) if most else None,
            )
