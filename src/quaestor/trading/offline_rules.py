"""The three roles without a model: every rule of the strategy votes, and the sum of the votes is the signal."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from math import nextafter
from typing import NamedTuple

from quaestor.contracts.event import ToolCall
from quaestor.contracts.plugin import AnswerRule, OfflineRules, ToolRule
from quaestor.trading.contracts.decision import PortfolioDecision, QuantReport, ReportedValue, Signal, TradePlan
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
from quaestor.views.text import count_noun


def choose_tool_calls(given: StrategyToolsInput) -> tuple[ToolCall, ...]:
    """Look at the portfolio and at the market once."""
    if given.seen or given.refused:
        return ()
    return (
        ToolCall(ref="c1", tool="get_portfolio_state", given={}),
        ToolCall(ref="c2", tool="get_market_snapshot", given={"assets": list(given.assets)}),
    )


def plan_trade(given: StrategyInput) -> TradePlan:
    """Ask what the rules say of one asset; of several, each cycle of the next."""
    asset = given.assets[(given.cycle - 1) % len(given.assets)]
    frame = given.timeframes[0]
    return TradePlan(
        objective=given.objective,
        assets=(asset,),
        quant_question=f"Is {asset} bullish or bearish over {frame} by the rules?",
        timeframes=(frame,),
        expected_outputs=("signal", "confidence"),
    )


ValuesByName = Mapping[str, ComputedValue]


class Vote(NamedTuple):
    """What one rule says: 1 is bullish, -1 bearish, 0 neither; and what it was read from."""

    said: int
    read: tuple[ComputedValue, ...]


def report_signal(given: QuantInput) -> QuantReport:
    """Read the indicators of the first asset; where none could be computed, it is uncertain what they say."""
    computed = {reading.name: reading for reading in given.readings}
    votes = tuple(_strategy_votes(f"{given.assets[0]} {given.timeframes[0]}", given.strategy, computed))
    if not votes:
        return QuantReport(signal=Signal.UNCERTAIN, confidence=0, reasoning="No rule has all its indicators.")
    total = sum(vote.said for vote in votes)
    signal = Signal.BULLISH if total > 0 else Signal.BEARISH if total < 0 else Signal.NEUTRAL
    bullish, bearish = (sum(vote.said == direction for vote in votes) for direction in (1, -1))
    return QuantReport(
        signal=signal,
        confidence=round(0.5 + 0.5 * abs(total) / len(votes), 4),
        reasoning=f"Of {count_noun(len(votes), 'rule')}, bullish: {bullish}, bearish: {bearish}.",
        technical_indicators={
            reading.name: ReportedValue(value=reading.value, run=reading.run) for vote in votes for reading in vote.read
        },
    )


def _strategy_votes(stem: str, strategy: Strategy, computed: ValuesByName) -> Iterator[Vote]:
    for rule in strategy.rules:
        match rule:
            case "rsi":
                vote = _rsi_vote(stem, strategy, computed)
            case "macd":
                vote = _macd_vote(stem, strategy, computed)
            case "cross":
                vote = _cross_vote(stem, strategy, computed)
        if vote:
            yield vote


def _rsi_vote(stem: str, strategy: Strategy, computed: ValuesByName) -> Vote | None:
    rule = strategy.rsi
    read = computed.get(f"{stem} rsi({rule.period})")
    return Vote((read.value < rule.low) - (read.value > rule.high), (read,)) if read else None


def _macd_vote(stem: str, strategy: Strategy, computed: ValuesByName) -> Vote | None:
    rule = strategy.macd
    read = computed.get(f"{stem} macd({rule.fast},{rule.slow},{rule.signal}).histogram")
    return Vote(_sign(read.value), (read,)) if read else None


def _cross_vote(stem: str, strategy: Strategy, computed: ValuesByName) -> Vote | None:
    rule = strategy.cross
    fast, slow = (computed.get(f"{stem} sma({period})") for period in (rule.fast, rule.slow))
    return Vote(_sign(fast.value - slow.value), (fast, slow)) if fast and slow else None


def _sign(number: float) -> int:
    return (number > 0) - (number < 0)


def decide_trade(given: DecisionInput) -> PortfolioDecision:
    """Decide about the first asset of the plan, within the room that the limits leave."""
    room = next((room for room in given.room if room.asset == given.plan.assets[0]), None)
    action, quantity = ("hold", 0.0) if room is None else _trade_size(room, given)
    return PortfolioDecision(
        action=action,
        asset=given.plan.assets[0],
        quantity=quantity,
        confidence=given.report.confidence,
        reasoning=f"The report is {given.report.signal}. {given.report.reasoning}",
        strategy_used=", ".join(given.strategy.rules),
    )


def _trade_size(room: TradeCapacity, given: DecisionInput) -> tuple[str, float]:
    action, most = "hold", Decimal(0)
    if given.report.signal is Signal.BULLISH and not room.held:
        action, most = "buy", room.buy * given.strategy.trade_pct / 100
    elif given.report.signal is Signal.BEARISH and room.held:
        action, most = "sell", room.sell
    quantity = _round_down_to_float(most)
    return (action, quantity) if quantity > 0 else ("hold", 0.0)


def _round_down_to_float(most: Decimal) -> float:
    """Return the largest number that is not more; a binary fraction can lie above what it stands for."""
    quantity = float(most)
    # By its shortest form, as the risk rules will read it.
    return quantity if Decimal(str(quantity)) <= most else nextafter(quantity, 0.0)


def offline_rules() -> OfflineRules:
    """Return the rules of the strategist, the quant and the portfolio manager."""
    return (
        ToolRule(StrategyToolsInput, choose_tool_calls),
        ToolRule(QuantToolsInput, lambda _: ()),
        AnswerRule(StrategyInput, plan_trade),
        AnswerRule(QuantInput, report_signal),
        AnswerRule(DecisionInput, decide_trade),
    )
