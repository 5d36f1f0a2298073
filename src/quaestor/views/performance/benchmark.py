"""The curves that a strategy is compared with: the assets bought at the start and kept, and the cash left alone."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from quaestor.contracts.performance import EquityPoint, Quotes
from quaestor.views.performance.returns import YEAR


def buy_and_hold(
    quotes: Sequence[Quotes], equity: Decimal, assets: Sequence[str], cost: Decimal = Decimal(0)
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
        points.append(EquityPoint(at=quote.at, cash=Decimal(0), holdings=_worth(units, last)))
    return tuple(points)


def cash(times: Sequence[datetime], equity: Decimal, risk_free: float = 0.0) -> tuple[EquityPoint, ...]:
    """Leave the equity as cash, which grows by the risk-free return of a year, compounded."""
    growth = Decimal(1 + risk_free)
    return tuple(
        EquityPoint(at=at, cash=equity * growth ** Decimal((at - times[0]) / YEAR), holdings=Decimal(0)) for at in times
    )


def _worth(units: Mapping[str, Decimal], prices: Mapping[str, Decimal]) -> Decimal:
    return sum((quantity * prices[asset] for asset, quantity in units.items()), Decimal(0))
