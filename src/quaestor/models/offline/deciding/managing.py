"""The portfolio manager: buy what is bullish and not held, sell all that is held and bearish, else hold."""

from decimal import Decimal
from math import nextafter

from quaestor.contracts.decision import DecisionGiven, PortfolioDecision, Room, Signal


def manage(given: DecisionGiven) -> PortfolioDecision:
    """Decide about the first asset of the plan, within the room that the limits leave."""
    room = next((room for room in given.room if room.asset == given.plan.assets[0]), None)
    action, quantity = ("hold", 0.0) if room is None else _traded(room, given)
    return PortfolioDecision(
        action=action,
        asset=given.plan.assets[0],
        quantity=quantity,
        confidence=given.report.confidence,
        reasoning=f"The report is {given.report.signal}. {given.report.reasoning}",
        strategy_used=", ".join(given.strategy.rules),
    )


def _traded(room: Room, given: DecisionGiven) -> tuple[str, float]:
    action, most = "hold", Decimal(0)
    if given.report.signal is Signal.BULLISH and not room.held:
        action, most = "buy", room.buy * given.strategy.trade_pct / 100
    elif given.report.signal is Signal.BEARISH and room.held:
        action, most = "sell", room.sell
    quantity = _at_most(most)
    return (action, quantity) if quantity > 0 else ("hold", 0.0)


def _at_most(most: Decimal) -> float:
    """Give the largest number that is not more; a binary fraction can lie above what it stands for."""
    quantity = float(most)
    return quantity if Decimal(str(quantity)) <= most else nextafter(quantity, 0.0)
