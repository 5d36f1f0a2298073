"""Indicators by TA-Lib; needs the extra `market`. Their formulas and sources stand in docs/market.md."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
import talib
from numpy.typing import NDArray

from quaestor.trading.contracts.indicators import Indicator, IndicatorParameters
from quaestor.trading.contracts.market import CandleSeries

FloatArray: TypeAlias = NDArray[np.float64]


def compute_indicator(
    indicator: Indicator, parameters: IndicatorParameters, series: CandleSeries
) -> Mapping[str, FloatArray]:
    """Return the outputs of an indicator by name, a number a candle; NaN where there is no value.

    There is none before enough candles, and none where the formula divides nothing by nothing: an RSI of a price
    that never moved, a stochastic of candles that all have one price. `parameters` are all that the indicator takes.
    """
    columns = (series.high, series.low, series.close, series.volume)
    high, low, close, volume = (np.asarray(column, np.float64) for column in columns)
    taken = parameters.named()
    period, fast, slow, signal, smooth = (int(taken.get(name, 0)) for name in _INTEGER_PARAMETERS)
    match indicator:
        case "sma":
            return {"sma": talib.SMA(close, period)}
        case "ema":
            return {"ema": talib.EMA(close, period)}
        case "rsi":
            return {"rsi": _mask_before_first_move(talib.RSI(close, period), close)}
        case "macd":
            return _zip_outputs(("macd", "signal", "histogram"), talib.MACD(close, fast, slow, signal))
        case "bollinger":
            width = taken["deviations"]
            return _zip_outputs(("upper", "middle", "lower"), talib.BBANDS(close, period, width, width))
        case "atr":
            return {"atr": talib.ATR(high, low, close, period)}
        case "adx":
            made = [function(high, low, close, period) for function in (talib.ADX, talib.PLUS_DI, talib.MINUS_DI)]
            return _zip_outputs(("adx", "plus_di", "minus_di"), made)
        case "stochastic":
            lines = talib.STOCH(high, low, close, period, smooth, slowd_period=signal)
            flat = talib.MAX(high, period) == talib.MIN(low, period)
            return _zip_outputs(("k", "d"), [_mask_flat(flat, smooth + signal - 1, line) for line in lines])
        case "obv":
            return {"obv": talib.OBV(close, volume)}


_INTEGER_PARAMETERS = ("period", "fast", "slow", "signal", "smooth")


def _zip_outputs(names: Sequence[str], columns: Sequence[FloatArray]) -> Mapping[str, FloatArray]:
    return dict(zip(names, columns, strict=True))


def _mask_before_first_move(line: FloatArray, close: FloatArray) -> FloatArray:
    """Leave out the values before the first change of price; TA-Lib gives 0 there, which means a fall."""
    moved = close != close[0]
    line[: int(moved.argmax()) if moved.any() else len(line)] = np.nan
    return line


def _mask_flat(flat: NDArray[np.bool_], reach: int, line: FloatArray) -> FloatArray:
    """Leave out the values in which one of the last `reach` candles was flat; TA-Lib gives 0 there as well."""
    for index in flat.nonzero()[0]:
        line[index : index + reach] = np.nan
    return line
