"""The wall: what may not be begun, what ends by the clock, and the warning before either."""

from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.event import BudgetReached, BudgetWarned
from quaestor.kernel.run_state import RunState

WARNING_SHARE = Decimal("0.8")
_NO_SPEND = Spend()


def exceeded_limit(budget: Budget, committed: Spend, cost: Spend, *, uses_reserve: bool) -> str | None:
    """Name the limit that does not allow one more cost, as `name: allowed`, or None.

    Where something is left, but not enough, the name goes on with what is needed and what is left. `committed` is what
    was spent and what is reserved for calls in flight. Only what `uses_reserve` may use the share of each limit that is
    kept back for the report.
    """
    after = committed + cost
    for name, limit, amount, total in _limits(budget, cost, after):
        if limit is None or not amount:
            continue
        usable = _usable(limit, budget.reserve_share, uses_reserve=uses_reserve)
        if total > usable:
            kept = " beside the reserve" if usable < limit else ""
            return f"{name}: {limit}{_describe_left(amount, usable - (total - amount), kept)}"
    return None


def _describe_left(needed: int | Decimal, left: Decimal, kept: str) -> str:
    """Return how much is needed and how much is left; nothing where nothing is left, as what is counted is whole."""
    whole = left if isinstance(needed, Decimal) else left // 1
    return f"; the next call may take {_plain(needed)}, and {_plain(whole)} is left{kept}" if whole > 0 else ""


def seconds_left(budget: Budget, run: RunState, now: datetime, *, uses_reserve: bool) -> float | None:
    """Return the seconds of running until the time limit, below zero when it has passed; None without a limit."""
    if budget.seconds is None:
        return None
    allowed = float(_usable(Decimal(str(budget.seconds)), budget.reserve_share, uses_reserve=uses_reserve))
    return allowed - run.elapsed_at(now)


def time_limit_reached(budget: Budget, run: RunState, now: datetime, *, uses_reserve: bool) -> BudgetReached | None:
    """Return the fact that the time for gathering, or for writing, has passed; once for each."""
    left = seconds_left(budget, run, now, uses_reserve=uses_reserve)
    key = f"seconds/{'writing' if uses_reserve else 'gathering'}"
    if left is None or left > 0 or key in run.refused:
        return None
    return BudgetReached(limit=f"seconds: {budget.seconds:g}", spent=run.spent, refused_key=key)


def warnings(budget: Budget, run: RunState, now: datetime, reached: str = "") -> Iterator[BudgetWarned]:
    """Return a warning for each limit of which four fifths of what gathering may use are spent, once for each.

    A limit that is `reached` in one step from further below is warned of just before, unless nothing of it is spent.
    """
    for name, spent, allowed in _limit_usage(budget, run, now):
        due = spent >= allowed * WARNING_SHARE or reached.startswith(f"{name}:")
        if due and spent and name not in run.warned:
            yield BudgetWarned(limit=name, allowed=f"{allowed:f}", used=f"{spent:f}")


def _limit_usage(budget: Budget, run: RunState, now: datetime) -> Iterator[tuple[str, int | Decimal, Decimal]]:
    """Return every limit that is set: its name, what is used of it, and what gathering may use."""
    for name, limit, _, spent in _limits(budget, _NO_SPEND, run.spent):
        if limit is not None:
            yield name, spent, _usable(limit, budget.reserve_share, uses_reserve=False)
    if budget.seconds is not None:
        seconds = Decimal(str(round(run.elapsed_at(now), 3)))
        yield "seconds", seconds, _usable(Decimal(str(budget.seconds)), budget.reserve_share, uses_reserve=False)


def _limits(
    budget: Budget, cost: Spend, total: Spend
) -> tuple[tuple[str, int | Decimal | None, int | Decimal, int | Decimal], ...]:
    return (
        ("model_calls", budget.model_calls, cost.model_calls, total.model_calls),
        ("tool_calls", budget.tool_calls, cost.tool_calls, total.tool_calls),
        ("tokens", budget.tokens, cost.tokens, total.tokens),
        ("dollars", budget.dollars, cost.dollars, total.dollars),
    )


def _usable(limit: int | Decimal, reserve_share: float, *, uses_reserve: bool) -> Decimal:
    return Decimal(limit) * (1 if uses_reserve else 1 - Decimal(str(reserve_share)))


def _plain(amount: int | Decimal) -> str:
    """Return an amount without an exponent and without zeros at its end."""
    return f"{Decimal(amount).normalize():f}"
