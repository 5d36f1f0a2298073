import math
from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaestor.trading.contracts.results import Metric
from quaestor.trading.performance.curve_metrics import (
    EQUITY_LOST,
    NO_DOWNSIDE,
    NO_POINTS,
    NO_START,
    NO_TIME,
    NO_VARIATION,
    ONE_POINT,
    ONE_RETURN,
    UNDER_A_YEAR,
    annual_return,
    period_return,
    periods_a_year,
    sharpe,
    sortino,
    total_return,
    volatility,
)
from trading.performance.curves import BEGIN, DAY, HOUR, times

HOURS = 8766.0
"""Hours of a year of 365.25 days."""
values = st.lists(st.integers(1_000, 1_000_000).map(lambda cents: cents / 100), min_size=3, max_size=60)
rates = st.sampled_from((0.0, 0.04, 0.3, -0.05))


def close(figure: Metric, expected: float) -> bool:
    return figure.value == pytest.approx(expected, rel=1e-9, abs=1e-12)


def varying(series: Sequence[float]) -> bool:
    """Whether returns differ, and some are below every rate of `rates`, by more than rounding."""
    changes = np.diff(np.log(series))
    return bool(np.ptp(changes) > 1e-6) and bool(changes.min() < -1e-4)


def test_periods_a_year_are_counted_at_their_mean_length() -> None:
    assert periods_a_year(times(8_767, HOUR)) == HOURS
    assert periods_a_year((BEGIN, BEGIN + HOUR, BEGIN + 4 * HOUR)) == HOURS / 2
    assert periods_a_year((BEGIN, BEGIN)) is None
    assert periods_a_year(()) is None


def test_a_year_of_twelve_months_is_reckoned_as_by_hand() -> None:
    """A mean of 1 % a month with a deviation of 2 % is a ratio of 0.5 a month, and 0.5 x sqrt(12) a year."""
    changes = (0.03, -0.01) * 6
    series = [100.0, *(100.0 * float(np.prod([1 + change for change in changes[: k + 1]])) for k in range(12))]
    months = periods_a_year(times(13, timedelta(days=365.25 / 12)))
    deviation = 0.02 * math.sqrt(12 / 11)
    assert close(volatility(series, months), deviation * math.sqrt(12))
    assert close(sharpe(series, months), 0.01 / deviation * math.sqrt(12))
    assert close(sortino(series, months), 0.01 / math.sqrt(0.01**2 / 2) * math.sqrt(12))


@given(values, rates)
def test_the_ratios_are_those_of_another_computation(series: list[float], rate: float) -> None:
    assume(varying(series))
    change = np.diff(series) / np.array(series[:-1])
    free = np.expm1(np.log1p(rate) / HOURS)
    down = np.clip(change - free, None, 0)
    assert close(total_return(series), float(np.prod(1 + change) - 1))
    assert close(volatility(series, HOURS), float(np.std(change, ddof=1) * np.sqrt(HOURS)))
    assert close(sharpe(series, HOURS, rate), float(np.mean(change - free) / np.std(change, ddof=1) * np.sqrt(HOURS)))
    assert close(
        sortino(series, HOURS, rate), float(np.mean(change - free) / np.sqrt(np.mean(down**2)) * np.sqrt(HOURS))
    )


@given(values, st.integers(-20, 20), rates)
def test_the_unit_of_money_changes_no_ratio(series: list[float], power: int, rate: float) -> None:
    other = [value * 2.0**power for value in series]
    assert total_return(other) == total_return(series)
    assert volatility(other, HOURS) == volatility(series, HOURS)
    assert sharpe(other, HOURS, rate) == sharpe(series, HOURS, rate)
    assert sortino(other, HOURS, rate) == sortino(series, HOURS, rate)


@given(values)
def test_what_gains_in_every_period_has_no_downside(series: list[float]) -> None:
    rising = np.cumsum(series).tolist()
    assert sortino(rising, HOURS).absent == NO_DOWNSIDE


@given(st.integers(-9, 20).map(lambda percent: percent / 10), st.integers(364, 3_000))
def test_an_annual_return_compounds_to_the_total_one(rate: float, days: int) -> None:
    series = [1_000.0 * (1 + rate) ** (day / 365.25) for day in (0, days // 2, days)]
    found = annual_return(series, (BEGIN, BEGIN + DAY, BEGIN + days * DAY))
    assert close(found, rate)


def test_a_return_over_less_than_a_year_is_not_annualised() -> None:
    assert annual_return([100.0, 110.0], (BEGIN, BEGIN + 363 * DAY)).absent == UNDER_A_YEAR
    assert annual_return([100.0] * 8_760, times(8_760)).value == 0
    assert annual_return([0.0, 1.0], times(2)).absent == NO_START


@given(rates, st.sampled_from((12.0, 252.0, HOURS)))
def test_the_return_of_a_period_compounds_to_that_of_a_year(rate: float, periods: float) -> None:
    assert (1 + period_return(rate, periods)) ** periods == pytest.approx(1 + rate)


@pytest.mark.parametrize("measure", [volatility, sharpe, sortino])
def test_what_has_no_meaning_says_why(measure: object) -> None:
    assert callable(measure)
    assert measure([], HOURS).absent == NO_POINTS
    assert measure([1.0], HOURS).absent == ONE_POINT
    assert measure([0.0, 1.0, 2.0], HOURS).absent == NO_START
    assert measure([2.0, 0.0, 1.0, 0.5], HOURS).absent == EQUITY_LOST
    assert measure([2.0, 1.0, 2.0], None).absent == NO_TIME


def test_one_period_has_no_deviation() -> None:
    assert volatility([1.0, 2.0], HOURS).absent == ONE_RETURN
    assert sharpe([1.0, 2.0], HOURS).absent == ONE_RETURN


@given(st.floats(1, 1e9), st.sampled_from((0.0, 0.001, -0.001)), st.integers(3, 300), rates)
def test_what_does_not_vary_has_no_sharpe_ratio(start: float, change: float, count: int, rate: float) -> None:
    series = [start * (1 + change) ** place for place in range(count)]
    assert sharpe(series, HOURS, rate).absent == NO_VARIATION


def test_losing_everything_at_the_end_is_a_return() -> None:
    assert total_return([4.0, 2.0, 0.0]).value == -1
    assert close(volatility([4.0, 2.0, 0.0], 4.0), math.sqrt(0.125) * 2)
