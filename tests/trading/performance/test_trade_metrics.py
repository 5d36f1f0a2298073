from collections import deque
from decimal import Decimal
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.trading.contracts.results import Trade
from quaestor.trading.performance.curve_metrics import NO_EQUITY, NO_POINTS, NO_ROUND_TRIP, NO_TIME
from quaestor.trading.performance.trade_metrics import measure_trades, round_trips
from trading.performance.curves import curve, fill

orders = st.lists(
    st.tuples(
        st.sampled_from(("buy", "sell")),
        st.integers(1, 5).map(str),
        st.integers(1, 20).map(lambda number: str(Decimal(number) / 7)),
        st.integers(0, 3).map(str),
        st.sampled_from(("BTC", "ETH", "SOL")),
    ),
    max_size=25,
)


def made(found: list[tuple[str, str, str, str, str]]) -> list[Trade]:
    return [
        fill(place, side, quantity, price, fee=fee, asset=asset)
        for place, (side, quantity, price, fee, asset) in enumerate(found)
    ]


def test_the_first_bought_is_the_first_sold() -> None:
    fills = [
        fill(0, "buy", "2", "100", fee="2"),
        fill(1, "buy", "2", "200", fee="4"),
        fill(2, "sell", "3", "150", fee="3"),
    ]
    first, second = round_trips(fills).trips
    assert [first.quantity, first.buy_price, first.sell_price, first.fees, first.profit] == [2, 100, 150, 4, 96]
    assert [second.quantity, second.buy_price, second.sell_price, second.fees, second.profit] == [1, 200, 150, 3, -53]
    assert (first.opened_at, second.opened_at, second.closed_at) == (fills[0].at, fills[1].at, fills[2].at)


def test_a_sale_of_what_was_never_bought_is_counted_and_not_guessed() -> None:
    found = round_trips([fill(0, "sell", "1", "9"), fill(1, "buy", "1", "5"), fill(2, "sell", "2", "8")])
    assert [trip.profit for trip in found.trips] == [3]
    assert found.unmatched == 2


def test_trading_is_measured() -> None:
    fills = [
        fill(0, "buy", "10", "10", fee="1"),
        fill(1, "sell", "5", "12", fee="1"),
        fill(2, "sell", "5", "10.3", fee="1"),
    ]
    figures = measure_trades(fills, curve([100, 110, 120]), 8_766.0)
    assert [figures.fills, figures.traded, figures.fees] == [3, Decimal("211.5"), 3]
    assert figures.turnover.value == pytest.approx(211.5 / 110)
    assert figures.annual_turnover.value == pytest.approx(211.5 / 110 * 8_766 / 2)
    assert (figures.round_trips, figures.won, figures.hit_rate.value) == (2, 1, 0.5)
    assert figures.profit == Decimal("8.5")


def test_a_trip_that_only_earns_its_fees_is_no_hit() -> None:
    figures = measure_trades(
        [fill(0, "buy", "1", "10", fee="1"), fill(1, "sell", "1", "12", fee="1")], curve([1, 1]), 1.0
    )
    assert (figures.round_trips, figures.won, figures.hit_rate.value) == (1, 0, 0)


def test_without_trades_there_is_no_hit_rate_and_a_turnover_of_nothing() -> None:
    figures = measure_trades([], curve([100, 100]), 8_766.0)
    assert figures.hit_rate.absent == NO_ROUND_TRIP
    assert figures.turnover.value == figures.annual_turnover.value == figures.fees == 0


def test_a_turnover_needs_equity_and_time() -> None:
    bought = [fill(0, "buy", "1", "1")]
    assert measure_trades(bought, (), None).turnover.absent == NO_POINTS
    assert measure_trades(bought, curve([0, 0]), 1.0).turnover.absent == NO_EQUITY
    assert measure_trades(bought, curve([0, 0]), 1.0).annual_turnover.absent == NO_EQUITY
    assert measure_trades(bought, curve([1]), None).annual_turnover.absent == NO_TIME


@given(orders)
def test_round_trips_are_those_of_single_units_in_line(found: list[tuple[str, str, str, str, str]]) -> None:
    """Units that stand in line one by one, each with its own share of the fees, give the same profit."""
    lines: dict[str, deque[Decimal]] = {}
    profit, sold, short = Decimal(0), 0, 0
    for each in made(found):
        line = lines.setdefault(each.asset, deque())
        share = each.fee / each.quantity
        for _ in range(int(each.quantity)):
            if each.side == "buy":
                line.append(each.price + share)
            elif line:
                profit += each.price - share - line.popleft()
                sold += 1
            else:
                short += 1
    matched = round_trips(made(found))
    assert sum(trip.quantity for trip in matched.trips) == sold
    assert sum((trip.profit for trip in matched.trips), Decimal(0)) == pytest.approx(profit)
    assert bool(matched.unmatched) == bool(short)


@given(orders, st.randoms(use_true_random=False))
def test_the_order_of_different_assets_changes_nothing(
    found: list[tuple[str, str, str, str, str]],
    chance: Random,
) -> None:
    fills = made(found)
    lines = {asset: deque(each for each in fills if each.asset == asset) for asset in ("BTC", "ETH", "SOL")}
    mixed = []
    while any(lines.values()):
        mixed.append(lines[chance.choice([asset for asset, line in lines.items() if line])].popleft())
    points = curve([100, 120, 90])
    assert measure_trades(mixed, points, 5.0) == measure_trades(fills, points, 5.0)
