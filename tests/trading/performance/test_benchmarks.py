from datetime import timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.trading.performance.measurement import buy_and_hold_curve, cash_curve
from trading.performance.curves import BEGIN, HOUR, quotes, times

prices = st.lists(st.integers(1, 100_000).map(str), min_size=1, max_size=20)


@given(prices, st.integers(1, 1_000_000))
def test_one_asset_without_cost_grows_as_its_price(found: list[str], equity: int) -> None:
    points = buy_and_hold_curve(quotes(*({"BTC": price} for price in found)), Decimal(equity), ("BTC",))
    assert [float(point.equity) for point in points] == pytest.approx(
        [equity * int(price) / int(found[0]) for price in found]
    )
    assert not any(point.cash for point in points[1:])


def test_assets_are_bought_in_equal_parts() -> None:
    found = quotes({"BTC": "10", "ETH": "1"}, {"BTC": "20", "ETH": "0.5"})
    points = buy_and_hold_curve(found, Decimal(100), ("BTC", "ETH", "BTC"))
    assert [point.equity for point in points] == [100, 125]
    assert [point.at for point in points] == [BEGIN, BEGIN + HOUR]


def test_the_purchase_costs_what_a_purchase_costs() -> None:
    before, after = buy_and_hold_curve(
        quotes({"BTC": "10"}, {"BTC": "10"}), Decimal(101), ("BTC",), cost=Decimal("0.01")
    )
    assert (before.equity, after.equity) == (Decimal(101), Decimal(100))


def test_a_price_that_is_missing_is_the_last_one() -> None:
    found = quotes({"BTC": "10", "ETH": "1"}, {"ETH": "2"}, {}, {"BTC": "12"})
    points = buy_and_hold_curve(found, Decimal(20), ("BTC", "ETH"))
    assert [point.equity for point in points] == [20, 30, 30, 32]


def test_an_asset_without_a_first_price_is_not_bought() -> None:
    points = buy_and_hold_curve(quotes({"BTC": "10"}, {"BTC": "10", "ETH": "1"}), Decimal(10), ("BTC", "ETH"))
    assert [point.equity for point in points] == [10, 10]
    assert buy_and_hold_curve(quotes({"BTC": "10"}), Decimal(10), ("ETH",)) == ()
    assert buy_and_hold_curve((), Decimal(10), ("ETH",)) == ()


def test_cash_stays_or_grows_by_the_rate_of_a_year() -> None:
    assert [point.equity for point in cash_curve(times(3), Decimal(100))] == [100, 100, 100]
    year = timedelta(days=365.25)
    grown = cash_curve((BEGIN, BEGIN + year / 2, BEGIN + year), Decimal(100), 0.21)
    assert [float(point.equity) for point in grown] == pytest.approx([100, 110, 121])
