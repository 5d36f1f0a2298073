"""Samples of what the roles of a decision session are given."""

from decimal import Decimal

from quaestor.contracts.roles import PromptInput
from quaestor.trading.contracts.decision import QuantReport, Signal, TradePlan
from quaestor.trading.contracts.role_inputs import (
    ComputedValue,
    DecisionInput,
    QuantInput,
    QuantToolsInput,
    StrategyInput,
    StrategyToolsInput,
    TradeCapacity,
)


def samples(place: int) -> tuple[PromptInput, ...]:
    objective, assets, frames, question = "Grow the cash.", ("BTC/USDT",), ("1h",), "Is BTC/USDT oversold?"
    limits, memory = ("max_cash_pct: 50",), ("Next step: Ask again.",)
    market = (f"time: 2026-01-0{place} 12:00 UTC", f"BTC/USDT: 4000{place} USD")
    look = StrategyToolsInput(
        objective=objective,
        assets=assets,
        timeframes=frames,
        constraints=limits,
        memory=memory,
        market=market,
        refused=("get_market_snapshot: no",),
        passes_left=1,
    )
    study = QuantToolsInput(
        quant_question=question,
        assets=assets,
        timeframes=frames,
        expected_outputs=("rsi",),
        readings=(ComputedValue(name="BTC/USDT 1h rsi(14)", value=27.5, run=f"c{place}/indicators"),),
        seen=("sma: too few candles",),
        refused=("python: no",),
        steps_left=3,
    )
    return (
        look,
        StrategyInput.model_validate(
            {**look.model_dump(exclude={"refused", "passes_left"}), "seen": ("get_portfolio_state: {}",)}
        ),
        study,
        QuantInput.model_validate(study.model_dump(exclude={"refused", "steps_left"})),
        DecisionInput(
            objective=objective,
            constraints=limits,
            memory=memory,
            market=market,
            room=(
                TradeCapacity(asset=assets[0], price=Decimal(40_000), held=Decimal(0), buy=Decimal(1), sell=Decimal(0)),
            ),
            plan=TradePlan(objective="Enter well.", assets=assets, quant_question=question, timeframes=frames),
            report=QuantReport(signal=Signal.BULLISH, confidence=0.6, reasoning=f"It is oversold, by {place} rules."),
        ),
    )
