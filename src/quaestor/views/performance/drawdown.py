"""How far a curve stands below its highest value so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from quaestor.contracts.performance import EquityPoint, Fall, Figure
from quaestor.views.performance.absence import NO_POINTS, NO_START, absent, defined


@dataclass(frozen=True, slots=True)
class Depth:
    """The deepest fall, by the places of its points; both places are equal when the curve never fell."""

    share: float
    peak: int
    trough: int


def drawdowns(values: Sequence[float]) -> tuple[float, ...]:
    """Give for every value the share that is lost since the highest one so far: 1 - value / peak, from 0 to 1."""
    return tuple(
        1 - value / peak if peak > 0 else 0.0 for value, peak in zip(values, accumulate(values, max), strict=True)
    )


def deepest(values: Sequence[float]) -> Depth:
    """Find the deepest fall of a curve with at least one value; of equal ones the first."""
    shares = drawdowns(values)
    trough = max(range(len(values)), key=shares.__getitem__)
    before = values[: trough + 1]
    peak = trough - before[::-1].index(max(before))
    return Depth(shares[trough], peak, trough)


def max_drawdown(values: Sequence[float]) -> Figure:
    """Measure the maximum drawdown: the largest share that was lost from a peak to a later trough.

    MDD = max over t of (1 - V(t) / max over s <= t of V(s)). M. Magdon-Ismail and A. Atiya, "Maximum Drawdown", Risk
    17(10), 2004, 99-102, here as a share of the peak. 0 when the curve never fell.
    """
    if not values:
        return absent(NO_POINTS)
    return defined(deepest(values).share) if values[0] > 0 else absent(NO_START)


def fall(points: Sequence[EquityPoint]) -> Fall | None:
    """Date the deepest fall: its peak, its trough, and when the peak was reached again. None when there is none."""
    if not points or points[0].equity <= 0:
        return None
    values = [float(point.equity) for point in points]
    depth = deepest(values)
    if depth.peak == depth.trough:
        return None
    recovered = (point.at for point in points[depth.trough :] if point.equity >= points[depth.peak].equity)
    return Fall(peak_at=points[depth.peak].at, trough_at=points[depth.trough].at, recovered_at=next(recovered, None))
