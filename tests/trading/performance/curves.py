"""Curves to be measured: made of the values that a test names, an hour or a day apart."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from quaestor.trading.contracts.results import EquityPoint, PriceSnapshot, Trade

BEGIN = datetime(2024, 1, 1, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def times(count: int, step: timedelta = HOUR) -> tuple[datetime, ...]:
    return tuple(BEGIN + step * place for place in range(count))


def curve(values: Sequence[Decimal | int | str], step: timedelta = HOUR, held: str = "0") -> tuple[EquityPoint, ...]:
    """Points with these values, of which the share `held` is in assets."""
    return tuple(
        EquityPoint(at=at, cash=Decimal(value) * (1 - Decimal(held)), holdings=Decimal(value) * Decimal(held))
        for at, value in zip(times(len(values), step), values, strict=True)
    )


def fill(place: int, side: str, quantity: str, price: str, *, fee: str = "0", asset: str = "BTC") -> Trade:
    return Trade.model_validate(
        {
            "at": BEGIN + HOUR * place,
            "asset": asset,
            "side": side,
            "quantity": Decimal(quantity),
            "price": Decimal(price),
            "fee": Decimal(fee),
        }
    )


def quotes(*prices: dict[str, str], step: timedelta = HOUR) -> tuple[PriceSnapshot, ...]:
    return tuple(
        PriceSnapshot(at=at, prices={asset: Decimal(price) for asset, price in each.items()})
        for at, each in zip(times(len(prices), step), prices, strict=True)
    )
