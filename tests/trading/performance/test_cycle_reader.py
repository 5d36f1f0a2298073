from collections.abc import Sequence
from decimal import Decimal

import pytest

from quaestor.contracts.event import Event, Forked, ToolRequested, ToolResponded
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.results import DecisionCycle
from quaestor.trading.performance.cycle_reader import CycleReader
from trading.performance.curves import BEGIN, HOUR
from trading.performance.rounds import Round, log

ROUNDS = (
    Round("100", "buy", 4),
    Round("110"),
    Round("120", "buy", 90),
    Round("90", "sell", 2),
    Round("95", spoilt="QuantInput"),
    Round("100"),
)


def cycles(events: Sequence[Event], page: int = 10_000) -> list[DecisionCycle]:
    reader = CycleReader()
    found = [cycle for begin in range(0, len(events), page) for cycle in reader.read(events[begin : begin + page])]
    last = reader.last()
    return [*found, last] if last else found


async def test_a_log_tells_what_every_cycle_saw_decided_and_did() -> None:
    found = cycles(await log(ROUNDS))
    assert [cycle.number for cycle in found] == [1, 2, 3, 4, 5, 6]
    assert [cycle.market.at for cycle in found if cycle.market] == [BEGIN + HOUR * place for place in range(6)]
    assert [cycle.report and cycle.report.signal for cycle in found] == ["bullish"] * 4 + [None, "bullish"]
    assert [cycle.decision and cycle.decision.action for cycle in found] == ["buy", "hold", "buy", "sell", None, "hold"]
    assert [cycle.execution and cycle.execution.status for cycle in found] == [
        "executed", "skipped", "rejected", "executed", None, "skipped",
    ]  # fmt: skip
    refused = found[2].validation
    assert refused
    assert [one.rule_id for one in refused.violations] == ["max_cash_pct"]
    assert found[4].failed
    assert found[4].failed.startswith("no usable QuantReport: ")


async def test_a_trade_has_its_cycles_time_and_what_it_lost_to_slippage() -> None:
    first, _, _, second, *_ = cycles(await log(ROUNDS))
    (bought,), (sold,) = first.trades, second.trades
    assert [bought.at, bought.side, bought.quantity, bought.price] == [BEGIN, "buy", 4, 102]
    assert [bought.fee, bought.slippage] == [Decimal("4.08"), 8]
    assert [sold.at, sold.side, sold.quantity, sold.price] == [BEGIN + 3 * HOUR, "sell", 2, Decimal("88.2")]
    assert [sold.fee, sold.slippage] == [Decimal("1.764"), Decimal("3.6")]


async def test_the_trades_explain_the_cash() -> None:
    found = cycles(await log(ROUNDS))
    spent = sum(
        (trade.fee + (trade.notional if trade.side == "buy" else -trade.notional) for c in found for trade in c.trades),
        Decimal(0),
    )
    last = found[-1].market
    assert last
    assert last.portfolio.cash == 1000 - spent


@pytest.mark.parametrize("page", [1, 2, 7, 50])
async def test_pages_of_any_length_tell_the_same(page: int) -> None:
    events = await log(ROUNDS)
    assert cycles(events, page) == cycles(events)


async def test_a_reader_knows_the_cycle_that_goes_on() -> None:
    events = await log(ROUNDS)
    reader = CycleReader()
    assert reader.last() is None
    assert list(reader.read(events[:5])) == []
    last = reader.last()
    assert last
    assert last.number == 1
    assert last.execution is None


async def test_a_market_that_cannot_be_scanned_is_no_point() -> None:
    found = cycles(await log((Round("100"), Round("100", spoilt="scan"))))
    assert found[1].market is None
    assert found[1].failed
    assert "no candle" in found[1].failed


async def test_an_order_the_paper_broker_lost_is_no_trade() -> None:
    found = cycles(await log((Round("100", "buy", 1, spoilt="lost"), Round("100"))))
    assert found[0].execution
    assert (found[0].execution.status, found[0].trades) == ("failed", ())
    assert "went dead" in found[0].execution.detail


async def test_an_order_in_doubt_is_a_trade_once_the_broker_says_so() -> None:
    found = cycles(await log((Round("100", "buy", 1, spoilt="lost"),), broker="exchange", exchange="kraken"))
    assert found[0].execution
    assert found[0].execution.status == "executed"
    assert [trade.slippage for trade in found[0].trades] == [2]


async def test_an_order_that_is_known_late_is_a_trade_of_the_time_it_was_sent() -> None:
    rounds = (Round("100", "buy", 1, spoilt="late"), Round("150"), Round("150"))
    first, second, third = cycles(await log(rounds, broker="exchange", exchange="kraken"))
    assert first.execution
    assert (first.execution.status, first.trades) == ("failed", ())
    assert second.execution
    assert second.execution.status == "skipped"
    assert [[trade.at, trade.price, trade.slippage] for trade in second.trades] == [[BEGIN, 102, 2]]
    assert third.trades == ()


async def test_an_order_that_is_known_late_is_not_what_its_later_cycle_did() -> None:
    rounds = (Round("100", "buy", 1, spoilt="late"), Round("150", spoilt="QuantInput"))
    _, second = cycles(await log(rounds, broker="exchange", exchange="kraken"))
    assert second.execution is None
    assert len(second.trades) == 1


async def test_an_order_that_is_told_twice_is_one_trade() -> None:
    events = await log((Round("100", "buy", 1),))
    told = [event for event in events if isinstance(event.payload, ToolResponded) and event.payload.tool == "execute"]
    place = events.index(told[0])
    (cycle,) = cycles([*events[: place + 1], *told, *events[place + 1 :]])
    assert len(cycle.trades) == 1


async def test_a_fork_goes_on_with_its_own_options() -> None:
    events = await log((Round("100"),))
    reader = CycleReader()
    list(reader.read(events))
    assert reader.options
    fork = reader.options.model_copy(update={"model": "other"})
    forked = Forked(origin="trades", at=len(events), options=fork.model_dump(mode="json"))
    list(reader.read([events[-1].model_copy(update={"payload": forked})]))
    assert reader.options == DecisionOptions.model_validate(fork)


async def test_an_order_that_nobody_heard_of_is_no_trade() -> None:
    events = await log((Round("100", "buy", 1), Round("100")))
    unasked = [event for event in events if not isinstance(event.payload, ToolRequested)]
    assert not any(cycle.trades for cycle in cycles(unasked))
