"""The tools that describe the market and the portfolio at the time of a cycle."""

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal

from typing_extensions import override

from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.tools import Tool
from quaestor.trading.contracts.market import (
    TIMEFRAME_MS,
    AssetPrice,
    CandleSeries,
    Market,
    MarketSnapshot,
    PriceChange,
    SnapshotInput,
    Timeframe,
    to_epoch_ms,
)
from quaestor.trading.contracts.portfolio import (
    BoundPortfolioInput,
    MarketData,
    PortfolioInput,
    PortfolioState,
    ScanInput,
)
from quaestor.trading.market.as_of import BacktestTimeline, require_as_of
from quaestor.trading.market.series import candle_open


class GetMarketSnapshot(Tool[SnapshotInput, MarketSnapshot]):
    """A `Tool` that returns the prices at the cycle's time and their changes."""

    name = "get_market_snapshot"
    description = "Gives the last price of assets and its change over some windows."
    repeatable = True
    pure = True

    def __init__(self, market: Market) -> None:
        self._market = market

    @override
    async def run(self, given: SnapshotInput) -> MarketSnapshot:
        """Return the last closes and their changes, in the order of the assets.

        Raises LookAhead when `as_of` is later than the market's clock, ToolFailed when an asset has no candle yet.
        """
        upto = require_as_of(given)
        assets = given.assets or self._market.assets()
        return MarketSnapshot(
            as_of=upto,
            timeframe=given.timeframe,
            prices=tuple([await self._price(asset, given, upto) for asset in assets]),
        )

    async def _price(self, asset: str, given: SnapshotInput, upto: datetime) -> AssetPrice:
        length = TIMEFRAME_MS[given.timeframe]
        reach = max((TIMEFRAME_MS[window] // length for window in given.windows), default=0)
        series = await self._market.series(asset, given.timeframe, upto, reach + 1)
        if not len(series):
            raise ToolFailed(f"no candle of {asset} had closed at {upto.isoformat()}; ask for a later time")
        return AssetPrice(
            asset=asset,
            price=series.close[-1],
            closed=series.closed(-1),
            missing=(candle_open(to_epoch_ms(upto), given.timeframe) - series.opened[-1]) // length - 1,
            changes=tuple(_price_changes(series, given.windows)),
            source=series.source,
        )


def _price_changes(series: CandleSeries, windows: tuple[Timeframe, ...]) -> Iterator[PriceChange]:
    price = series.close[-1]
    for window in windows:
        earlier_open = series.opened[-1] - TIMEFRAME_MS[window]
        index = bisect_left(series.opened, earlier_open)
        if series.opened[index] == earlier_open:
            before = series.close[index]
            yield PriceChange(window=window, price=before, percent=(price / before - 1) * 100)


class ScanMarket(Tool[ScanInput, MarketData]):
    """A `Tool` that reads the last closes and values the portfolio by them.

    With a timeline it opens the cycle of a backtest: it moves the market's clock and says when the next candle closes.
    """

    name = "scan"
    description = "Gives the last close of every asset, and the worth of the portfolio."
    repeatable = True
    pure = True

    def __init__(self, market: Market, timeframe: Timeframe, timeline: BacktestTimeline | None = None) -> None:
        self._market = market
        self._timeframe: Timeframe = timeframe
        self._timeline = timeline

    @override
    async def run(self, given: ScanInput) -> MarketData:
        """Return what is known at the time of the cycle; an asset that had no candle by then has no price.

        Raises ToolFailed when no asset has one.
        """
        at = self._timeline.advance_to(given.at) if self._timeline else self._market.now()
        prices: dict[str, Decimal] = {}
        volumes: dict[str, Decimal] = {}
        closed: dict[str, datetime] = {}
        for asset in given.assets:
            series = await self._market.series(asset, self._timeframe, at, 1)
            if len(series):
                prices[asset], volumes[asset] = Decimal(str(series.close[-1])), Decimal(str(series.volume[-1]))
                closed[asset] = series.closed(-1)
        if not prices:
            raise ToolFailed(_no_prices_message(given, self._timeframe, at))
        return MarketData(
            at=at,
            prices=prices,
            volumes=volumes,
            closed=closed,
            portfolio=given.portfolio,
            equity=given.portfolio.equity(prices),
            next=self._timeline.after(at) if self._timeline else None,
        )


def _no_prices_message(given: ScanInput, timeframe: Timeframe, at: datetime) -> str:
    named = ", ".join(given.assets)
    return f"no candle of {timeframe} of {named} had closed at {at.isoformat()}; begin later, or with other candles"


class GetPortfolioState(Tool[PortfolioInput, PortfolioState]):
    """A `Tool` that returns the portfolio. The account is a fold of the log, passed by the workflow."""

    name = "get_portfolio_state"
    description = "Gives cash, holdings, open orders and what all is worth."
    repeatable = True
    pure = True
    spend = Spend()

    @override
    async def run(self, given: PortfolioInput) -> PortfolioState:
        """Return the portfolio at the cycle's prices."""
        if not isinstance(given, BoundPortfolioInput):
            raise ToolFailed(
                f"get_portfolio_state takes a BoundPortfolioInput, not a {type(given).__name__}; pass the account"
            )
        held = given.portfolio
        return PortfolioState(cash=held.cash, holdings=held.holdings, open_orders=held.open_orders, equity=given.equity)
