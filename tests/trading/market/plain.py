"""Indicators in plain Python, number by number, written from their definitions and not from any library's code.

Each gives a list as long as its input, None where there is no value. What the definitions leave open, how an average
begins, is said with each.
"""

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

Line = list[float | None]


def sma(values: Sequence[float], period: int) -> Line:
    """Mean of the last values."""
    return [None if n < period - 1 else sum(values[n - period + 1 : n + 1]) / period for n in range(len(values))]


def ema(values: Sequence[float], period: int, start: int = 0) -> Line:
    """Exponential average, 2/(period + 1) for the newest value; it begins with the mean of the first `period` ones.

    The average that Gerald Appel's MACD is made of; `start` leaves out values before it.
    """
    made: Line = [None] * len(values)
    if len(values) < start + period:
        return made
    last = made[start + period - 1] = sum(values[start : start + period]) / period
    for n in range(start + period, len(values)):
        last = made[n] = values[n] * 2 / (period + 1) + last * (period - 1) / (period + 1)
    return made


def wilder(values: Sequence[float], period: int, start: int = 0) -> Line:
    """Wilder's average: 1/period for the newest value; it begins with the mean of the first `period` ones.

    J. Welles Wilder, New Concepts in Technical Trading Systems (1978).
    """
    made: Line = [None] * len(values)
    if len(values) < start + period:
        return made
    last = made[start + period - 1] = sum(values[start : start + period]) / period
    for n in range(start + period, len(values)):
        last = made[n] = (last * (period - 1) + values[n]) / period
    return made


def rsi(close: Sequence[float], period: int) -> Line:
    """100 - 100/(1 + average gain/average loss). Wilder (1978), section VI."""
    changes = [0.0, *(after - before for before, after in pairwise(close))]
    gains = wilder([max(change, 0.0) for change in changes], period, 1)
    losses = wilder([max(-change, 0.0) for change in changes], period, 1)
    return [
        None
        if gain is None or loss is None or gain + loss == 0
        else 100.0
        if not loss
        else 100 - 100 / (1 + gain / loss)
        for gain, loss in zip(gains, losses, strict=True)
    ]


def macd(close: Sequence[float], fast: int, slow: int, signal: int) -> tuple[Line, Line, Line]:
    """Fast minus slow exponential average, the average of that, and the difference of both.

    Gerald Appel, The Moving Average Convergence-Divergence Trading Method (1979). Both averages have their first
    value at the same candle, and the three lines begin together, with the signal.
    """
    quick, lazy = ema(close, fast, slow - fast), ema(close, slow)
    line: Line = [None if one is None or other is None else one - other for one, other in zip(quick, lazy, strict=True)]
    known = [value for value in line if value is not None]
    signals: Line = [None for value in line if value is None]
    signals += ema(known, signal)
    lines: Line = [None if average is None else value for value, average in zip(line, signals, strict=True)]
    histogram: Line = [
        None if value is None or average is None else value - average
        for value, average in zip(lines, signals, strict=True)
    ]
    return lines, signals, histogram


def bollinger(close: Sequence[float], period: int, deviations: float) -> tuple[Line, Line, Line]:
    """Mean of the last closes, and so many of their deviations (of a population) above and below it.

    John Bollinger, Bollinger on Bollinger Bands (2001).
    """
    upper: Line = []
    lower: Line = []
    middle = sma(close, period)
    for n, mean in enumerate(middle):
        if mean is None:
            upper.append(None)
            lower.append(None)
        else:
            width = deviations * sqrt(sum((each - mean) ** 2 for each in close[n - period + 1 : n + 1]) / period)
            upper.append(mean + width)
            lower.append(mean - width)
    return upper, middle, lower


def true_range(high: Sequence[float], low: Sequence[float], close: Sequence[float]) -> list[float]:
    """Greatest of high - low, and of the distances of high and low from the close before. Wilder (1978), section III.

    The first one has no close before it and is left out of every average.
    """
    return [
        high[n] - low[n] if not n else max(high[n] - low[n], abs(high[n] - close[n - 1]), abs(low[n] - close[n - 1]))
        for n in range(len(close))
    ]


def atr(high: Sequence[float], low: Sequence[float], close: Sequence[float], period: int) -> Line:
    """Wilder's average of the true range. Wilder (1978), section III."""
    return wilder(true_range(high, low, close), period, 1)


def adx(high: Sequence[float], low: Sequence[float], close: Sequence[float], period: int) -> tuple[Line, Line, Line]:
    """Directional movement, its indicators as shares of the true range, and the average of how far they differ.

    Wilder (1978), section IV. Sums are kept in the manner of his work sheet: less a period's part, plus the newest.
    They begin with `period` - 1 movements, the indicators with the next one, the average with the mean of `period`.
    """
    size = len(close)
    up = [0.0] + [high[n] - high[n - 1] for n in range(1, size)]
    down = [0.0] + [low[n - 1] - low[n] for n in range(1, size)]
    rising = [u if u > d and u > 0 else 0.0 for u, d in zip(up, down, strict=True)]
    falling = [d if d > u and d > 0 else 0.0 for u, d in zip(up, down, strict=True)]
    ranges = true_range(high, low, close)
    plus: Line = [None] * size
    minus: Line = [None] * size
    apart: list[float] = []
    made: Line = [None] * size
    sums = [sum(column[1:period]) for column in (rising, falling, ranges)]
    for n in range(period, size):
        newest = (rising[n], falling[n], ranges[n])
        sums = [kept - kept / period + new for kept, new in zip(sums, newest, strict=True)]
        p, m = 100 * sums[0] / sums[2], 100 * sums[1] / sums[2]
        plus[n], minus[n] = p, m
        apart.append(100 * abs(p - m) / (p + m))
    for n, value in enumerate(wilder(apart, period), period):
        made[n] = value
    return made, plus, minus


def stochastic(
    high: Sequence[float], low: Sequence[float], close: Sequence[float], periods: tuple[int, int, int]
) -> tuple[Line, Line]:
    """Where the close lies between the lowest low and the highest high, in percent; averaged, and averaged again.

    George C. Lane, Lane's Stochastics, Technical Analysis of Stocks & Commodities (1984): the slow form.
    """
    period, smooth, signal = periods
    raw = []
    for n in range(period - 1, len(close)):
        lowest, highest = min(low[n - period + 1 : n + 1]), max(high[n - period + 1 : n + 1])
        raw.append(100 * (close[n] - lowest) / (highest - lowest))
    slow = [value for value in sma(raw, smooth) if value is not None]
    lines = sma(slow, signal)
    before: Line = [None] * (len(close) - len(slow))
    k: Line = before + [None if average is None else value for value, average in zip(slow, lines, strict=True)]
    return k, before + lines


def obv(close: Sequence[float], volume: Sequence[float]) -> Line:
    """Sum of the volumes, of falling candles less; it begins with the first volume.

    Joseph E. Granville, Granville's New Key to Stock Market Profits (1963).
    """
    made: Line = [volume[0]]
    total = volume[0]
    for n in range(1, len(close)):
        total += volume[n] if close[n] > close[n - 1] else -volume[n] if close[n] < close[n - 1] else 0.0
        made.append(total)
    return made
