"""What is measured on an equity curve: returns, deviations and drawdowns; or why a figure is not defined."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from math import fsum, sqrt
from statistics import fmean

from quaestor.contracts.immutable import Immutable
from quaestor.trading.contracts.results import Drawdown, EquityPoint, Metric

NO_POINTS = "there is no point of the curve"
ONE_POINT = "there is one point of the curve, so no period"
ONE_RETURN = "there is one period, and a deviation needs two"
NO_START = "the curve starts at zero"
EQUITY_LOST = "the equity fell to zero, and no return follows on that"
NO_TIME = "all points are of one time"
NO_VARIATION = "the returns do not vary"
NO_DOWNSIDE = "no period fell below the target"
UNDER_A_YEAR = "the curve is shorter than a year"
NO_EQUITY = "there was no equity"
NO_ROUND_TRIP = "no round trip was closed"


YEAR = timedelta(days=365.25)
MIN_ANNUAL_SPAN = timedelta(days=364)
"""A year of hourly or daily points is one period shorter than a year, and may have one day less than another."""
_ZERO_TOLERANCE = 1e-12
"""Deviations below this are the rounding of a division, not a movement: a return is exact to about 2e-16."""


def periods_a_year(times: Sequence[datetime]) -> float | None:
    """Count how many periods a year has at the mean distance of these times: periods / (last - first) in years.

    Counting what there is, and not what a calendar promises, fits markets that close and markets that do not. None
    when no time passes.
    """
    span = times[-1] - times[0] if times else timedelta(0)
    return (len(times) - 1) * (YEAR / span) if span else None


def period_return(annual: float, periods: float) -> float:
    """Return the return of one period that compounds to an annual one: (1 + annual)^(1 / periods) - 1."""
    return float((1 + annual) ** (1 / periods)) - 1


def total_return(values: Sequence[float]) -> Metric:
    """Measure the return over all: last / first - 1."""
    if why := _missing_period(values) or _missing_start(values):
        return Metric(absent=why)
    return Metric(value=values[-1] / values[0] - 1)


def annual_return(values: Sequence[float], times: Sequence[datetime]) -> Metric:
    """Measure the compound return of a year: (last / first)^(1 / years) - 1.

    A curve shorter than a year has none (Global Investment Performance Standards 2010, 5.A.4: returns for periods of
    less than one year must not be annualised).
    """
    if why := _missing_period(values) or _missing_start(values):
        return Metric(absent=why)
    span = times[-1] - times[0]
    if span < MIN_ANNUAL_SPAN:
        return Metric(absent=UNDER_A_YEAR)
    return Metric(value=float((values[-1] / values[0]) ** (YEAR / span)) - 1)


def volatility(values: Sequence[float], periods: float | None) -> Metric:
    """Measure the volatility of a year: the sample standard deviation of the period returns x sqrt(periods a year)."""
    if why := _missing_deviation(values):
        return Metric(absent=why)
    return Metric(value=_sample_deviation(_returns(values)) * sqrt(periods)) if periods else Metric(absent=NO_TIME)


def sharpe(values: Sequence[float], periods: float | None, risk_free: float = 0.0) -> Metric:
    """Measure Sharpe's ratio of a year, ex post.

    With D = r - f for every period return r and the risk-free return f of a period: mean(D) / s(D) x sqrt(periods a
    year), where s is the sample standard deviation, which divides by T - 1. W. F. Sharpe, "The Sharpe Ratio", Journal
    of Portfolio Management 21(1), 1994, 49-58, equations 4 to 6 and "Time dependence", which takes the returns of
    different periods to be independent of each other.
    """
    if why := _missing_deviation(values):
        return Metric(absent=why)
    if not periods:
        return Metric(absent=NO_TIME)
    free = period_return(risk_free, periods)
    differences = [each - free for each in _returns(values)]
    deviation = _sample_deviation(differences)
    return (
        Metric(value=fmean(differences) / deviation * sqrt(periods))
        if deviation > _ZERO_TOLERANCE
        else Metric(absent=NO_VARIATION)
    )


def sortino(values: Sequence[float], periods: float | None, target: float = 0.0) -> Metric:
    """Measure Sortino's ratio of a year.

    With the target return t of a period: (mean(r) - t) / d x sqrt(periods a year), where the downside deviation
    d = sqrt(sum(min(0, r - t)^2) / T) is taken over all T periods, not only over those below the target. F. A. Sortino
    and L. N. Price, "Performance Measurement in a Downside Risk Framework", Journal of Investing 3(3), 1994, 59-64.
    """
    if why := _missing_returns(values):
        return Metric(absent=why)
    if not periods:
        return Metric(absent=NO_TIME)
    aim = period_return(target, periods)
    differences = [each - aim for each in _returns(values)]
    downside = sqrt(fsum(min(0.0, each) ** 2 for each in differences) / len(differences))
    return (
        Metric(value=fmean(differences) / downside * sqrt(periods))
        if downside > _ZERO_TOLERANCE
        else Metric(absent=NO_DOWNSIDE)
    )


def _returns(values: Sequence[float]) -> list[float]:
    """Return the simple return of every period: this value / the one before - 1."""
    return [later / earlier - 1 for earlier, later in pairwise(values)]


def _sample_deviation(numbers: Sequence[float]) -> float:
    mean = fmean(numbers)
    return sqrt(fsum((each - mean) ** 2 for each in numbers) / (len(numbers) - 1))


def _missing_period(values: Sequence[object]) -> str | None:
    match len(values):
        case 0:
            return NO_POINTS
        case 1:
            return ONE_POINT
        case _:
            return None


def _missing_start(values: Sequence[float]) -> str | None:
    return None if values[0] > 0 else NO_START


def _missing_returns(values: Sequence[float]) -> str | None:
    return _missing_period(values) or _missing_start(values) or (EQUITY_LOST if min(values[:-1]) <= 0 else None)


def _missing_deviation(values: Sequence[float]) -> str | None:
    return _missing_returns(values) or (ONE_RETURN if len(values[1:]) == 1 else None)


class DrawdownSpan(Immutable):
    """The deepest fall, by the places of its points; both places are equal when the curve never fell."""

    share: float
    peak: int
    trough: int


def drawdowns(values: Sequence[float]) -> tuple[float, ...]:
    """Return for every value the share that is lost since the highest one so far: 1 - value / peak, from 0 to 1."""
    return tuple(
        1 - value / peak if peak > 0 else 0.0 for value, peak in zip(values, accumulate(values, max), strict=True)
    )


def deepest_drawdown(values: Sequence[float]) -> DrawdownSpan:
    """Find the deepest fall of a curve with at least one value; of equal ones the first."""
    shares = drawdowns(values)
    trough = max(range(len(values)), key=shares.__getitem__)
    before = values[: trough + 1]
    peak = trough - before[::-1].index(max(before))
    return DrawdownSpan(shares[trough], peak, trough)


def max_drawdown(values: Sequence[float]) -> Metric:
    """Measure the maximum drawdown: the largest share that was lost from a peak to a later trough.

    MDD = max over t of (1 - V(t) / max over s <= t of V(s)). M. Magdon-Ismail and A. Atiya, "Maximum Drawdown", Risk
    17(10), 2004, 99-102, here as a share of the peak. 0 when the curve never fell.
    """
    if not values:
        return Metric(absent=NO_POINTS)
    return Metric(value=deepest_drawdown(values).share) if values[0] > 0 else Metric(absent=NO_START)


def drawdown_dates(points: Sequence[EquityPoint]) -> Drawdown | None:
    """Date the deepest fall: its peak, its trough, and when the peak was reached again. None when there is none."""
    if not points or points[0].equity <= 0:
        return None
    values = [float(point.equity) for point in points]
    depth = deepest_drawdown(values)
    if depth.peak == depth.trough:
        return None
    recovered = (point.at for point in points[depth.trough :] if point.equity >= points[depth.peak].equity)
    return Drawdown(
        peak_at=points[depth.peak].at, trough_at=points[depth.trough].at, recovered_at=next(recovered, None)
    )
