"""The rules of risk: each by itself, and the law that nothing invalid reaches a broker."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from quaestor.trading.contracts.decision import DecisionValidation, PortfolioDecision
from quaestor.trading.contracts.mandate import Constraints, Mandate
from quaestor.trading.contracts.portfolio import ExecuteInput, MarketData, MarketOrder, Portfolio
from quaestor.trading.paper_broker import PaperBroker
from quaestor.trading.risk import (
    build_order,
    describe_stale_market,
    describe_stale_price,
    trade_capacity,
    validate_decision,
)

BTC, ETH = "BTC/USDT", "ETH/USDT"
Limits = Mapping[str, object]
PRICES = {BTC: Decimal(100), ETH: Decimal(10)}


def mandate(**said: object) -> Mandate:
    free = {"fee_pct": 0, "slippage_pct": 0}
    return Mandate.model_validate({"objective": "o", "assets": (BTC, ETH), "cash": 1000, "costs": free, **said})


def market(cash: str = "1000", prices: Mapping[str, Decimal] = PRICES, **held: str) -> MarketData:
    names = {"btc": BTC, "eth": ETH}
    portfolio = Portfolio(cash=Decimal(cash), holdings={names[one]: Decimal(units) for one, units in held.items()})
    return MarketData(
        at=datetime(2026, 1, 1, tzinfo=UTC),
        prices=prices,
        volumes=dict.fromkeys(prices, Decimal(50)),
        portfolio=portfolio,
        equity=portfolio.equity(prices),
    )


@pytest.mark.parametrize(("hours", "frames", "stale"), [(2, 2, False), (3, 2, True), (3, 4, False), (30_000, 2, True)])
@pytest.mark.parametrize("action", ["buy", "sell"])
def test_a_stale_price_is_not_traded_at(hours: int, frames: int, stale: bool, action: str) -> None:
    seen = market(btc="1")
    seen = seen.revised(closed={BTC: seen.at - timedelta(hours=hours), ETH: seen.at})
    limits = Constraints(stale=Decimal(frames))
    own = mandate(timeframe="1h", constraints=limits)
    found = validate_decision(decided(action=action, quantity=0.5), seen, own, limits)
    assert [one.rule_id for one in found.violations] == (["stale"] if stale else [])
    assert validate_decision(decided(action="buy", asset=ETH), seen, own, limits).passed


def test_a_market_is_stale_once_no_price_in_it_can_be_traded() -> None:
    seen, own = market(), mandate(timeframe="1h")
    old = seen.at - timedelta(hours=3)
    one, all_ = seen.revised(closed={BTC: old, ETH: seen.at}), seen.revised(closed={BTC: old, ETH: old})
    assert describe_stale_market(one, own, seen.at) is None
    assert describe_stale_market(market(prices={}), own, seen.at) is None
    assert describe_stale_market(all_, own, seen.at) == describe_stale_price(BTC, seen.at, all_, own)


def decided(**said: object) -> PortfolioDecision:
    usual = {"action": "buy", "asset": BTC, "quantity": 1, "confidence": 0.9, "reasoning": "", "strategy_used": ""}
    return PortfolioDecision.model_validate({**usual, **said})


def check(
    decision: PortfolioDecision, limits: Mapping[str, object], at: MarketData | None = None
) -> DecisionValidation:
    asked = mandate(constraints=limits)
    return validate_decision(decision, at or market(), asked, asked.constraints)


def rules(found: DecisionValidation) -> list[str]:
    return [one.rule_id for one in found.violations]


@pytest.mark.parametrize(
    ("decision", "limits", "broken"),
    [
        (decided(), {}, []),
        (decided(action="hold", quantity=0, asset=""), {"min_confidence": 1}, []),
        (decided(quantity=5), {}, []),
        (decided(quantity=5.00000001), {}, ["max_cash_pct"]),
        (decided(quantity=9), {"max_cash_pct": 90}, []),
        (decided(confidence=1.2), {}, ["confidence"]),
        (decided(confidence=-0.1), {}, ["confidence"]),
        (decided(action="BUY "), {}, ["action"]),
        (decided(action="hold"), {}, ["hold_quantity"]),
        (decided(asset=ETH), {"allowed_assets": (BTC,)}, ["allowed_assets"]),
        (decided(asset="DOGE/USDT"), {}, ["allowed_assets", "price"]),
        (decided(action="sell"), {}, ["holding"]),
        (decided(quantity=0), {}, ["quantity"]),
        (decided(quantity=-1), {}, ["quantity"]),
        (decided(quantity=1e-9), {}, ["quantity"]),
        (decided(quantity=1e300), {}, ["quantity"]),
        (decided(quantity=2), {"max_quantity": 1}, ["max_quantity"]),
        (decided(), {"max_risk_pct": 9}, ["max_risk_pct"]),
        (decided(), {"max_risk_pct": 10}, []),
        (decided(), {"max_position_pct": 5}, ["max_position_pct"]),
        (decided(confidence=0.5), {"min_confidence": 0.6}, ["min_confidence"]),
        (decided(confidence=7, quantity=-2, asset="X"), {}, ["confidence", "allowed_assets", "price", "quantity"]),
    ],
)
def test_each_rule_is_named_where_it_is_broken_and_nowhere_else(
    decision: PortfolioDecision, limits: Limits, broken: list[str]
) -> None:
    found = check(decision, limits)
    assert rules(found) == broken
    assert found.passed == (not broken)


def test_a_position_counts_what_is_held_already() -> None:
    assert rules(check(decided(quantity=1), {"max_position_pct": 30}, market(btc="4"))) == ["max_position_pct"]


def test_fees_and_slippage_count_as_cost() -> None:
    dear = mandate(costs={"fee_pct": 1, "slippage_pct": 1})
    assert rules(validate_decision(decided(quantity=4.9), market(), dear, dear.constraints)) == []
    assert rules(validate_decision(decided(quantity=4.95), market(), dear, dear.constraints)) == ["max_cash_pct"]


def test_a_fee_that_eats_a_sale_and_all_cash_is_refused() -> None:
    dear = mandate(costs={"fee": 200})
    found = validate_decision(decided(action="sell"), market("50", btc="1"), dear, dear.constraints)
    assert rules(found) == ["holding"]


def test_nothing_is_ordered_while_an_order_of_the_asset_stands_open() -> None:
    waiting = MarketOrder(key="k", asset=BTC, side="buy", quantity=Decimal(1))
    at = market()
    at = at.model_copy(update={"portfolio": at.portfolio.sent(waiting)})
    assert rules(check(decided(), {}, at)) == ["open_order"]
    assert rules(check(decided(asset=ETH), {}, at)) == []


def test_a_thin_candle_is_a_warning_that_refuses_nothing() -> None:
    thin = mandate(costs={"volume_pct": 1, "fee_pct": 0, "slippage_pct": 0})
    found = validate_decision(decided(), market(), thin, thin.constraints)
    assert (rules(found), found.passed) == (["volume"], True)


def test_a_plan_makes_limits_stricter_and_never_looser() -> None:
    limits = Constraints(max_cash_pct=Decimal(40), min_confidence=0.5)
    said: Mapping[str, JsonValue] = {
        "max_cash_pct": 90,
        "max_risk_pct": 2,
        "min_confidence": 0.7,
        "max_quantity": "much",
        "mood": 1,
    }
    after = limits.tightened_by(said)
    assert (after.max_cash_pct, after.max_risk_pct, after.min_confidence) == (Decimal(40), Decimal(2), 0.7)
    assert after.max_quantity is None
    assert limits.tightened_by({"max_cash_pct": 10, "min_confidence": 0.1}).describe() == (
        "max_cash_pct: 10",
        "min_confidence: 0.5",
    )


AMOUNTS = st.decimals(min_value=0, max_value=10**6, places=8)
MARKETS = st.builds(
    lambda cash, held, price: market(str(cash), {BTC: price, ETH: Decimal(10)}, btc=str(held)),
    AMOUNTS,
    AMOUNTS,
    st.decimals(min_value="0.000001", max_value=100_000, places=6),
)
LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "max_cash_pct": st.integers(0, 100),
        "max_risk_pct": st.integers(0, 100),
        "max_position_pct": st.integers(0, 100),
        "max_quantity": st.decimals(min_value="0.00000001", max_value=1000, places=8),
        "allowed_assets": st.sampled_from([(), (BTC,), (ETH,)]),
    },
)
COSTS = st.fixed_dictionaries(
    {"fee_pct": st.integers(0, 5), "slippage_pct": st.integers(0, 5)},
    optional={"fee": st.integers(0, 3), "volume_pct": st.integers(0, 100)},
)
MANDATES = st.builds(lambda limits, costs: mandate(constraints=limits, costs=costs), LIMITS, COSTS)
DECISIONS = st.builds(
    decided,
    action=st.sampled_from(["buy", "buy", "sell", "sell", "hold", "BUY "]),
    asset=st.sampled_from([BTC, BTC, ETH, "DOGE/USDT"]),
    quantity=st.floats(0, 2) | st.floats(allow_nan=False, allow_infinity=False) | st.just(0.0),
    confidence=st.floats(0, 1) | st.floats(-2, 2),
)


def edged(decision: PortfolioDecision, at: MarketData, asked: Mandate) -> PortfolioDecision:
    """Take a quantity up to 2 as a share of the room there is, so that many lie just within it or just above."""
    told = trade_capacity(decision.asset, at, asked, asked.constraints)
    if told is None or not 0 <= decision.quantity <= 2:
        return decision
    most = told.buy if decision.action == "buy" else told.sell
    return decision.model_copy(update={"quantity": decision.quantity * float(most)})


@given(decision=DECISIONS, at=MARKETS, asked=MANDATES, on_edge=st.booleans())
async def test_what_passes_can_be_filled_and_leaves_neither_cash_nor_units_below_zero(
    decision: PortfolioDecision, at: MarketData, asked: Mandate, *, on_edge: bool
) -> None:
    decision = edged(decision, at, asked) if on_edge else decision
    if not validate_decision(decision, at, asked, asked.constraints).passed:
        return
    assert 0 <= decision.confidence <= 1
    order = build_order(decision, "k")
    if order is None:
        assert (decision.action, decision.quantity) == ("hold", 0)
        return
    assert decision.asset in asked.tradable
    price, volume = at.prices[order.asset], at.volumes[order.asset]
    sent = ExecuteInput(order=order, price=price, volume=volume, portfolio=at.portfolio)
    result = await PaperBroker(asked.costs).run(sent)
    after = at.portfolio.sent(order).settled(result)
    assert after.cash >= 0
    assert all(units >= 0 for units in after.holdings.values())
    if result.fill and order.side == "buy":
        assert -result.fill.gain <= at.portfolio.cash * asked.constraints.max_cash_pct / 100
    elif result.fill:
        assert result.fill.quantity <= at.portfolio.held(order.asset)
    else:
        assert asked.costs.volume_pct is not None


@given(at=MARKETS, asked=MANDATES)
def test_the_room_that_is_told_is_never_refused(at: MarketData, asked: Mandate) -> None:
    told = trade_capacity(BTC, at, asked, asked.constraints)
    assert told
    sides = (("buy", told.buy),) if asked.costs.fee else (("buy", told.buy), ("sell", told.sell))
    for action, most in sides:
        exact = float(most)
        if most and Decimal(str(exact)) <= most:
            found = validate_decision(decided(action=action, quantity=exact), at, asked, asked.constraints)
            assert found.passed, found.violations
    assert trade_capacity("DOGE/USDT", at, asked, asked.constraints) is None
