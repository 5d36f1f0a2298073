"""The tools of a decision session: its market, its indicators, its broker."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from quaestor.contracts.errors import MissingExtra, UsageError
from quaestor.contracts.ports import Clock
from quaestor.contracts.tools import AnyTool
from quaestor.trading.broker.paper_broker import PaperBroker
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import CandleSeries, Market
from quaestor.trading.market.as_of import BacktestTimeline
from quaestor.trading.market.candle_files import LoadedCandles, load_candles
from quaestor.trading.market.indicator_tools import RunIndicator, RunStrategyIndicators
from quaestor.trading.market.recorded_market import RecordedMarket
from quaestor.trading.market.snapshot_tools import GetMarketSnapshot, GetPortfolioState, ScanMarket

if TYPE_CHECKING:
    from quaestor.trading.broker.exchange_broker import OrderClient
    from quaestor.trading.market.exchange_market import ExchangeMarket

_EXTENSIONS = (".csv", ".parquet")


class TradingTools:
    """Gives decision sessions their tools, with the environment of this process.

    An order that an exchange does not know is asked for once more after `patience_seconds`.
    """

    def __init__(self, environment: Mapping[str, str], clock: Clock, patience_seconds: float = 10) -> None:
        self._environment = environment
        self._clock = clock
        self._retry_delay = patience_seconds
        self._markets: dict[tuple[str, tuple[str, ...]], ExchangeMarket] = {}
        self._clients: dict[tuple[str, bool], OrderClient] = {}

    def tools(self, options: DecisionOptions, at: datetime | None) -> Sequence[AnyTool]:
        """Give the tools of a session whose cycle is at a time, or has not looked at the market yet.

        Raises UsageError for candles that cannot be had or are not those that a backtest began with, SetupError and
        MissingExtra for an exchange that cannot be.
        """
        mandate = options.mandate
        recorded = [loaded.series for loaded in load_mandate_candles(mandate)]
        if options.sources:
            _require_unchanged(options.sources, source_names(recorded))
        course = _build_timeline(mandate, recorded, at) if options.backtest else None
        market = self._market(mandate, recorded, course)
        indicator = RunIndicator(market)
        return (
            ScanMarket(market, mandate.timeframe, course),
            GetPortfolioState(),
            GetMarketSnapshot(market),
            RunStrategyIndicators(indicator),
            indicator,
            *self._broker(mandate),
        )

    async def close(self) -> None:
        """Close the connections to exchanges."""
        for market in self._markets.values():
            await market.close()
        for client in self._clients.values():
            await client.close()

    def _market(self, mandate: Mandate, recorded: Sequence[CandleSeries], course: BacktestTimeline | None) -> Market:
        if recorded:
            return RecordedMarket(course.clock if course else self._clock, recorded)
        exchange = mandate.exchange or ""
        key = (exchange, mandate.assets)
        if key not in self._markets:
            self._markets[key] = open_exchange_market(exchange, self._clock, mandate.assets)
        return self._markets[key]

    def _broker(self, mandate: Mandate) -> Sequence[AnyTool]:
        if mandate.broker == "paper":
            return (PaperBroker(mandate.costs),)
        key = (mandate.exchange or "", mandate.live)
        try:
            from quaestor.trading.broker.exchange_broker import ExchangeBroker, ReconcileOrder, connect_private  # noqa: PLC0415 -- ccxt: 0.8 s
        except ModuleNotFoundError as missing:
            raise MissingExtra("orders at an exchange need an extra: pip install 'quaestor[exchange]'") from missing
        if key not in self._clients:
            self._clients[key] = connect_private(key[0], self._environment, live=mandate.live)
        return ExchangeBroker(self._clients[key]), ReconcileOrder(self._clients[key], self._retry_delay)


def load_mandate_candles(mandate: Mandate) -> Sequence[LoadedCandles]:
    """Read the candles that a mandate names, one file an asset; nothing where they come from an exchange.

    Raises UsageError for a file that is not there or cannot be read, MissingExtra for Parquet without its package.
    """
    if mandate.candles is None:
        if mandate.exchange is None:
            raise UsageError("the mandate names neither candles nor an exchange; set one of them")
        return ()
    place, count = Path(mandate.candles), len(mandate.assets)
    return [load_candles(_candle_file(place, asset, count), asset, zone=mandate.zone) for asset in mandate.assets]


def with_candle_sources(options: DecisionOptions) -> DecisionOptions:
    """Give the options of a backtest with what is to be known of its candles: their files, gaps, repeated rows.

    Raises UsageError for candles that cannot be had, or of which none closes between its times.
    """
    mandate = options.mandate
    loaded = load_mandate_candles(mandate)
    series = [each.series for each in loaded]
    _build_timeline(mandate, series, None)
    notes = tuple(f"{each.series.source}: {note.text}" for each in loaded for note in each.notes)
    return options.model_copy(update={"sources": source_names(series), "notes": notes})


def source_names(recorded: Sequence[CandleSeries]) -> tuple[str, ...]:
    """Name where candles come from: files, each with the beginning of the SHA-256 of what is in it."""
    return tuple(series.source for series in recorded)


def _require_unchanged(begun: Sequence[str], now: Sequence[str]) -> None:
    changed = [f"{after}, which was {before}" for before, after in zip(begun, now, strict=False) if before != after]
    if changed:
        raise UsageError(
            f"the candles were changed since the backtest began: {'; '.join(changed)}. Put the old ones back to go on "
            "with it, or begin another one with --mandate"
        )


def _build_timeline(mandate: Mandate, recorded: Sequence[CandleSeries], at: datetime | None) -> BacktestTimeline:
    if not recorded:
        raise UsageError('a backtest needs candles in files; name them in the mandate, as candles = "btc.csv"')
    return BacktestTimeline(recorded, mandate.timeframe, start=mandate.start, end=mandate.end, at=at)


def _candle_file(place: Path, asset: str, assets: int) -> Path:
    """Give the file of an asset: the one that is named, or in a folder that with the asset's name."""
    if not place.is_dir():
        if assets > 1:
            raise UsageError(f"{place} is one file and the mandate has {assets} assets; name a folder with a file each")
        return place
    stems = dict.fromkeys(asset.replace("/", mark) for mark in ("-", "_", ""))
    named = [place / f"{stem}{ending}" for stem in stems for ending in _EXTENSIONS]
    found = next((file for file in named if file.is_file()), None)
    if found is None:
        raise UsageError(f"{place} has no candles of {asset}; name the file {named[0].name} or {named[1].name}")
    return found


def open_exchange_market(name: str, clock: Clock, assets: Sequence[str]) -> "ExchangeMarket":
    """Give an exchange as a market, by the name ccxt has for it; assets as `BTC/USDT`.

    Raises UsageError for a name that ccxt does not know, MissingExtra without ccxt.
    """
    if find_spec("ccxt") is None:
        raise MissingExtra("candles of an exchange need an extra: pip install 'quaestor[exchange]'")
    from quaestor.trading.market.exchange_market import ExchangeMarket, connect_public  # noqa: PLC0415 -- ccxt takes 0.8 s to import

    return ExchangeMarket(connect_public(name), clock, assets)
