"""Longer candles from shorter ones."""

from collections.abc import Iterator
from math import fsum

from quaestor.contracts.market import Series, Timeframe
from quaestor.tools.market.span import opening, within
from quaestor.tools.market.table import Row, table


def resample(candles: Series, timeframe: Timeframe) -> Series:
    """Give the candles of a longer timeframe, each from all the shorter ones that fill it; where one is missing, none.

    First open, highest high, lowest low, last close, sum of the volumes (rounded once).
    """
    return table(candles.asset, timeframe, candles.source, _filled(candles, timeframe))


def _filled(candles: Series, timeframe: Timeframe) -> Iterator[Row]:
    full = within(timeframe, candles.timeframe)
    start = 0
    times = candles.opened
    while start < len(times):
        begun, end = opening(times[start], timeframe), start + 1
        while end < len(times) and end - start < full and opening(times[end], timeframe) == begun:
            end += 1
        if end - start == full:
            yield _joined(candles, begun, slice(start, end))
        start = end


def _joined(candles: Series, begun: int, part: slice) -> Row:
    return Row(
        opened=begun,
        open=candles.open[part.start],
        high=max(candles.high[part]),
        low=min(candles.low[part]),
        close=candles.close[part.stop - 1],
        volume=fsum(candles.volume[part]),
    )
