from decimal import Decimal

from quaestor.contracts.budget import Budget, Spend


def refusal(budget: Budget, committed: Spend, cost: Spend, *, writing: bool) -> str | None:
    """Name the limit that does not allow one more cost, as `name: allowed`, or None.

    `committed` is what was spent and what is reserved for calls in flight. Only `writing` may use the share
    of each limit that is kept back for the report.
    """
    after = committed + cost
    limits = (
        ("model_calls", budget.model_calls, cost.model_calls, after.model_calls),
        ("tool_calls", budget.tool_calls, cost.tool_calls, after.tool_calls),
        ("tokens", budget.tokens, cost.tokens, after.tokens),
        ("dollars", budget.dollars, cost.dollars, after.dollars),
    )
    for name, limit, wanted, total in limits:
        if limit is not None and wanted and total > _usable(limit, budget.writing_share, writing=writing):
            return f"{name}: {limit}"
    return None


def _usable(limit: int | Decimal, writing_share: float, *, writing: bool) -> Decimal:
    return Decimal(limit) * (1 if writing else 1 - Decimal(str(writing_share)))
