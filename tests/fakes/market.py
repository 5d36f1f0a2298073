"""Candles that never were: a geometric random walk in calm, rising, falling and wild regimes, the same for a seed."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import exp
from pathlib import Path
from random import Random

from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, Timeframe, from_epoch_ms, to_epoch_ms
from quaestor.trading.market.series import CandleRow, build_series

START = datetime(2025, 1, 1, tzinfo=UTC)
_REGIMES = ((0.0, 0.004), (0.0006, 0.006), (-0.0006, 0.008), (0.0, 0.02))
"""Drift and volatility of the logarithm of the price, a candle."""
_STAYS = 0.995
"""The chance that a regime continues with the next candle: it lasts 200 candles on average."""


def rows(
    count: int, seed: int = 1, *, price: float = 40_000.0, start: datetime = START, timeframe: Timeframe = "1h"
) -> Iterator[CandleRow]:
    """Return so many candles, each opening at the close of the one before."""
    chance = Random(seed)
    drift, volatility = _REGIMES[0]
    opened, length = to_epoch_ms(start), TIMEFRAME_MS[timeframe]
    for number in range(count):
        if chance.random() > _STAYS:
            drift, volatility = chance.choice(_REGIMES)
        close = price * exp(chance.gauss(drift, volatility))
        high = max(price, close) * exp(abs(chance.gauss(0, volatility / 2)))
        low = min(price, close) * exp(-abs(chance.gauss(0, volatility / 2)))
        volume = round(chance.expovariate(1 / 50), 4)
        yield CandleRow(opened + number * length, price, high, low, close, volume)
        price = close


def candles(
    count: int, seed: int = 1, asset: str = "BTC/USDT", *, timeframe: Timeframe = "1h", price: float = 40_000.0
) -> CandleSeries:
    """Return so many candles as a series."""
    return build_series(asset, timeframe, f"seed {seed}", rows(count, seed, price=price, timeframe=timeframe))


def write_csv(path: Path, made: Sequence[CandleRow]) -> Path:
    """Write candles with the exact decimals of their numbers and ISO times."""
    lines = [f"{from_epoch_ms(row.opened).isoformat()},{','.join(map(repr, row[1:]))}" for row in made]
    path.write_text("\n".join(["timestamp,open,high,low,close,volume", *lines, ""]), encoding="utf-8")
    return path
