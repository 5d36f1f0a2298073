"""The tools that compute indicators, and how many candles each indicator needs."""

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import lru_cache
from importlib.util import find_spec
from math import ceil, isnan
from typing import TYPE_CHECKING, NamedTuple

from typing_extensions import override

from quaestor.contracts.errors import LookAhead, MissingExtra, ToolFailed
from quaestor.contracts.lazy import LazyImport
from quaestor.contracts.tools import Tool
from quaestor.trading.contracts.indicators import (
    CandlesUsed,
    Indicator,
    IndicatorInput,
    IndicatorParameters,
    IndicatorResult,
    IndicatorValue,
    StrategyIndicators,
    StrategyIndicatorsInput,
    named_indicator_values,
)
from quaestor.trading.contracts.mandate import Strategy
from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, Market, from_epoch_ms, to_epoch_ms
from quaestor.trading.market.as_of import require_as_of
from quaestor.trading.market.series import candle_open

if TYPE_CHECKING:
    from quaestor.trading.market.talib_indicators import FloatArray

_COMPUTE_INDICATOR: "LazyImport[Callable[[Indicator, IndicatorParameters, CandleSeries], Mapping[str, FloatArray]]]" = (
    LazyImport("quaestor.trading.market.talib_indicators:compute_indicator")
)
_DECAY_TIME_CONSTANTS = 25
"""A share of e to the power of minus this, 1.4e-11, is nothing."""


class Warmup(NamedTuple):
    """Candles for a first value, and for one that more candles before them would not change."""

    least: int
    settled: int


@lru_cache
def warmup(indicator: Indicator, parameters: IndicatorParameters) -> Warmup:
    """Return what an indicator needs; `parameters` are all that it takes.

    An average that goes on from its last value keeps of what was n candles ago (1 - 1/period)^n in the manner of
    Wilder, (1 - 2/(period + 1))^n as an exponential one: less than e^(-n/period) and e^(-2n/(period + 1)).
    """
    taken = parameters.named()
    period, slow, signal, smooth = (int(taken.get(name, 0)) for name in ("period", "slow", "signal", "smooth"))
    match indicator:
        case "sma" | "bollinger" | "obv":
            return Warmup(period, period)
        case "stochastic":
            least = period + smooth + signal - 2
            return Warmup(least, least)
        case "ema":
            return Warmup(period, period + ceil(_DECAY_TIME_CONSTANTS * (period + 1) / 2))
        case "macd":
            least = slow + signal - 1
            return Warmup(least, least + ceil(_DECAY_TIME_CONSTANTS * (slow + signal + 2) / 2))
        case "rsi" | "atr":
            return Warmup(period + 1, period + 1 + _DECAY_TIME_CONSTANTS * period)
        case "adx":  # an average of what is made of averages: n times e^(-n) is nothing a little later
            return Warmup(2 * period, 2 * period + (_DECAY_TIME_CONSTANTS + 5) * period)


class RunIndicator(Tool[IndicatorInput, IndicatorResult]):
    """A `Tool` that computes an indicator over the candles closed at the cycle's time.

    Raises MissingExtra, when it is made, without the package that computes them.
    """

    name = "run_indicator"
    description = "Computes an indicator over the candles of an asset, up to the last one that closed."
    repeatable = True
    pure = True

    def __init__(self, market: Market) -> None:
        if find_spec("talib") is None:
            raise MissingExtra("indicators need an extra", "market")
        self._market = market

    @override
    async def run(self, given: IndicatorInput) -> IndicatorResult:
        """Return the latest values and the candles they come from; see `compute_indicator` for where there is no value.

        Raises LookAhead when `as_of` is later than the market's clock; ToolFailed when there are too few candles, and
        when there is no value at the last one.
        """
        upto, parameters = require_as_of(given), given.used()
        needed = warmup(given.indicator, parameters)
        required = needed.settled if given.indicator == "obv" else needed.settled + given.last - 1
        series = await self._market.series(given.asset, given.timeframe, upto, required)
        if len(series) < needed.least:
            raise ToolFailed(_too_few_candles(given, needed, series))
        values = tuple(
            _indicator_values(_COMPUTE_INDICATOR.load()(given.indicator, parameters, series), series, given.last)
        )
        if not values or values[-1].closed != series.closed(-1):
            raise ToolFailed(
                f"{given.indicator} of {given.asset} has no value at {series.closed(-1).isoformat()}: the price did "
                "not move; use another indicator or a longer timeframe"
            )
        return IndicatorResult(
            asset=given.asset,
            timeframe=given.timeframe,
            indicator=given.indicator,
            parameters=parameters,
            as_of=upto,
            values=values,
            settled=len(series) >= required,
            candles=_candles_used(series, upto),
        )


def _too_few_candles(given: IndicatorInput, needed: Warmup, series: CandleSeries) -> str:
    parameters = ", ".join(f"{name} {value:g}" for name, value in given.used().named().items())
    return (
        f"{given.indicator} ({parameters}) needs {needed.least} candles of {given.timeframe}, and {given.asset} has "
        f"{len(series)} that had closed by then; use a shorter period or timeframe"
    )


def _indicator_values(outputs: "Mapping[str, FloatArray]", series: CandleSeries, last: int) -> Iterator[IndicatorValue]:
    """Return the values at the last candles, without those where an output has none."""
    ends = {name: column[-last:].tolist() for name, column in outputs.items()}
    count = min(last, len(series))
    for index in range(count):
        made = {name: column[index] for name, column in ends.items()}
        if not any(map(isnan, made.values())):
            yield IndicatorValue(closed=series.closed(index - count), outputs=made)


def _candles_used(series: CandleSeries, upto: datetime) -> CandlesUsed:
    length = TIMEFRAME_MS[series.timeframe]
    due = (candle_open(to_epoch_ms(upto), series.timeframe) - series.opened[0]) // length
    return CandlesUsed(
        source=series.source,
        first=from_epoch_ms(series.opened[0]),
        last=series.closed(-1),
        count=len(series),
        missing=due - len(series),
    )


IndicatorRequest = tuple[Indicator, IndicatorParameters]


class RunStrategyIndicators(Tool[StrategyIndicatorsInput, StrategyIndicators]):
    """A `Tool` that computes all indicators of a strategy's rules in one run, by `run_indicator`."""

    name = "run_indicators"
    description = "Computes the indicators that the rules of the strategy read."
    repeatable = True
    pure = True

    def __init__(self, indicator: Tool[IndicatorInput, IndicatorResult]) -> None:
        self._indicator = indicator

    @override
    async def run(self, given: StrategyIndicatorsInput) -> StrategyIndicators:
        """Return every value by its name, and why others are missing, as too few candles. Raises LookAhead."""
        readings: dict[str, float] = {}
        missing: list[str] = []
        for asset in given.assets:
            for indicator, parameters in _required_indicators(given.strategy):
                asked = IndicatorInput(
                    asset=asset,
                    timeframe=given.timeframe,
                    indicator=indicator,
                    parameters=parameters,
                    as_of=given.as_of,
                )
                try:
                    result = await self._indicator.run(asked)
                except LookAhead:
                    raise
                except ToolFailed as error:
                    missing.append(str(error))
                else:
                    readings |= named_indicator_values(result)
        return StrategyIndicators(readings=readings, missing=tuple(missing))


def _required_indicators(strategy: Strategy) -> Iterator[IndicatorRequest]:
    for rule in strategy.rules:
        match rule:
            case "rsi":
                yield "rsi", IndicatorParameters(period=strategy.rsi.period)
            case "macd":
                macd = strategy.macd
                yield "macd", IndicatorParameters(fast=macd.fast, slow=macd.slow, signal=macd.signal)
            case "cross":
                yield "sma", IndicatorParameters(period=strategy.cross.fast)
                yield "sma", IndicatorParameters(period=strategy.cross.slow)
