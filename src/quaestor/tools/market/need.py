"""How many candles an indicator needs."""

from functools import lru_cache
from math import ceil
from typing import NamedTuple

from quaestor.contracts.market import Indicator, IndicatorParameters

_FORGETS = 25
"""A share of e to the power of minus this, 1.4e-11, is nothing."""


class Need(NamedTuple):
    """Candles for a first value, and for one that more candles before them would not change."""

    least: int
    settled: int


@lru_cache
def need(indicator: Indicator, parameters: IndicatorParameters) -> Need:
    """Give what an indicator needs; `parameters` are all that it takes.

    An average that goes on from its last value keeps of what was n candles ago (1 - 1/period)^n in the manner of
    Wilder, (1 - 2/(period + 1))^n as an exponential one: less than e^(-n/period) and e^(-2n/(period + 1)).
    """
    taken = parameters.named()
    period, slow, signal, smooth = (int(taken.get(name, 0)) for name in ("period", "slow", "signal", "smooth"))
    match indicator:
        case "sma" | "bollinger" | "obv":
            return Need(period, period)
        case "stochastic":
            least = period + smooth + signal - 2
            return Need(least, least)
        case "ema":
            return Need(period, period + ceil(_FORGETS * (period + 1) / 2))
        case "macd":
            least = slow + signal - 1
            return Need(least, least + ceil(_FORGETS * (slow + signal + 2) / 2))
        case "rsi" | "atr":
            return Need(period + 1, period + 1 + _FORGETS * period)
        case "adx":  # an average of what is made of averages: n times e^(-n) is nothing a little later
            return Need(2 * period, 2 * period + (_FORGETS + 5) * period)
