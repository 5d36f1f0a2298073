"""Where candles open and close."""

from quaestor.contracts.market import MILLISECONDS, Timeframe

_DAY = MILLISECONDS["1d"]
_FIRST_MONDAY = 4 * _DAY
"""1970 began on a Thursday."""


def opening(milliseconds: int, timeframe: Timeframe) -> int:
    """Give when the candle opened that a time lies in; a time at which one closes lies in the next.

    Times are in milliseconds since the beginning of 1970, in UTC.
    """
    length = MILLISECONDS[timeframe]
    first = _FIRST_MONDAY if timeframe == "1w" else 0
    return milliseconds - (milliseconds - first) % length


def within(longer: Timeframe, shorter: Timeframe) -> int:
    """Give how many candles of a timeframe fill one of another exactly; 0 when they do not."""
    count, rest = divmod(MILLISECONDS[longer], MILLISECONDS[shorter])
    return 0 if rest else count
