from decimal import Decimal

import pytest

from quaestor.contracts.errors import ToolFailed
from quaestor.trading.contracts.mandate import TradingCosts
from quaestor.trading.contracts.portfolio import (
    BoundPortfolioInput,
    ExecuteInput,
    MarketOrder,
    Portfolio,
    PortfolioInput,
    Side,
)
from quaestor.trading.market.snapshot_tools import GetPortfolioState
from quaestor.trading.paper_broker import PaperBroker

BTC = "BTC/USDT"


def given(side: Side, quantity: str, cash: str = "1000", held: str = "2", volume: str = "10") -> ExecuteInput:
    order = MarketOrder(key="s/1/decision", asset=BTC, side=side, quantity=Decimal(quantity))
    portfolio = Portfolio(cash=Decimal(cash), holdings={BTC: Decimal(held)})
    return ExecuteInput(order=order, price=Decimal(100), volume=Decimal(volume), portfolio=portfolio)


def costs(**said: object) -> TradingCosts:
    return TradingCosts.model_validate({"fee_pct": 1, "slippage_pct": 2, **said})


async def test_a_buy_is_dearer_and_a_sale_cheaper_than_the_last_close_and_both_cost_a_fee() -> None:
    broker = PaperBroker(costs(fee=3))
    bought, sold = await broker.run(given("buy", "1")), await broker.run(given("sell", "1"))
    assert bought.fill
    assert sold.fill
    assert (bought.fill.price, bought.fill.fee, bought.fill.gain) == (Decimal(102), Decimal("4.02"), Decimal("-106.02"))
    assert (sold.fill.price, sold.fill.fee, sold.fill.gain) == (Decimal(98), Decimal("3.98"), Decimal("94.02"))
    assert (bought.status, bought.order_id) == ("executed", "s/1/decision")


async def test_the_same_order_gives_the_same_result() -> None:
    broker = PaperBroker(costs())
    assert await broker.run(given("buy", "1")) == await PaperBroker(costs()).run(given("buy", "1"))


async def test_a_thin_candle_fills_a_part_and_the_rest_is_cancelled() -> None:
    result = await PaperBroker(costs(volume_pct=5)).run(given("buy", "1", volume="10"))
    assert result.fill
    assert result.fill.quantity == Decimal("0.5")
    assert result.detail == "bought 0.50000000 of 1 BTC/USDT at 102.00, fee 0.51000000"


async def test_a_candle_without_trades_fills_nothing() -> None:
    result = await PaperBroker(costs(volume_pct=5)).run(given("buy", "1", volume="0"))
    assert (result.status, result.fill, result.order_id) == ("failed", None, "s/1/decision")


@pytest.mark.parametrize(("side", "quantity"), [("buy", "10"), ("sell", "3")])
async def test_what_is_not_covered_fails_even_when_nobody_validated_it(side: Side, quantity: str) -> None:
    result = await PaperBroker(costs()).run(given(side, quantity))
    assert (result.status, result.fill) == ("failed", None)
    assert "do not cover it" in result.detail


async def test_a_result_changes_the_account_once() -> None:
    sent = given("buy", "1")
    result = await PaperBroker(costs()).run(sent)
    before = sent.portfolio.sent(sent.order)
    after = before.settled(result)
    assert (after.cash, after.held(BTC), after.open_orders) == (Decimal("896.98"), Decimal(3), ())
    assert after.settled(result) == after
    assert before.sent(sent.order) == before


async def test_the_account_is_told_as_the_workflow_hands_it_in() -> None:
    portfolio = Portfolio(cash=Decimal(5), holdings={BTC: Decimal(1)})
    state = await GetPortfolioState().run(BoundPortfolioInput(portfolio=portfolio, equity=Decimal(105)))
    assert (state.cash, state.holdings[BTC], state.equity) == (Decimal(5), Decimal(1), Decimal(105))


async def test_a_portfolio_that_the_workflow_did_not_hand_in_is_refused() -> None:
    with pytest.raises(ToolFailed, match="get_portfolio_state takes a BoundPortfolioInput"):
        await GetPortfolioState().run(PortfolioInput())
