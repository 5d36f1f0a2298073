"""Return, volatility, and the ratios of Sharpe and Sortino, measured on the values of a curve.

All take the values in order of time, and give a `Figure`, so that what is not defined says why. A year has 365.25 days.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import fsum, sqrt

from quaestor.contracts.performance import Figure
from quaestor.views.performance.absence import (
    NEVER_BELOW,
    NO_POINTS,
    NO_START,
    NO_TIME,
    ONE_POINT,
    ONE_RETURN,
    RUINED,
    SHORT,
    STILL,
    absent,
    defined,
)

YEAR = timedelta(days=365.25)
NEARLY_A_YEAR = timedelta(days=364)
"""A year of hourly or daily points is one period shorter than a year, and may have one day less than another."""
_ROUNDING = 1e-12
"""Deviations below this are the rounding of a division, not a movement: a return is exact to about 2e-16."""


def periods_a_year(times: Sequence[datetime]) -> float | None:
    """Count how many periods a year has at the mean distance of these times: periods / (last - first) in years.

    Counting what there is, and not what a calendar promises, fits markets that close and markets that do not. None
    when no time passes.
    """
    span = times[-1] - times[0] if times else timedelta(0)
    return (len(times) - 1) * (YEAR / span) if span else None


def per_period(annual: float, periods: float) -> float:
    """Give the return of one period that compounds to an annual one: (1 + annual)^(1 / periods) - 1."""
    return float((1 + annual) ** (1 / periods)) - 1


def total_return(values: Sequence[float]) -> Figure:
    """Measure the return over all: last / first - 1."""
    if why := _no_period(values) or _no_start(values):
        return absent(why)
    return defined(values[-1] / values[0] - 1)


def annual_return(values: Sequence[float], times: Sequence[datetime]) -> Figure:
    """Measure the compound return of a year: (last / first)^(1 / years) - 1.

    A curve shorter than a year has none (Global Investment Performance Standards 2010, 5.A.4: returns for periods of
    less than one year must not be annualised).
    """
    if why := _no_period(values) or _no_start(values):
        return absent(why)
    span = times[-1] - times[0]
    if span < NEARLY_A_YEAR:
        return absent(SHORT)
    return defined(float((values[-1] / values[0]) ** (YEAR / span)) - 1)


def volatility(values: Sequence[float], periods: float | None) -> Figure:
    """Measure the volatility of a year: the sample standard deviation of the period returns x sqrt(periods a year)."""
    if why := _no_deviation(values):
        return absent(why)
    return defined(_deviation(_returns(values)) * sqrt(periods)) if periods else absent(NO_TIME)


def sharpe(values: Sequence[float], periods: float | None, risk_free: float = 0.0) -> Figure:
    """Measure Sharpe's ratio of a year, ex post.

    With D = r - f for every period return r and the risk-free return f of a period: mean(D) / s(D) x sqrt(periods a
    year), where s is the sample standard deviation, which divides by T - 1. W. F. Sharpe, "The Sharpe Ratio", Journal
    of Portfolio Management 21(1), 1994, 49-58, equations 4 to 6 and "Time dependence", which takes the returns of
    different periods to be independent of each other.
    """
    if why := _no_deviation(values):
        return absent(why)
    if not periods:
        return absent(NO_TIME)
    free = per_period(risk_free, periods)
    differences = [each - free for each in _returns(values)]
    deviation = _deviation(differences)
    return defined(_mean(differences) / deviation * sqrt(periods)) if deviation > _ROUNDING else absent(STILL)


def sortino(values: Sequence[float], periods: float | None, target: float = 0.0) -> Figure:
    """Measure Sortino's ratio of a year.

    With the target return t of a period: (mean(r) - t) / d x sqrt(periods a year), where the downside deviation
    d = sqrt(sum(min(0, r - t)^2) / T) is taken over all T periods, not only over those below the target. F. A. Sortino
    and L. N. Price, "Performance Measurement in a Downside Risk Framework", Journal of Investing 3(3), 1994, 59-64.
    """
    if why := _no_returns(values):
        return absent(why)
    if not periods:
        return absent(NO_TIME)
    aim = per_period(target, periods)
    differences = [each - aim for each in _returns(values)]
    downside = sqrt(fsum(min(0.0, each) ** 2 for each in differences) / len(differences))
    return defined(_mean(differences) / downside * sqrt(periods)) if downside > _ROUNDING else absent(NEVER_BELOW)


def _returns(values: Sequence[float]) -> list[float]:
    """Give the simple return of every period: this value / the one before - 1."""
    return [later / earlier - 1 for earlier, later in pairwise(values)]


def _mean(numbers: Sequence[float]) -> float:
    return fsum(numbers) / len(numbers)


def _deviation(numbers: Sequence[float]) -> float:
    mean = _mean(numbers)
    return sqrt(fsum((each - mean) ** 2 for each in numbers) / (len(numbers) - 1))


def _no_period(values: Sequence[object]) -> str | None:
    match len(values):
        case 0:
            return NO_POINTS
        case 1:
            return ONE_POINT
        case _:
            return None


def _no_start(values: Sequence[float]) -> str | None:
    return None if values[0] > 0 else NO_START


def _no_returns(values: Sequence[float]) -> str | None:
    return _no_period(values) or _no_start(values) or (RUINED if min(values[:-1]) <= 0 else None)


def _no_deviation(values: Sequence[float]) -> str | None:
    return _no_returns(values) or (ONE_RETURN if len(values[1:]) == 1 else None)
