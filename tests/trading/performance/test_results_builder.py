from collections.abc import Sequence
from decimal import Decimal

import pytest

from quaestor.contracts.event import Event
from quaestor.trading.contracts.mandate import DecisionOptions, TradingCosts
from quaestor.trading.contracts.results import DecisionCycle, DecisionResults
from quaestor.trading.performance.cycle_reader import CycleReader
from quaestor.trading.performance.results_builder import ResultsBuilder, purchase_cost
from trading.performance.curves import BEGIN, fill
from trading.performance.rounds import SESSION, Round, log, mandate


def recorded(events: Sequence[Event], risk_free: float = 0, target: float = 0) -> DecisionResults:
    reader = CycleReader()
    found = list(reader.read(events))
    assert reader.options
    gathering = ResultsBuilder(reader.options)
    for cycle in (*found, reader.last()):
        assert cycle
        gathering.add(cycle)
    return gathering.record(SESSION, risk_free=risk_free, target=target)


async def test_a_session_is_measured_beside_holding_and_cash() -> None:
    rounds = (
        Round("100", "buy", 4),
        Round("110"),
        Round("120", "buy", 90),
        Round("90", "sell", 4),
        Round("95", spoilt="QuantInput"),
        Round("100"),
    )
    record = recorded(await log(rounds))
    measured = record.performance
    assert measured
    cash = 1000 - 4 * 102 - Decimal("4.08")
    sold = 4 * Decimal("88.2") * Decimal("0.99")
    worth = [1000, cash + 440, cash + 480, cash + 360, cash + sold, cash + sold]
    assert [point.equity for point in measured.points] == worth
    held, left = measured.comparisons
    units = 1000 / (Decimal("1.02") * Decimal("1.01")) / 100
    assert held.kind == "buy_and_hold"
    assert [float(point.equity) for point in held.points] == pytest.approx(
        [1000, *(float(units * price) for price in (110, 120, 90, 95, 100))]
    )
    assert left.kind == "cash"
    assert [point.equity for point in left.points] == [1000] * 6
    assert (measured.trading.round_trips, measured.trading.won) == (1, 0)
    assert measured.trading.profit == measured.points[-1].equity - 1000
    assert measured.trading.slippage == 4 * 2 + 4 * Decimal("1.8")
    tally = record.tally
    assert (tally.cycles, tally.failed, tally.signals) == (6, 1, {"bullish": 5})
    assert tally.decisions == {"buy": 2, "hold": 2, "sell": 1}
    assert tally.executions == {"executed": 2, "rejected": 1, "skipped": 2}
    (broken,) = tally.violations
    assert (broken.rule_id, broken.errors, broken.warnings) == ("max_cash_pct", 1, 0)


async def test_a_session_that_saw_no_market_is_counted_and_not_measured() -> None:
    record = recorded(await log((Round("100", spoilt="scan"),)))
    assert (record.performance, record.tally.cycles, record.tally.failed) == (None, 1, 1)


async def test_what_had_no_price_is_counted() -> None:
    record = recorded(await log((Round("100"), Round("100")), assets=("BTC", "ETH")))
    assert record.tally.unpriced == {"ETH": 2}
    assert record.performance
    held = record.performance.comparisons[0]
    assert held.note.startswith("BTC bought at the first prices at a cost")


def test_a_trade_that_is_known_late_stands_at_its_time() -> None:
    first, second = fill(0, "buy", "1", "10"), fill(1, "sell", "1", "12")
    gathering = ResultsBuilder(DecisionOptions(mandate=mandate()))
    for number, trade in enumerate((second, first)):
        gathering.add(DecisionCycle(number=number + 1, began_at=BEGIN, trades=(trade,)))
    assert gathering.record(SESSION).trades == (first, second)


async def test_cash_grows_at_the_risk_free_rate() -> None:
    record = recorded(await log((Round("100"), Round("100"))), risk_free=0.1, target=0.2)
    assert record.performance
    assert (record.performance.basis.risk_free, record.performance.basis.target) == (0.1, 0.2)
    assert record.performance.comparisons[1].figures.ended_with > 1000


def test_a_purchase_costs_its_slippage_and_the_fee_on_both() -> None:
    costs = TradingCosts(fee_pct=Decimal(1), slippage_pct=Decimal(2))
    cost = purchase_cost(costs)
    fill = costs.fill("BTC", "buy", Decimal(10), Decimal(100))
    assert -fill.gain == 1000 * (1 + cost)
    assert mandate().costs == costs
