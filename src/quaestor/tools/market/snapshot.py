from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from typing import ClassVar, Literal

from quaestor.contracts.budget import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.market import (
    MILLISECONDS,
    AssetPrice,
    Market,
    MarketSnapshot,
    PriceChange,
    Series,
    SnapshotGiven,
    Timeframe,
    since_epoch,
)
from quaestor.contracts.noun import Noun
from quaestor.tools.market.asked import as_of
from quaestor.tools.market.span import opening


class GetMarketSnapshot:
    """Gives the prices at the cycle's time and how they have changed; a `Tool`."""

    name: ClassVar[str] = "get_market_snapshot"
    description: ClassVar[str] = "Gives the last price of assets and its change over some windows."
    takes: ClassVar[type[Noun]] = SnapshotGiven
    gives: ClassVar[type[Noun]] = MarketSnapshot
    repeatable: ClassVar[bool] = True
    pure: ClassVar[Literal[True]] = True
    spend: ClassVar[Spend] = Spend(tool_calls=1)

    def __init__(self, market: Market) -> None:
        self._market = market

    async def run(self, given: Noun) -> MarketSnapshot:
        """Give the last closes and their changes, in the order of the assets.

        Raises LookAhead when `as_of` is later than the market's clock, ToolFailed when an asset has no candle yet.
        """
        if not isinstance(given, SnapshotGiven):
            raise ToolFailed(f"get_market_snapshot takes a SnapshotGiven, not a {type(given).__name__}; name assets")
        upto = as_of(given)
        assets = given.assets or self._market.assets()
        return MarketSnapshot(
            as_of=upto,
            timeframe=given.timeframe,
            prices=tuple([await self._price(asset, given, upto) for asset in assets]),
        )

    async def _price(self, asset: str, given: SnapshotGiven, upto: datetime) -> AssetPrice:
        length = MILLISECONDS[given.timeframe]
        reach = max((MILLISECONDS[window] // length for window in given.windows), default=0)
        series = await self._market.series(asset, given.timeframe, upto, reach + 1)
        if not len(series):
            raise ToolFailed(f"no candle of {asset} had closed at {upto.isoformat()}; ask for a later time")
        return AssetPrice(
            asset=asset,
            price=series.close[-1],
            closed=series.closed(-1),
            missing=(opening(since_epoch(upto), given.timeframe) - series.opened[-1]) // length - 1,
            changes=tuple(_changes(series, given.windows)),
            source=series.source,
        )


def _changes(series: Series, windows: tuple[Timeframe, ...]) -> Iterator[PriceChange]:
    price = series.close[-1]
    for window in windows:
        wanted = series.opened[-1] - MILLISECONDS[window]
        index = bisect_left(series.opened, wanted)
        if series.opened[index] == wanted:
            before = series.close[index]
            yield PriceChange(window=window, price=before, percent=(price / before - 1) * 100)
