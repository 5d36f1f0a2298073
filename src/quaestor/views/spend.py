"""What a session spent, and on what: a fold of its log that counts every call, also one whose answer was lost."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
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
from quaestor.contracts.settings import parse_common_options

TOOLS_ACCOUNT = "tools"
"""Where a tool call stands among the models."""
UNKNOWN_MODEL = "unknown"
"""The model of an answer whose question a newer release wrote."""
_NO_TOKENS = Usage(input_tokens=0, output_tokens=0)


def build_spend_report(events: Sequence[Event]) -> SpendReport:
    """Return what the session with these events, all from the first, spent."""
    started = (event.payload.options for event in events if isinstance(event.payload, SessionStarted))
    options = parse_common_options(next(started, {}))
    raised = (event.payload.budget for event in reversed(events) if isinstance(event.payload, BudgetRaised))
    charges = tuple(_charges(events))
    spent = [charge for charge in charges if charge.kind != "held"]
    total, seconds = _account("total", spent), _running_seconds(events)
    return SpendReport(
        session_id=events[0].session_id if events else "",
        total=total,
        by_state=_accounts(spent, lambda charge: charge.state),
        by_role=_accounts(spent, lambda charge: charge.role),
        by_todo=tuple(
            sorted(_accounts(spent, lambda charge: charge.todo), key=lambda account: _todo_sort_key(account.name))
        ),
        by_model=_accounts(spent, lambda charge: charge.model),
        lost=_account("lost", [charge for charge in charges if charge.kind == "lost"]),
        held=_account("held", [charge for charge in charges if charge.kind == "held"]),
        seconds=seconds,
        limits=tuple(limit_usage(next(raised, options.budget), total.spend, seconds)),
        unpriced=tuple(dict.fromkeys(charge.model for charge in spent if not charge.priced)),
        replays=options.replays,
    )


@dataclass(frozen=True, slots=True)
class _Charge:
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


def _charges(events: Iterable[Event]) -> Iterator[_Charge]:
    held: dict[str, _Charge] = {}
    for event in events:
        match event.payload:
            case ModelRequested() as asked:
                todo = event.todo_id or SESSION_SCOPE
                held[asked.key] = _Charge("held", event.state, asked.role, todo, asked.model, asked.reserved)
            case ToolRequested() as asked:
                todo = event.todo_id or SESSION_SCOPE
                held[asked.key] = _Charge("held", event.state, asked.tool, todo, TOOLS_ACCOUNT, asked.reserved)
            case ModelResponded() as answered:
                of = held.pop(answered.key, None)
                yield _model_charge(event, answered, of.model if of else UNKNOWN_MODEL)
            case ToolResponded() as answered:
                held.pop(answered.key, None)
                todo = event.todo_id or SESSION_SCOPE
                took = answered.milliseconds
                yield _Charge(
                    "paid", event.state, answered.tool, todo, TOOLS_ACCOUNT, answered.spend, milliseconds=took
                )
            case ToolInterrupted(key=key):
                held.pop(key, None)
            case ActionCancelled(key=key) if key in held:
                yield replace(held.pop(key), kind="lost")
            case Resumed():
                yield from (replace(charge, kind="lost") for charge in held.values())
                held.clear()
            case _:
                pass
    yield from held.values()


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


def _accounts(charges: Iterable[_Charge], name: Callable[[_Charge], str]) -> tuple[SpendAccount, ...]:
    """Return one account a name, in the order in which the names come first."""
    named: dict[str, list[_Charge]] = {}
    for charge in charges:
        named.setdefault(name(charge), []).append(charge)
    return tuple(_account(of, own) for of, own in named.items())


def _account(name: str, charges: Sequence[_Charge]) -> SpendAccount:
    return SpendAccount(
        name=name,
        spend=sum((charge.spend for charge in charges), Spend()),
        input_tokens=sum(charge.usage.input_tokens for charge in charges),
        cached_tokens=sum(charge.usage.cached_tokens for charge in charges),
        output_tokens=sum(charge.usage.output_tokens for charge in charges),
        recalled=sum(charge.recalled for charge in charges),
        milliseconds=sum(charge.milliseconds for charge in charges),
    )


def _todo_sort_key(todo: str) -> tuple[int, ...]:
    """Return where a todo stands: behind the session, by number, follow-ups after their parent."""
    return () if todo == SESSION_SCOPE else tuple(map(int, todo.removeprefix("t").split(".")))


def _running_seconds(events: Sequence[Event]) -> float:
    """Count the time in which something was in flight, but not from a rest to what follows it, nor to a resumption."""
    flying, since, total = set[str](), None, 0.0
    for event in events:
        if event.payload.from_person:
            continue
        if since and flying and not isinstance(event.payload, Resumed):
            total += (event.at - since).total_seconds()
        since = None if isinstance(event.payload, SessionStarted | Paused | SessionFinished) else event.at
        match event.payload:
            case ModelRequested(key=key) | ToolRequested(key=key):
                flying.add(key)
            case ModelResponded(key=key) | ToolResponded(key=key) | ToolInterrupted(key=key) | ActionCancelled(key=key):
                flying.discard(key)
            case _:
                pass
    return round(total, 3)


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
