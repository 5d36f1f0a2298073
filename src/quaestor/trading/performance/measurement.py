"""The measurement of a run, and of the curves it is compared with: the assets bought and kept, and the cash alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from quaestor.trading.contracts.results import (
    Benchmark,
    BenchmarkComparison,
    CurveMetrics,
    EquityPoint,
    MeasurementBasis,
    Metric,
    Performance,
    PriceSnapshot,
    Trade,
)
from quaestor.trading.performance import curve_metrics, trade_metrics
from quaestor.trading.performance.curve_metrics import NO_EQUITY, NO_POINTS, YEAR
from quaestor.trading.performance.formatting import format_quantity


def buy_and_hold_curve(
    quotes: Sequence[PriceSnapshot], equity: Decimal, assets: Sequence[str], cost: Decimal = Decimal(0)
) -> tuple[EquityPoint, ...]:
    """Buy every asset that has a price at the first time with an equal part of the equity, and keep it.

    The first point is before the purchase, of which `cost` is the share of what is bought that fees and slippage take.
    An asset without a price at a later time keeps its last one. Without a price of any asset at the start there is no
    such curve: the result is empty.
    """
    if not quotes:
        return ()
    first = quotes[0].prices
    bought = [asset for asset in dict.fromkeys(assets) if asset in first]
    if not bought:
        return ()
    part = equity / len(bought) / (1 + cost)
    units = {asset: part / first[asset] for asset in bought}
    points, last = [EquityPoint(at=quotes[0].at, cash=equity, holdings=Decimal(0))], dict(first)
    for quote in quotes[1:]:
        last |= quote.prices
        points.append(EquityPoint(at=quote.at, cash=Decimal(0), holdings=_market_value(units, last)))
    return tuple(points)


def cash_curve(times: Sequence[datetime], equity: Decimal, risk_free: float = 0.0) -> tuple[EquityPoint, ...]:
    """Leave the equity as cash, which grows by the risk-free return of a year, compounded."""
    growth = Decimal(1 + risk_free)
    return tuple(
        EquityPoint(at=at, cash=equity * growth ** Decimal((at - times[0]) / YEAR), holdings=Decimal(0)) for at in times
    )


def _market_value(units: Mapping[str, Decimal], prices: Mapping[str, Decimal]) -> Decimal:
    return sum((quantity * prices[asset] for asset, quantity in units.items()), Decimal(0))


def measure_performance(
    points: Sequence[EquityPoint],
    fills: Sequence[Trade],
    quotes: Sequence[PriceSnapshot],
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
    basis = _measurement_basis(points, risk_free, target)
    times = [point.at for point in points]
    started = points[0].equity
    kept = buy_and_hold_curve(quotes, started, assets, cost)
    curves: tuple[tuple[Benchmark, tuple[EquityPoint, ...], str], ...] = (
        ("buy_and_hold", kept, _buy_and_hold_note(quotes, assets, cost)),
        (
            "cash",
            cash_curve(times, started, risk_free),
            f"the cash left alone, at {risk_free * 100:g} % a year",
        ),
    )
    return Performance(
        basis=basis,
        points=tuple(points),
        figures=measure_curve(points, basis),
        trading=trade_metrics.measure_trades(fills, points, basis.periods_a_year),
        comparisons=tuple(
            BenchmarkComparison(kind=kind, points=curve, figures=measure_curve(curve, basis), note=note)
            for kind, curve, note in curves
            if curve
        ),
    )


def measure_curve(points: Sequence[EquityPoint], basis: MeasurementBasis) -> CurveMetrics:
    """Measure one curve with at least one point."""
    values = [float(point.equity) for point in points]
    a_year = basis.periods_a_year
    return CurveMetrics(
        started_with=points[0].equity,
        ended_with=points[-1].equity,
        total_return=curve_metrics.total_return(values),
        annual_return=curve_metrics.annual_return(values, [point.at for point in points]),
        volatility=curve_metrics.volatility(values, a_year),
        sharpe=curve_metrics.sharpe(values, a_year, basis.risk_free),
        sortino=curve_metrics.sortino(values, a_year, basis.target),
        max_drawdown=curve_metrics.max_drawdown(values),
        fall=curve_metrics.drawdown_dates(points),
        exposure=measure_exposure(points),
        invested=measure_time_invested(points),
    )


def measure_exposure(points: Sequence[EquityPoint]) -> Metric:
    """Measure the mean share of the equity that is held in assets, over all points."""
    if not points:
        return Metric(absent=NO_POINTS)
    if any(point.equity <= 0 for point in points):
        return Metric(absent=NO_EQUITY)
    return Metric(value=float(sum((point.holdings / point.equity for point in points), Decimal(0)) / len(points)))


def measure_time_invested(points: Sequence[EquityPoint]) -> Metric:
    """Measure the share of points at which anything is held."""
    return (
        Metric(value=sum(point.holdings > 0 for point in points) / len(points)) if points else Metric(absent=NO_POINTS)
    )


def _buy_and_hold_note(quotes: Sequence[PriceSnapshot], assets: Sequence[str], cost: Decimal) -> str:
    bought = [asset for asset in dict.fromkeys(assets) if quotes and asset in quotes[0].prices]
    parts = ", each for an equal part of the cash," if bought[1:] else ""
    return (
        f"{', '.join(bought)} bought at the first prices{parts} at a cost of {format_quantity(cost * 100)} %, and kept"
    )


def _measurement_basis(points: Sequence[EquityPoint], risk_free: float, target: float) -> MeasurementBasis:
    return MeasurementBasis(
        begins=points[0].at,
        ends=points[-1].at,
        periods=len(points) - 1,
        periods_a_year=curve_metrics.periods_a_year([point.at for point in points]),
        risk_free=risk_free,
        target=target,
    )
