"""Candles, and what tools read from them: never anything that had not happened at the time they are asked for."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal, Protocol

from pydantic import AwareDatetime, Field
from pydantic.json_schema import SkipJsonSchema

from quaestor.contracts.base import Contract
from quaestor.contracts.immutable import Immutable

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
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def from_epoch_ms(milliseconds: int) -> datetime:
    """Return the time so many milliseconds after the beginning of 1970, in UTC."""
    return _EPOCH + milliseconds * _MILLISECOND


def to_epoch_ms(time: datetime) -> int:
    """Return the whole milliseconds from the beginning of 1970, in UTC, to a time that has an offset."""
    return (time - _EPOCH) // _MILLISECOND


class Candle(Contract):
    """What was traded in one stretch of time; prices in the quote currency, volume in units of the asset."""

    opened: AwareDatetime
    open: float = Field(gt=0)
    high: float = Field(gt=0)
    low: float = Field(gt=0)
    close: float = Field(gt=0)
    volume: float = Field(ge=0)


class CandleSeries(Immutable):
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
        """Return the time at which the candle of an index closed."""
        return from_epoch_ms(self.opened[index] + TIMEFRAME_MS[self.timeframe])


_VALUE_COLUMNS = ("open", "high", "low", "close", "volume")


class Market(Protocol):
    """The candles of some assets, as they could be known at the time of one clock; every tool reads through it."""

    def now(self) -> datetime:
        """Return the time of the clock, in UTC: the cycle's in a backtest."""

    def assets(self) -> Sequence[str]:
        """Return the assets it has candles of."""

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> CandleSeries:
        """Return the last candles, at most `count`, that had closed at `upto`; one that closes just then has.

        Raises LookAhead when `upto` is later than now; ToolFailed when it has no zone, for an asset that is not
        there, for a timeframe that cannot be had, and when an exchange gives no answer.
        """


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
