"""The rules of risk: what a trade may be, and which rule a decision breaks. No model has a say here."""

from collections.abc import Iterator
from datetime import datetime
from decimal import ROUND_DOWN, Decimal

from quaestor.trading.contracts.decision import DecisionValidation, PortfolioDecision, RuleId, Violation
from quaestor.trading.contracts.mandate import Constraints, Mandate
from quaestor.trading.contracts.portfolio import SMALLEST_UNIT, Fill, MarketData, MarketOrder, Side
from quaestor.trading.contracts.role_inputs import TradeCapacity

MAX_QUANTITY = 10**15
"""Units in an order; no market has more."""

_SIDES: dict[str, Side] = {"buy": "buy", "sell": "sell"}
_ROUNDING_MARGIN = 2 * SMALLEST_UNIT
"""A cost is rounded twice, its worth and its fee."""


def validate_decision(
    decision: PortfolioDecision, market: MarketData, mandate: Mandate, constraints: Constraints
) -> DecisionValidation:
    """Return every rule that a decision breaks, in the order of the rules; it passes when no error is among them."""
    found = tuple(_violations(decision, market, mandate, constraints))
    return DecisionValidation(passed=all(one.severity != "error" for one in found), violations=found)


def build_order(decision: PortfolioDecision, key: str) -> MarketOrder | None:
    """Return the order that a valid decision comes to; None on hold."""
    side = _SIDES.get(decision.action)
    if side is None:
        return None
    return MarketOrder(key=key, asset=decision.asset, side=side, quantity=round_quantity(decision.quantity))


def trade_capacity(asset: str, market: MarketData, mandate: Mandate, constraints: Constraints) -> TradeCapacity | None:
    """Return the largest trade of an asset; a decision within it breaks no rule of size. None without a price.

    Sell limits are what is held and `max_quantity`; a buy also costs cash, and takes a share of the equity.
    """
    price, held = market.prices.get(asset), market.portfolio.held(asset)
    if price is None:
        return None
    free = asset in mandate.tradable and not _has_open_order(asset, market)
    most = Decimal(MAX_QUANTITY) if constraints.max_quantity is None else constraints.max_quantity
    sold, bought = min(held, most), min(most, *_buy_limits(price, held, market, mandate, constraints))
    return TradeCapacity(
        asset=asset,
        price=price,
        held=held,
        buy=_round_down(max(bought, Decimal(0))) if free else Decimal(0),
        sell=_round_down(sold) if free else Decimal(0),
    )


def describe_stale_price(asset: str, at: datetime, market: MarketData, mandate: Mandate) -> str | None:
    """Return why the price of an asset is too old to be traded at that time, or None; without a close it is not known.

    A feed that has stopped gives its last candle again and again; so nothing is ordered by it.
    """
    closed = market.closed.get(asset)
    if closed is None or at - closed <= mandate.price_lifetime:
        return None
    age = f"its last candle of {mandate.timeframe} closed at {closed:%Y-%m-%d %H:%M} UTC"
    most = f"at most {mandate.constraints.stale} of them may pass"
    return f"the price of {asset} is stale at {at:%Y-%m-%d %H:%M} UTC: {age}; {most}"


def describe_stale_market(market: MarketData, mandate: Mandate, at: datetime) -> str | None:
    """Return why no asset can be traded at that time, its price being too old, or None where one can."""
    stale = [describe_stale_price(asset, at, market, mandate) for asset in market.prices]
    return stale[0] if stale and all(stale) else None


def round_quantity(quantity: float) -> Decimal:
    """Return a quantity as it was written, in whole smallest units, rounded down; it must be below `MAX_QUANTITY`."""
    return _round_down(Decimal(str(quantity)))


def _violations(
    decision: PortfolioDecision, market: MarketData, mandate: Mandate, constraints: Constraints
) -> Iterator[Violation]:
    if not 0 <= decision.confidence <= 1:
        yield _error("confidence", f"the confidence is {decision.confidence:g}; it is from 0 to 1")
    side = _SIDES.get(decision.action)
    if side:
        yield from _trade_violations(decision, side, market, mandate, constraints)
    elif decision.action != "hold":
        yield _error("action", f"the action is {decision.action!r}; it is buy, sell or hold")
    elif decision.quantity != 0:
        yield _error("hold_quantity", f"a hold of {decision.quantity:g} units; the quantity is 0 on hold")


def _trade_violations(
    decision: PortfolioDecision, side: Side, market: MarketData, mandate: Mandate, constraints: Constraints
) -> Iterator[Violation]:
    asset, least = decision.asset, constraints.min_confidence
    if least is not None and decision.confidence < least:
        yield _error("min_confidence", f"the confidence is {decision.confidence:g}; a trade needs at least {least:g}")
    if asset not in mandate.tradable:
        yield _error("allowed_assets", f"{asset!r} may not be traded; allowed: {', '.join(mandate.tradable)}")
    if _has_open_order(asset, market):
        yield _error("open_order", f"an order of {asset} is open; nothing more is ordered until it is settled")
    price = market.prices.get(asset)
    if price is None:
        yield _error("price", f"{asset!r} has no price at {market.at:%Y-%m-%d %H:%M} UTC")
    if stale := describe_stale_price(asset, market.at, market, mandate):
        yield _error("stale", stale)
    if not SMALLEST_UNIT <= decision.quantity < MAX_QUANTITY:
        yield _error("quantity", f"{side} {decision.quantity:g} units; the quantity is at least {SMALLEST_UNIT:f}")
        return
    # The rules look at what would be ordered, not at what the model wrote.
    quantity = round_quantity(decision.quantity)
    if constraints.max_quantity is not None and quantity > constraints.max_quantity:
        yield _error("max_quantity", f"{side} {quantity:f} units; at most {constraints.max_quantity:f} in one trade")
    if price is not None:
        fill = mandate.costs.fill(asset, side, quantity, price)
        yield from (
            _buy_violations(fill, price, market, constraints) if side == "buy" else _sell_violations(fill, market)
        )
        yield from _volume_violations(quantity, asset, market, mandate)


def _sell_violations(fill: Fill, market: MarketData) -> Iterator[Violation]:
    held = market.portfolio.held(fill.asset)
    if fill.quantity > held:
        yield _error("holding", f"sell {fill.quantity:f} {fill.asset}; held are {held:f}")
    elif not market.portfolio.can_afford(fill):
        message = (
            f"sell {fill.quantity:f} {fill.asset}; the fee of {fill.fee:f} is more than it brings and the cash there is"
        )
        yield _error("holding", message)


def _buy_violations(fill: Fill, price: Decimal, market: MarketData, constraints: Constraints) -> Iterator[Violation]:
    cost, cash, equity = -fill.gain, market.portfolio.cash, market.equity
    if cost > _percent_of(cash, constraints.max_cash_pct):
        message = f"it costs {cost:f} of {cash:f} cash; at most {constraints.max_cash_pct:f} %"
        yield _error("max_cash_pct", message)
    if constraints.max_risk_pct is not None and cost > _percent_of(equity, constraints.max_risk_pct):
        message = f"it costs {cost:f} of {equity:f} equity; at most {constraints.max_risk_pct:f} %"
        yield _error("max_risk_pct", message)
    position = (market.portfolio.held(fill.asset) + fill.quantity) * price
    if constraints.max_position_pct is not None and position > _percent_of(equity, constraints.max_position_pct):
        message = f"{fill.asset} would be {position:f} of {equity:f} equity; at most {constraints.max_position_pct:f} %"
        yield _error("max_position_pct", message)


def _volume_violations(quantity: Decimal, asset: str, market: MarketData, mandate: Mandate) -> Iterator[Violation]:
    share = mandate.costs.volume_pct
    if share is not None and quantity > _percent_of(market.volumes.get(asset, Decimal(0)), share):
        message = f"{quantity:f} units are more than {share:f} % of the last candle's volume; a part is filled"
        yield Violation(rule_id="volume", severity="warning", message=message)


def _buy_limits(
    price: Decimal, held: Decimal, market: MarketData, mandate: Mandate, constraints: Constraints
) -> Iterator[Decimal]:
    costs, equity = mandate.costs, market.equity
    each = costs.price("buy", price) * (1 + costs.fee_pct / 100)
    money = [_percent_of(market.portfolio.cash, constraints.max_cash_pct)]
    if constraints.max_risk_pct is not None:
        money.append(_percent_of(equity, constraints.max_risk_pct))
    # The fixed fee is taken off first; the share and the slippage grow with each unit.
    yield (min(money) - costs.fee - _ROUNDING_MARGIN) / each
    if constraints.max_position_pct is not None:
        yield _percent_of(equity, constraints.max_position_pct) / price - held


def _has_open_order(asset: str, market: MarketData) -> bool:
    return any(order.asset == asset for order in market.portfolio.open_orders)


def _percent_of(amount: Decimal, percent: Decimal) -> Decimal:
    return amount * percent / 100


def _round_down(quantity: Decimal) -> Decimal:
    return quantity.quantize(SMALLEST_UNIT, rounding=ROUND_DOWN)


def _error(rule_id: RuleId, message: str) -> Violation:
    return Violation(rule_id=rule_id, severity="error", message=message)
