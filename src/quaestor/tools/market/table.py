"""Candles in columns: eight bytes a number, found by time in O(log n), given as views that copy nothing."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from quaestor.contracts.market import MILLISECONDS, Series, Timeframe


class Row(NamedTuple):
    """One candle as it was read; `opened` is in milliseconds since the beginning of 1970, in UTC."""

    opened: int
    open: float
    high: float
    low: float
    close: float
    volume: float


def table(asset: str, timeframe: Timeframe, source: str, rows: Iterable[Row]) -> Series:
    """Put rows, which rise in time, into columns that cannot be written."""
    opened, *numbers = zip(*rows, strict=True) if (rows := list(rows)) else [()] * len(Row._fields)
    return Series(
        asset, timeframe, source, _times(array("q", opened)), *(_numbers(array("d", each)) for each in numbers)
    )


def closed_by(candles: Series, upto: int, count: int) -> Series:
    """Give the last candles, at most `count`, that close at `upto` or before; O(log n), whatever the count.

    `upto` is in milliseconds since the beginning of 1970, in UTC.
    """
    end = bisect_right(candles.opened, upto - MILLISECONDS[candles.timeframe])
    part = slice(max(0, end - count), end)
    return Series(
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


def _times(column: "array[int]") -> "memoryview[int]":
    return memoryview(column).toreadonly().cast("B").cast("q")


def _numbers(column: "array[float]") -> "memoryview[float]":
    return memoryview(column).toreadonly().cast("B").cast("d")
