"""Indicators: what is computed over candles, with which parameters, and what came of it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from quaestor.contracts.base import Contract
from quaestor.trading.contracts.mandate import Strategy
from quaestor.trading.contracts.market import MarketInput, Timeframe

Indicator = Literal["sma", "ema", "rsi", "macd", "bollinger", "atr", "adx", "stochastic", "obv"]


class IndicatorParameters(Contract):
    """The parameters of all indicators; each takes some of them, and has a default for these."""

    period: int | None = Field(default=None, ge=2, le=500, description="Candles.")
    fast: int | None = Field(default=None, ge=2, le=500, description="MACD: period of the fast average.")
    slow: int | None = Field(default=None, ge=2, le=500, description="MACD: period of the slow average.")
    smooth: int | None = Field(default=None, ge=1, le=500, description="Stochastic: period that smooths %K.")
    signal: int | None = Field(default=None, ge=2, le=500, description="MACD, stochastic: period of the signal line.")
    deviations: float | None = Field(default=None, gt=0, le=10, description="Bollinger: width in deviations.")

    def named(self) -> Mapping[str, float]:
        """Return those that are set, by name."""
        return self.model_dump(exclude_none=True)


DEFAULT_PARAMETERS: Mapping[Indicator, IndicatorParameters] = {
    "sma": IndicatorParameters(period=20),
    "ema": IndicatorParameters(period=20),
    "rsi": IndicatorParameters(period=14),
    "macd": IndicatorParameters(fast=12, slow=26, signal=9),
    "bollinger": IndicatorParameters(period=20, deviations=2),
    "atr": IndicatorParameters(period=14),
    "adx": IndicatorParameters(period=14),
    "stochastic": IndicatorParameters(period=14, smooth=3, signal=3),
    "obv": IndicatorParameters(period=100),
}
"""The parameters an indicator takes, with what they are when they are not given."""


class IndicatorInput(MarketInput):
    """For the indicator tool: what is computed over whose candles."""

    asset: str = Field(min_length=1)
    timeframe: Timeframe
    indicator: Indicator
    parameters: IndicatorParameters = IndicatorParameters()
    last: int = Field(default=1, ge=1, le=200, description="How many values, up to the last candle.")

    @model_validator(mode="after")
    def _check_parameters(self) -> Self:
        known = DEFAULT_PARAMETERS[self.indicator].named()
        if strange := sorted(self.parameters.named().keys() - known.keys()):
            raise ValueError(f"{self.indicator} has no {', '.join(strange)}; it takes {', '.join(known)}")
        used = self.used()
        if used.fast and used.slow and used.fast >= used.slow:
            raise ValueError(f"fast is {used.fast} and slow {used.slow}; the fast period must be the shorter one")
        return self

    def used(self) -> IndicatorParameters:
        """Return the parameters with the defaults for those that are not given."""
        return _with_defaults(self.indicator, self.parameters)


@lru_cache  # a strategy asks with the same ones in every cycle
def _with_defaults(indicator: Indicator, given: IndicatorParameters) -> IndicatorParameters:
    return DEFAULT_PARAMETERS[indicator].revised(**given.named())


class IndicatorValue(Contract):
    """The outputs of an indicator, by name, at the close of one candle."""

    closed: AwareDatetime
    outputs: Mapping[str, float]


class CandlesUsed(Contract):
    """The candles something was computed from."""

    source: str
    first: AwareDatetime = Field(description="When the first one opened.")
    last: AwareDatetime = Field(description="When the last one closed.")
    count: int = Field(ge=1)
    missing: int = Field(ge=0, description="Candles that are not there between the first one and `as_of`.")


class IndicatorResult(Contract):
    """Computed values, oldest first; a candle at which an indicator has no value yet has none."""

    asset: str
    timeframe: Timeframe
    indicator: Indicator
    parameters: IndicatorParameters = Field(description="As they were used.")
    as_of: AwareDatetime
    values: tuple[IndicatorValue, ...] = Field(min_length=1)
    settled: bool = Field(description="More candles before the first one would change nothing beyond rounding.")
    candles: CandlesUsed


class StrategyIndicatorsInput(MarketInput):
    """For the standing indicators: those that the rules of a strategy read."""

    assets: tuple[str, ...]
    timeframe: Timeframe
    strategy: Strategy


class StrategyIndicators(Contract):
    """Computed numbers by name, and why others are not there."""

    readings: Mapping[str, float] = {}
    missing: tuple[str, ...] = ()


def named_indicator_values(result: IndicatorResult) -> Mapping[str, float]:
    """Return the outputs of an indicator by full name, as `BTC/USDT 1h macd(12,26,9).histogram`, the latest first.

    An output of an earlier candle has the time of its close behind its name. Values have eight digits, so that they can
    be repeated exactly.
    """
    parameters = ",".join(f"{value:g}" for value in result.parameters.named().values())
    stem = f"{result.asset} {result.timeframe} {result.indicator}({parameters})"
    named: dict[str, float] = {}
    for place, value in enumerate(reversed(result.values)):
        at = f" at {value.closed:%Y-%m-%d %H:%M}" if place else ""
        for output, number in value.outputs.items():
            name = stem if output == result.indicator and len(value.outputs) == 1 else f"{stem}.{output}"
            named[f"{name}{at}"] = float(f"{number:.8g}")
    return named
