"""Candles, and what tools read from them: never anything that had not happened at the time they are asked for."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Literal, Protocol, Self

from pydantic import AwareDatetime, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from quaestor.contracts.base import Contract

Timeframe = Literal["1m", "5m", "15m", "30m", "1h", "2h", "4h", "6h", "12h", "1d", "1w"]
"""How long a candle is. Candles open at whole multiples of it since midnight UTC, weeks on Monday."""

TIMEFRAME_MS: Mapping[Timeframe, int] = {
    "1m": 60_000,
    "5m": 300_000,
    "15m": 900_000,
    "30m": 1_800_000,
    "1h": 3_600_000,
    "2h": 7_200_000,
    "4h": 14_400_000,
    "6h": 21_600_000,
    "12h": 43_200_000,
    "1d": 86_400_000,
    "1w": 604_800_000,
}

Indicator = Literal["sma", "ema", "rsi", "macd", "bollinger", "atr", "adx", "stochastic", "obv"]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def from_epoch_ms(milliseconds: int) -> datetime:
    """Give the time so many milliseconds after the beginning of 1970, in UTC."""
    return _EPOCH + milliseconds * _MILLISECOND


def to_epoch_ms(time: datetime) -> int:
    """Give the whole milliseconds from the beginning of 1970, in UTC, to a time that has an offset."""
    return (time - _EPOCH) // _MILLISECOND


class Candle(Contract):
    """What was traded in one stretch of time; prices in the quote currency, volume in units of the asset."""

    opened: AwareDatetime
    open: float = Field(gt=0)
    high: float = Field(gt=0)
    low: float = Field(gt=0)
    close: float = Field(gt=0)
    volume: float = Field(ge=0)


@dataclass(frozen=True, slots=True)
class CandleSeries:
    """Candles of one asset that had closed at some time, oldest first; a view, which copies no candle.

    `opened` is in milliseconds since 1970, rising; the columns are as long as each other and cannot be written.
    `source` says where the candles come from: a file with the beginning of its SHA-256, or an exchange.
    """

    asset: str
    timeframe: Timeframe
    source: str
    opened: "memoryview[int]"
    open: "memoryview[float]"
    high: "memoryview[float]"
    low: "memoryview[float]"
    close: "memoryview[float]"
    volume: "memoryview[float]"

    def __len__(self) -> int:
        return len(self.opened)

    def __iter__(self) -> Iterator[Candle]:
        for opened, *row in zip(self.opened, self.open, self.high, self.low, self.close, self.volume, strict=True):
            yield Candle(opened=from_epoch_ms(opened), **dict(zip(_VALUE_COLUMNS, row, strict=True)))

    def closed(self, index: int) -> datetime:
        """Give the time at which the candle of an index closed."""
        return from_epoch_ms(self.opened[index] + TIMEFRAME_MS[self.timeframe])


_VALUE_COLUMNS = ("open", "high", "low", "close", "volume")


class Market(Protocol):
    """The candles of some assets, as they could be known at the time of one clock; every tool reads through it."""

    def now(self) -> datetime:
        """Give the time of the clock, in UTC: the cycle's in a backtest."""
        ...

    def assets(self) -> Sequence[str]:
        """Name the assets it has candles of."""
        ...

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> CandleSeries:
        """Give the last candles, at most `count`, that had closed at `upto`; one that closes just then has.

        Raises LookAhead when `upto` is later than now; ToolFailed when it has no zone, for an asset that is not
        there, for a timeframe that cannot be had, and when an exchange gives no answer.
        """
        ...


class CandleNote(Contract):
    """What was unusual in a file of candles and did not make it unusable; the times are openings of candles."""

    kind: Literal["gap", "duplicate", "order", "column"]
    text: str
    first: AwareDatetime | None = None
    last: AwareDatetime | None = None


class MarketInput(Contract):
    """The base of what tools of the market are given.

    `as_of` is not in the schema that a model is shown: the workflow puts in the cycle's time, whatever stood there.
    """

    as_of: SkipJsonSchema[AwareDatetime | None] = None


class SnapshotInput(MarketInput):
    """For the snapshot tool: whose prices, and over which windows their change."""

    assets: tuple[str, ...] = Field(default=(), description="None: all there are.")
    timeframe: Timeframe = Field(default="1h", description="Of the candles whose last close is the price.")
    windows: tuple[Timeframe, ...] = ("1h", "1d", "1w")


class PriceChange(Contract):
    """How much a price has changed since the candle that closed one window before."""

    window: Timeframe
    price: float = Field(description="The close of then.")
    percent: float


class AssetPrice(Contract):
    """The last close of one asset; a window without a candle at its beginning has no change."""

    asset: str
    price: float
    closed: AwareDatetime
    missing: int = Field(ge=0, description="Candles that should have closed since, and are not there.")
    changes: tuple[PriceChange, ...] = ()
    source: str


class MarketSnapshot(Contract):
    """The prices that were known at one time, in the order they were asked for."""

    as_of: AwareDatetime
    timeframe: Timeframe
    prices: tuple[AssetPrice, ...]


class IndicatorParameters(Contract):
    """The parameters of all indicators; each takes some of them, and has a default for these."""

    period: int | None = Field(default=None, ge=2, le=500, description="Candles.")
    fast: int | None = Field(default=None, ge=2, le=500, description="MACD: period of the fast average.")
    slow: int | None = Field(default=None, ge=2, le=500, description="MACD: period of the slow average.")
    smooth: int | None = Field(default=None, ge=1, le=500, description="Stochastic: period that smooths %K.")
    signal: int | None = Field(default=None, ge=2, le=500, description="MACD, stochastic: period of the signal line.")
    deviations: float | None = Field(default=None, gt=0, le=10, description="Bollinger: width in deviations.")

    def named(self) -> Mapping[str, float]:
        """Give those that are set, by name."""
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
        """Give the parameters with the defaults for those that are not given."""
        return _with_defaults(self.indicator, self.parameters)


@lru_cache  # a strategy asks with the same ones in every cycle
def _with_defaults(indicator: Indicator, given: IndicatorParameters) -> IndicatorParameters:
    return DEFAULT_PARAMETERS[indicator].model_copy(update=dict(given.named()))


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
