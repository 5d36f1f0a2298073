"""A run of decisions, measured as a whole and compared with what doing nothing would have brought."""

from collections.abc import Sequence
from decimal import Decimal

from quaestor.contracts.performance import (
    Basis,
    Benchmark,
    Comparison,
    CurveFigures,
    EquityPoint,
    Figure,
    Performance,
    Quotes,
    Trade,
)
from quaestor.views.performance import benchmark, drawdown, returns, trading
from quaestor.views.performance.absence import NO_EQUITY, NO_POINTS, absent, defined
from quaestor.views.performance.words import quantity


def performance(
    points: Sequence[EquityPoint],
    fills: Sequence[Trade],
    quotes: Sequence[Quotes],
    assets: Sequence[str],
    *,
    cost: Decimal = Decimal(0),
    risk_free: float = 0.0,
    target: float = 0.0,
) -> Performance:
    """Measure a run with at least one point.

    `points`, `fills` and `quotes` are in order of time, and there is one of `quotes` for every point; `cost` is what a
    purchase of the buy-and-hold curve costs as a share of it; `risk_free` and `target` are returns of a year.
    """
    basis = _basis(points, risk_free, target)
    times = [point.at for point in points]
    started = points[0].equity
    kept = benchmark.buy_and_hold(quotes, started, assets, cost)
    curves: tuple[tuple[Benchmark, tuple[EquityPoint, ...], str], ...] = (
        ("buy_and_hold", kept, _held(quotes, assets, cost)),
        ("cash", benchmark.cash(times, started, risk_free), f"the cash left alone, at {risk_free * 100:g} % a year"),
    )
    return Performance(
        basis=basis,
        points=tuple(points),
        figures=figures(points, basis),
        trading=trading.measured(fills, points, basis.periods_a_year),
        comparisons=tuple(
            Comparison(kind=kind, points=curve, figures=figures(curve, basis), note=note)
            for kind, curve, note in curves
            if curve
        ),
    )


def figures(points: Sequence[EquityPoint], basis: Basis) -> CurveFigures:
    """Measure one curve with at least one point."""
    values = [float(point.equity) for point in points]
    a_year = basis.periods_a_year
    return CurveFigures(
        started_with=points[0].equity,
        ended_with=points[-1].equity,
        total_return=returns.total_return(values),
        annual_return=returns.annual_return(values, [point.at for point in points]),
        volatility=returns.volatility(values, a_year),
        sharpe=returns.sharpe(values, a_year, basis.risk_free),
        sortino=returns.sortino(values, a_year, basis.target),
        max_drawdown=drawdown.max_drawdown(values),
        fall=drawdown.fall(points),
        exposure=exposure(points),
        invested=invested(points),
    )


def exposure(points: Sequence[EquityPoint]) -> Figure:
    """Measure the mean share of the equity that is held in assets, over all points."""
    if not points:
        return absent(NO_POINTS)
    if any(point.equity <= 0 for point in points):
        return absent(NO_EQUITY)
    return defined(float(sum((point.holdings / point.equity for point in points), Decimal(0)) / len(points)))


def invested(points: Sequence[EquityPoint]) -> Figure:
    """Measure the share of points at which anything is held."""
    return defined(sum(point.holdings > 0 for point in points) / len(points)) if points else absent(NO_POINTS)


def _held(quotes: Sequence[Quotes], assets: Sequence[str], cost: Decimal) -> str:
    bought = [asset for asset in dict.fromkeys(assets) if quotes and asset in quotes[0].prices]
    parts = ", each for an equal part of the cash," if bought[1:] else ""
    return f"{', '.join(bought)} bought at the first prices{parts} at a cost of {quantity(cost * 100)} %, and kept"


def _basis(points: Sequence[EquityPoint], risk_free: float, target: float) -> Basis:
    return Basis(
        begins=points[0].at,
        ends=points[-1].at,
        periods=len(points) - 1,
        periods_a_year=returns.periods_a_year([point.at for point in points]),
        risk_free=risk_free,
        target=target,
    )
