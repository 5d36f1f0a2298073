"""Money and holdings, and what changes them: orders, and what became of them."""

from collections.abc import Mapping
from decimal import Context, Decimal
from typing import Literal, Self

from pydantic import AwareDatetime, Field

from quaestor.contracts.base import Contract

Side = Literal["buy", "sell"]

SMALLEST_UNIT = Decimal("0.00000001")
"""The smallest unit of money and of an asset; what is computed is rounded to it."""

# The default of 28 digits is too few for large amounts in smallest units: `quantize` would refuse them.
_DECIMAL_CONTEXT = Context(prec=60)


def round_amount(amount: Decimal) -> Decimal:
    """Return an amount in whole smallest units, the nearest; of two as near the even one."""
    return amount.quantize(SMALLEST_UNIT, context=_DECIMAL_CONTEXT)


class MarketOrder(Contract):
    """An order at the market's price; what cannot be filled at once is cancelled."""

    key: str = Field(min_length=1, description="Equal for equal orders: two with one key are one order.")
    asset: str
    side: Side
    quantity: Decimal = Field(gt=0)


class Fill(Contract):
    """What was traded: `price` is an average a unit, `fee` in the quote currency."""

    asset: str
    side: Side
    quantity: Decimal = Field(gt=0)
    price: Decimal = Field(gt=0)
    fee: Decimal = Field(ge=0)

    @property
    def worth(self) -> Decimal:
        """What was traded, without the fee."""
        return round_amount(self.quantity * self.price)

    @property
    def gain(self) -> Decimal:
        """How much more cash there is afterwards; below zero for a buy."""
        return -self.worth - self.fee if self.side == "buy" else self.worth - self.fee


class Portfolio(Contract):
    """Cash in the quote currency, units of each asset, and the orders of which nobody knows what became."""

    cash: Decimal = Field(description="Below zero only where an exchange took more than there was.")
    holdings: Mapping[str, Decimal] = {}
    open_orders: tuple[MarketOrder, ...] = ()

    def held(self, asset: str) -> Decimal:
        """Return the units of an asset."""
        return self.holdings.get(asset, Decimal(0))

    def can_afford(self, fill: Fill) -> bool:
        """Return whether a fill leaves neither cash nor units below zero."""
        return self.cash + fill.gain >= 0 and (fill.side == "buy" or fill.quantity <= self.held(fill.asset))

    def sent(self, order: MarketOrder) -> Self:
        """Return the portfolio once an order is on its way; again changes nothing."""
        if any(known.key == order.key for known in self.open_orders):
            return self
        return self.revised(open_orders=(*self.open_orders, order))

    def settled(self, result: "ExecutionResult") -> Self:
        """Return the portfolio once it is known what became of an order on its way; of any other it changes nothing."""
        left = tuple(order for order in self.open_orders if order.key != result.order_id)
        # A result that comes twice, as after a restart, finds its order settled and is not booked again.
        if len(left) == len(self.open_orders):
            return self
        if result.fill is None:
            return self.revised(open_orders=left)
        fill = result.fill
        units = self.held(fill.asset) + (fill.quantity if fill.side == "buy" else -fill.quantity)
        others = {asset: held for asset, held in self.holdings.items() if asset != fill.asset}
        holdings = {**others, fill.asset: units} if units else others
        return self.revised(cash=self.cash + fill.gain, holdings=holdings, open_orders=left)

    def equity(self, prices: Mapping[str, Decimal]) -> Decimal:
        """Return what cash and holdings are worth at these prices; what has no price counts for nothing."""
        worth = sum((units * prices.get(asset, Decimal(0)) for asset, units in self.holdings.items()), self.cash)
        return round_amount(worth)


class ExecutionResult(Contract):
    """What became of a decision: traded, nothing to trade, refused before, or refused or lost by the broker."""

    status: Literal["executed", "skipped", "rejected", "failed"]
    order_id: str | None = Field(default=None, description="The key of the order; None when none was sent.")
    detail: str
    fill: Fill | None = None

    @classmethod
    def failure(cls, order: MarketOrder, reason: str) -> Self:
        """Return the result of an order that came to nothing."""
        return cls(status="failed", order_id=order.key, detail=reason)


class MarketData(Contract):
    """What a cycle looks at: the last closes at its time, and what the portfolio is worth by them."""

    at: AwareDatetime
    prices: Mapping[str, Decimal]
    volumes: Mapping[str, Decimal] = Field(default={}, description="Of the candles that closed last.")
    closed: Mapping[str, AwareDatetime] = Field(default={}, description="When these candles closed.")
    portfolio: Portfolio
    equity: Decimal
    next: AwareDatetime | None = Field(default=None, description="When the next candle of a backtest closes.")


class ScanInput(Contract):
    """For the scan: whose prices, at which time; None: the first of a backtest, or now."""

    assets: tuple[str, ...]
    at: AwareDatetime | None = None
    portfolio: Portfolio


class PortfolioInput(Contract):
    """For `get_portfolio_state`; a model names nothing."""


class BoundPortfolioInput(PortfolioInput):
    """What the workflow puts in its place: the portfolio and the prices of the cycle."""

    portfolio: Portfolio
    equity: Decimal


class PortfolioState(Contract):
    """What there is: cash, units, and the worth of all."""

    cash: Decimal
    holdings: Mapping[str, Decimal]
    open_orders: tuple[MarketOrder, ...]
    equity: Decimal


class ExecuteInput(Contract):
    """For a broker: an order, the last close and volume of its asset, and what it may be paid with."""

    order: MarketOrder
    price: Decimal = Field(gt=0)
    volume: Decimal = Field(ge=0)
    portfolio: Portfolio


class ReconcileInput(Contract):
    """For a broker: an order of which nobody knows what became."""

    order: MarketOrder
