from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.trading.contracts.results import Drawdown
from quaestor.trading.performance.curve_metrics import (
    NO_POINTS,
    NO_START,
    deepest_drawdown,
    drawdown_dates,
    drawdowns,
    max_drawdown,
)
from trading.performance.curves import BEGIN, HOUR, curve

worths = st.lists(st.integers(0, 1_000), min_size=1, max_size=40).filter(lambda found: found[0] > 0)


def test_the_deepest_fall_is_dated() -> None:
    points = curve([100, 120, 120, 90, 110, 60, 100, 120, 125])
    assert max_drawdown([float(point.equity) for point in points]).value == 0.5
    assert drawdown_dates(points) == Drawdown(
        peak_at=BEGIN + 2 * HOUR, trough_at=BEGIN + 5 * HOUR, recovered_at=BEGIN + 7 * HOUR
    )


def test_a_fall_that_lasts_has_no_recovery() -> None:
    assert drawdown_dates(curve([100, 50, 99])) == Drawdown(peak_at=BEGIN, trough_at=BEGIN + HOUR, recovered_at=None)


def test_of_equal_falls_the_first_is_dated() -> None:
    assert drawdown_dates(curve([100, 50, 100, 50])) == Drawdown(
        peak_at=BEGIN, trough_at=BEGIN + HOUR, recovered_at=BEGIN + 2 * HOUR
    )


def test_a_curve_that_never_falls_has_a_drawdown_of_nothing() -> None:
    assert max_drawdown([1.0, 1.0, 2.0]).value == 0
    assert drawdown_dates(curve([1, 1, 2])) is None


def test_a_curve_of_nothing_has_no_drawdown() -> None:
    assert max_drawdown([]).absent == NO_POINTS
    assert max_drawdown([0.0, 1.0, 0.5]).absent == NO_START
    assert drawdown_dates(()) is None
    assert drawdown_dates(curve([0, 2, 1])) is None


@given(worths)
def test_a_drawdown_is_the_worst_of_all_pairs(worth: list[int]) -> None:
    pairs = [1 - later / earlier for i, earlier in enumerate(worth) for later in worth[i:] if earlier]
    assert max_drawdown([float(each) for each in worth]).value == max(pairs)


@given(worths)
def test_drawdowns_are_those_of_another_computation_and_from_0_to_1(worth: list[int]) -> None:
    found = drawdowns([float(each) for each in worth])
    series = np.array(worth, dtype=float)
    assert found == pytest.approx(1 - series / np.maximum.accumulate(series))
    assert all(0 <= share <= 1 for share in found)


@given(worths, st.integers(-30, 30))
def test_the_unit_of_money_changes_no_drawdown(worth: list[int], power: int) -> None:
    series = [float(each) for each in worth]
    assert deepest_drawdown([each * 2.0**power for each in series]) == deepest_drawdown(series)


@given(worths)
def test_the_dates_of_a_fall_are_in_order_and_give_its_depth(worth: list[int]) -> None:
    points = curve(worth)
    found = drawdown_dates(points)
    at = {point.at: point.equity for point in points}
    if found is None:
        assert worth == sorted(worth)
        return
    depth = max_drawdown([float(each) for each in worth]).value
    assert float(1 - at[found.trough_at] / at[found.peak_at]) == pytest.approx(depth)
    assert found.peak_at < found.trough_at
    after = [point.at for point in points if point.at > found.trough_at and point.equity >= at[found.peak_at]]
    assert found.recovered_at == (after[0] if after else None)
    between = [point.equity for point in points if found.peak_at < point.at < found.trough_at]
    assert all(equity < at[found.peak_at] for equity in between)
    assert at[found.trough_at] < Decimal(max(worth))
