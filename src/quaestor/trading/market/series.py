"""Series of candles: where candles open, columns that cannot be written, and candles of longer timeframes."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from math import fsum
from typing import NamedTuple

from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, Timeframe

_DAY = TIMEFRAME_MS["1d"]
_FIRST_MONDAY = 4 * _DAY
"""1970 began on a Thursday."""


def candle_open(milliseconds: int, timeframe: Timeframe) -> int:
    """Return when the candle opened that a time lies in; a time at which one closes lies in the next.

    Times are in milliseconds since the beginning of 1970, in UTC.
    """
    length = TIMEFRAME_MS[timeframe]
    first = _FIRST_MONDAY if timeframe == "1w" else 0
    return milliseconds - (milliseconds - first) % length


def candles_per(longer: Timeframe, shorter: Timeframe) -> int:
    """Return how many candles of a timeframe fill one of another exactly; 0 when they do not."""
    count, rest = divmod(TIMEFRAME_MS[longer], TIMEFRAME_MS[shorter])
    return 0 if rest else count


class CandleRow(NamedTuple):
    """One candle as it was read; `opened` is in milliseconds since the beginning of 1970, in UTC."""

    opened: int
    open: float
    high: float
    low: float
    close: float
    volume: float


def build_series(asset: str, timeframe: Timeframe, source: str, rows: Iterable[CandleRow]) -> CandleSeries:
    """Put rows, which rise in time, into columns that cannot be written."""
    opened, *numbers = zip(*rows, strict=True) if (rows := list(rows)) else [()] * len(CandleRow._fields)
    return CandleSeries(
        asset,
        timeframe,
        source,
        _integer_view(array("q", opened)),
        *(_float_view(array("d", each)) for each in numbers),
    )


def last_closed(candles: CandleSeries, upto: int, count: int) -> CandleSeries:
    """Return the last candles, at most `count`, that close at `upto` or before; O(log n), whatever the count.

    `upto` is in milliseconds since the beginning of 1970, in UTC.
    """
    end = bisect_right(candles.opened, upto - TIMEFRAME_MS[candles.timeframe])
    part = slice(max(0, end - count), end)
    return CandleSeries(
        candles.asset,
        candles.timeframe,
        candles.source,
        candles.opened[part],
        candles.open[part],
        candles.high[part],
        candles.low[part],
        candles.close[part],
        candles.volume[part],
    )


def _integer_view(column: "array[int]") -> "memoryview[int]":
    return memoryview(column).toreadonly().cast("B").cast("q")


def _float_view(column: "array[float]") -> "memoryview[float]":
    return memoryview(column).toreadonly().cast("B").cast("d")


def resample(candles: CandleSeries, timeframe: Timeframe) -> CandleSeries:
    """Return candles of a longer timeframe, each from all the shorter ones that fill it; where one is missing, none.

    First open, highest high, lowest low, last close, sum of the volumes (rounded once).
    """
    return build_series(candles.asset, timeframe, candles.source, _complete_candles(candles, timeframe))


def _complete_candles(candles: CandleSeries, timeframe: Timeframe) -> Iterator[CandleRow]:
    full = candles_per(timeframe, candles.timeframe)
    start = 0
    times = candles.opened
    while start < len(times):
        begun, end = candle_open(times[start], timeframe), start + 1
        while end < len(times) and end - start < full and candle_open(times[end], timeframe) == begun:
            end += 1
        if end - start == full:
            yield _aggregate(candles, begun, slice(start, end))
        start = end


def _aggregate(candles: CandleSeries, begun: int, part: slice) -> CandleRow:
    return CandleRow(
        opened=begun,
        open=candles.open[part.start],
        high=max(candles.high[part]),
        low=min(candles.low[part]),
        close=candles.close[part.stop - 1],
        volume=fsum(candles.volume[part]),
    )
