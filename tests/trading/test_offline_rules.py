"""The roles of a decision cycle by rule: what the numbers say is what is decided."""

from decimal import Decimal

import pytest

from quaestor.models.offline import answer_role, choose_tools
from quaestor.trading.contracts.decision import QuantReport, Signal, TradePlan
from quaestor.trading.contracts.mandate import Strategy
from quaestor.trading.contracts.role_inputs import (
    ComputedValue,
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
    TradeCapacity,
)
from quaestor.trading.offline_rules import choose_tool_calls, decide_trade, offline_rules, plan_trade, report_signal

BTC, ETH = "BTC/USDT", "ETH/USDT"
STEM = f"{BTC} 1h"
RUN = "c1/indicators"


def readings(rsi: float = 50, histogram: float = 0, fast: float = 1, slow: float = 1) -> tuple[ComputedValue, ...]:
    values = {"rsi(14)": rsi, "macd(12,26,9).histogram": histogram, "sma(20)": fast, "sma(50)": slow}
    return tuple(ComputedValue(name=f"{STEM} {name}", value=value, run=RUN) for name, value in values.items())


def quant(*computed: ComputedValue, **strategy: object) -> QuantInput:
    rules = Strategy.model_validate(strategy)
    return QuantInput(quant_question="?", assets=(BTC,), timeframes=("1h",), strategy=rules, readings=computed)


@pytest.mark.parametrize(
    ("computed", "signal", "confidence"),
    [
        (readings(rsi=20, histogram=1, fast=2), "bullish", 1.0),
        (readings(rsi=20), "bullish", 0.6667),
        (readings(rsi=80, histogram=-1, slow=2), "bearish", 1.0),
        (readings(rsi=80, histogram=1, slow=2), "bearish", 0.6667),
        (readings(), "neutral", 0.5),
        (readings(rsi=20, histogram=-1), "neutral", 0.5),
        ((), "uncertain", 0.0),
    ],
)
def test_the_signal_is_the_sum_of_what_the_rules_say(
    computed: tuple[ComputedValue, ...], signal: str, confidence: float
) -> None:
    given = quant(*computed)
    report = report_signal(given)
    assert (report.signal, report.confidence) == (signal, confidence)
    assert given.objections(report) == ()
    assert set(report.technical_indicators) == {one.name for one in computed}


def test_rules_and_their_parameters_are_those_of_the_mandate() -> None:
    rsi = ComputedValue(name=f"{STEM} rsi(7)", value=38, run=RUN)
    assert report_signal(quant(rsi, rules=("rsi",), rsi={"period": 7, "low": 40})).signal == "bullish"
    assert report_signal(quant(rsi, rules=("rsi",), rsi={"period": 7, "low": 30})).signal == "neutral"
    assert report_signal(quant(rsi, rules=("cross",))).signal == "uncertain"


def test_a_number_is_refused_unless_name_value_and_run_are_those_of_a_tool_run() -> None:
    given = quant(*readings(rsi=20))
    report = report_signal(given)
    name = f"{STEM} rsi(14)"
    true = report.technical_indicators[name]
    for false in (true.model_copy(update={"value": 20.1}), true.model_copy(update={"run": "c2/indicators"})):
        assert given.objections(report.model_copy(update={"technical_indicators": {name: false}}))
    assert given.objections(report.model_copy(update={"technical_indicators": {"mood": true}}))


def strategy_given(**said: object) -> StrategyInput:
    usual = {"objective": "Grow.", "assets": (BTC, ETH), "timeframes": ("1h",)}
    return StrategyInput.model_validate({**usual, **said})


def test_each_cycle_plans_one_asset_in_turn() -> None:
    plans = [plan_trade(strategy_given(cycle=cycle)) for cycle in (1, 2, 3)]
    assert [plan.assets for plan in plans] == [(BTC,), (ETH,), (BTC,)]
    assert all(strategy_given().objections(plan) == () for plan in plans)


def test_a_plan_of_what_the_mandate_does_not_name_is_refused() -> None:
    plan = plan_trade(strategy_given()).model_copy(update={"assets": ("X",), "timeframes": ("7h",)})
    assert strategy_given().objections(plan) == (
        "'X' is no asset of this mandate; there is BTC/USDT, ETH/USDT",
        "'7h' is no timeframe of this mandate; there is 1h",
    )


def test_the_strategist_looks_at_both_once_and_the_quant_needs_no_tool() -> None:
    shown = StrategyToolsInput(objective="o", assets=(BTC,), timeframes=("1h",), passes_left=4)
    assert [call.tool for call in choose_tools(offline_rules(), shown)] == [
        "get_portfolio_state",
        "get_market_snapshot",
    ]
    assert choose_tool_calls(shown.model_copy(update={"seen": ("x",)})) == ()
    study = QuantToolsInput(quant_question="?", assets=(BTC,), timeframes=("1h",), steps_left=3)
    assert choose_tools(offline_rules(), study) == ()


def managed(signal: Signal, held: str = "0", buy: str = "4", sell: str = "0") -> DecisionInput:
    room = TradeCapacity(asset=BTC, price=Decimal(100), held=Decimal(held), buy=Decimal(buy), sell=Decimal(sell))
    return DecisionInput(
        objective="Grow.",
        room=(room,),
        plan=TradePlan(objective="o", assets=(BTC,), quant_question="?", timeframes=("1h",)),
        report=QuantReport(signal=signal, confidence=0.8, reasoning="So."),
    )


@pytest.mark.parametrize(
    ("given", "action", "quantity"),
    [
        (managed(Signal.BULLISH), "buy", 2),
        (managed(Signal.BULLISH, held="1"), "hold", 0),
        (managed(Signal.BULLISH, buy="0"), "hold", 0),
        (managed(Signal.BEARISH, held="1.5", sell="1.5"), "sell", 1.5),
        (managed(Signal.BEARISH), "hold", 0),
        (managed(Signal.NEUTRAL, held="1", sell="1"), "hold", 0),
        (managed(Signal.UNCERTAIN), "hold", 0),
    ],
)
def test_what_is_bullish_is_bought_and_what_is_bearish_sold(given: DecisionInput, action: str, quantity: float) -> None:
    decision = decide_trade(given)
    assert (decision.action, decision.quantity, decision.asset) == (action, quantity, BTC)
    assert decision.confidence == 0.8


def test_a_quantity_is_never_rounded_up_above_its_room() -> None:
    most = "123456789.12345679"
    decision = decide_trade(managed(Signal.BEARISH, held=most, sell=most))
    assert 0 < Decimal(str(decision.quantity)) <= Decimal(most)


def test_an_asset_without_room_is_held() -> None:
    assert decide_trade(managed(Signal.BULLISH).model_copy(update={"room": ()})).action == "hold"


def test_the_offline_model_plays_all_three() -> None:
    assert isinstance(answer_role(offline_rules(), strategy_given()), TradePlan)
    assert isinstance(answer_role(offline_rules(), quant()), QuantReport)
    assert answer_role(offline_rules(), managed(Signal.BULLISH)) == decide_trade(managed(Signal.BULLISH))
