"""The paper broker: orders are filled at the market price of the cycle, with fees and slippage."""

from decimal import ROUND_DOWN, Decimal

from typing_extensions import override

from quaestor.contracts.tools import Tool
from quaestor.trading.contracts.mandate import TradingCosts
from quaestor.trading.contracts.portfolio import SMALLEST_UNIT, ExecuteInput, ExecutionResult


class PaperBroker(Tool[ExecuteInput, ExecutionResult]):
    """A `Tool` that fills orders on paper, at the last close with slippage and fees.

    What it gives follows from what it is given alone, so an order that is sent twice under one key is filled once: the
    account is what the log says, and the log takes up one result a key.
    """

    name = "execute"
    description = "Fills an order on paper."
    repeatable = True
    pure = True

    def __init__(self, costs: TradingCosts) -> None:
        self._costs = costs

    @override
    async def run(self, given: ExecuteInput) -> ExecutionResult:
        """Fill an order as far as the share of the candle's volume reaches, and cancel the rest; or say why not."""
        order = given.order
        quantity = self._fillable_quantity(order.quantity, given.volume)
        if not quantity:
            return ExecutionResult.failure(order, "nothing was traded in the last candle that could fill it")
        fill = self._costs.fill(order.asset, order.side, quantity, given.price)
        if not given.portfolio.can_afford(fill):
            return ExecutionResult.failure(
                order, f"{given.portfolio.cash:f} cash and {given.portfolio.held(order.asset):f} units do not cover it"
            )
        done = "bought" if order.side == "buy" else "sold"
        part = f" of {order.quantity:f}" if quantity < order.quantity else ""
        detail = f"{done} {quantity:f}{part} {order.asset} at {fill.price:f}, fee {fill.fee:f}"
        return ExecutionResult(status="executed", order_id=order.key, detail=detail, fill=fill)

    def _fillable_quantity(self, quantity: Decimal, volume: Decimal) -> Decimal:
        share = self._costs.volume_pct
        if share is None:
            return quantity
        return min(quantity, (volume * share / 100).quantize(SMALLEST_UNIT, rounding=ROUND_DOWN))
