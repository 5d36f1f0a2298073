"""What is measured on fills: turnover, round trips, hit rate, fees."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from quaestor.contracts.immutable import Immutable, replace
from quaestor.trading.contracts.results import EquityPoint, Metric, RoundTrip, Trade, TradeMetrics
from quaestor.trading.performance.curve_metrics import NO_EQUITY, NO_POINTS, NO_ROUND_TRIP, NO_TIME


class MatchedTrades(Immutable):
    """The closed round trips, by asset and then by time, and how many sales had nothing bought before them."""

    trips: tuple[RoundTrip, ...]
    unmatched: int


class _Lot(Immutable):
    """What is left of a fill."""

    fill: Trade
    quantity: Decimal

    def fees(self, quantity: Decimal) -> Decimal:
        return self.fill.fee * quantity / self.fill.quantity


def round_trips(fills: Iterable[Trade]) -> MatchedTrades:
    """Match sales with purchases of the same asset, the first bought with the first sold (FIFO).

    Each purchase that a sale takes from, whole or in part, is one closed round trip. `fills` are in order of time; the
    order of different assets changes nothing.
    """
    matches = [match for _, own in groupby(sorted(fills, key=_asset), _asset) for match in _match_fifo(own)]
    return MatchedTrades(tuple(match for match in matches if match), matches.count(None))


def measure_trades(fills: Sequence[Trade], points: Sequence[EquityPoint], periods_a_year: float | None) -> TradeMetrics:
    """Measure what was traded.

    Turnover is everything traded, purchases and sales, divided by the mean equity of all points; a year's turnover is
    turnover x periods a year / periods. The hit rate is the share of closed round trips that brought more than they
    cost, fees included. Fees and slippage are sums; slippage is in the prices already and is not subtracted again.
    """
    fills = sorted(fills, key=_asset)  # a sum of rounded parts depends on their order
    matched = round_trips(fills)
    won = sum(trip.profit > 0 for trip in matched.trips)
    traded = sum((fill.notional for fill in fills), Decimal(0))
    turnover = _turnover(traded, points)
    return TradeMetrics(
        fills=len(fills),
        traded=traded,
        fees=sum((fill.fee for fill in fills), Decimal(0)),
        slippage=sum((fill.slippage for fill in fills), Decimal(0)),
        turnover=turnover,
        annual_turnover=_annualize(turnover, periods_a_year, len(points) - 1),
        round_trips=len(matched.trips),
        won=won,
        hit_rate=Metric(value=won / len(matched.trips)) if matched.trips else Metric(absent=NO_ROUND_TRIP),
        profit=sum((trip.profit for trip in matched.trips), Decimal(0)),
        unmatched=matched.unmatched,
    )


def _asset(fill: Trade) -> str:
    return fill.asset


def _match_fifo(fills: Iterable[Trade]) -> Iterator[RoundTrip | None]:
    """Return the round trips of one asset, and None for a sale of more than was bought before."""
    held: deque[_Lot] = deque()
    for fill in fills:
        if fill.side == "buy":
            held.append(_Lot(fill, fill.quantity))
            continue
        sold = _Lot(fill, fill.quantity)
        while sold.quantity and held:
            bought = held.popleft()
            quantity = min(bought.quantity, sold.quantity)
            yield _round_trip(bought, sold, quantity)
            sold = replace(sold, quantity=sold.quantity - quantity)
            if bought.quantity > quantity:
                held.appendleft(replace(bought, quantity=bought.quantity - quantity))
        if sold.quantity:
            yield None


def _round_trip(bought: _Lot, sold: _Lot, quantity: Decimal) -> RoundTrip:
    return RoundTrip(
        asset=bought.fill.asset,
        opened_at=bought.fill.at,
        closed_at=sold.fill.at,
        quantity=quantity,
        buy_price=bought.fill.price,
        sell_price=sold.fill.price,
        fees=bought.fees(quantity) + sold.fees(quantity),
    )


def _turnover(traded: Decimal, points: Sequence[EquityPoint]) -> Metric:
    if not points:
        return Metric(absent=NO_POINTS)
    mean = sum((point.equity for point in points), Decimal(0)) / len(points)
    return Metric(value=float(traded / mean)) if mean else Metric(absent=NO_EQUITY)


def _annualize(turnover: Metric, periods_a_year: float | None, periods: int) -> Metric:
    if turnover.value is None:
        return turnover
    return Metric(value=turnover.value * periods_a_year / periods) if periods_a_year else Metric(absent=NO_TIME)
