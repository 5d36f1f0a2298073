"""An exchange as a market, through ccxt; needs the extra `exchange`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import nan
from typing import NamedTuple, Protocol

import ccxt.async_support as ccxt  # type: ignore[import-untyped]  # it ships no types

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.ports import Clock
from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, Timeframe, to_epoch_ms
from quaestor.trading.market.as_of import require_known_asset, require_not_after
from quaestor.trading.market.candle_files import LoadedCandles
from quaestor.trading.market.candle_validation import InvalidCandles, NumberedRow, validate_candles
from quaestor.trading.market.series import CandleRow, build_series, candle_open, last_closed

_PAGE_SIZE = 300
"""Candles a request: what every large exchange gives at once."""
_RETRIES = {"maxRetriesOnFailure": 2, "maxRetriesOnFailureDelay": 500}
_MALFORMED_RESPONSE_ERRORS = (AttributeError, LookupError, TypeError, ValueError)
"""What ccxt raises over an answer of a shape that it does not expect."""


class CandleClient(Protocol):
    """What is used of an exchange of ccxt."""

    id: str
    timeframes: Mapping[str, object]

    async def fetch_ohlcv(
        self, symbol: str, timeframe: str, since: int, limit: int
    ) -> Sequence[Sequence[float | None]]:
        """Return candles from `since` on, the oldest first: opening in milliseconds, four prices, volume."""

    async def close(self) -> None:
        """Close its connections."""


def connect_public(name: str) -> CandleClient:
    """Return ccxt's client of an exchange, for public data. Raises UsageError for a name that ccxt does not know."""
    if name not in ccxt.exchanges:
        raise UsageError(f"there is no exchange {name!r}; name one as ccxt does, such as binance or kraken")
    client: CandleClient = getattr(ccxt, name)({"enableRateLimit": True, "options": _RETRIES})
    return client


def open_market(name: str, clock: Clock, assets: Sequence[str]) -> "ExchangeMarket":
    """Return an exchange as a market. Raises UsageError for a name that ccxt does not know."""
    return ExchangeMarket(connect_public(name), clock, assets)


class _CachedSeries(NamedTuple):
    """What was fetched last of one asset and timeframe: what opened before `end`, in at most `wanted` candles."""

    end: int
    wanted: int
    series: CandleSeries


class ExchangeMarket:
    """A market with the candles of an exchange; a `Market`. What had closed at the same time is fetched once."""

    def __init__(self, client: CandleClient, clock: Clock, assets: Sequence[str]) -> None:
        self._client = client
        self._clock = clock
        self._assets = tuple(assets)
        self._held: dict[tuple[str, Timeframe], _CachedSeries] = {}

    def now(self) -> datetime:
        """Return the time of the clock."""
        return self._clock.now()

    def assets(self) -> Sequence[str]:
        """Return the assets, in the order they were given in."""
        return self._assets

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> CandleSeries:
        """Return the last candles that had closed at `upto`; see `Market`. Longer timeframes are the exchange's own."""
        require_not_after(upto, self._clock.now())
        require_known_asset(asset, self._assets)
        end = candle_open(to_epoch_ms(upto), timeframe)
        held = self._held.get((asset, timeframe))
        if held is None or held.end != end or held.wanted < count:
            fetched = await self._fetch(asset, timeframe, end - count * TIMEFRAME_MS[timeframe], end)
            held = self._held[asset, timeframe] = _CachedSeries(end, count, fetched.series)
        return last_closed(held.series, to_epoch_ms(upto), count)

    async def download(self, asset: str, timeframe: Timeframe, since: datetime, upto: datetime) -> LoadedCandles:
        """Return all candles that opened at `since` or later and had closed at `upto`.

        Raises what `series` raises, and ToolFailed when there are none.
        """
        require_not_after(upto, self._clock.now())
        require_known_asset(asset, self._assets)
        start = candle_open(to_epoch_ms(since) - 1, timeframe) + TIMEFRAME_MS[timeframe]
        loaded = await self._fetch(asset, timeframe, start, candle_open(to_epoch_ms(upto), timeframe))
        if not len(loaded.series):
            raise ToolFailed(
                f"{self._client.id} has no candles of {asset} from {since.isoformat()} to {upto.isoformat()}; "
                "name other times"
            )
        return loaded

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def _fetch(self, asset: str, timeframe: Timeframe, start: int, end: int) -> LoadedCandles:
        """Fetch the candles that open from `start` on and before `end`."""
        name = self._client.id
        if timeframe not in self._client.timeframes:
            known = ", ".join(known for known in TIMEFRAME_MS if known in self._client.timeframes)
            raise ToolFailed(f"{name} has no candles of {timeframe}; ask for {known}")
        try:
            rows = await self._fetch_pages(asset, timeframe, start, end)
        except (ccxt.BaseError, *_MALFORMED_RESPONSE_ERRORS) as error:
            raise ToolFailed(f"{name} gave no candles of {asset}: {type(error).__name__}: {error}") from error
        if not rows:
            return LoadedCandles(build_series(asset, timeframe, name, ()), ())
        try:
            return LoadedCandles(
                *validate_candles(asset, name, [NumberedRow(*each) for each in enumerate(rows, 1)], timeframe)
            )
        except InvalidCandles as error:
            raise ToolFailed(f"{name} gave candles of {asset} that cannot be: {error}") from None

    async def _fetch_pages(self, asset: str, timeframe: Timeframe, start: int, end: int) -> list[CandleRow]:
        """Ask page by page; an empty page is a stretch without trade, or before there was any."""
        length = TIMEFRAME_MS[timeframe]
        rows: list[CandleRow] = []
        while start < end:
            limit = min(_PAGE_SIZE, (end - start) // length)
            page = await self._client.fetch_ohlcv(asset, timeframe, start, limit)
            fresh = [row for each in page if start <= (row := _parse_row(each)).opened < end]
            rows += fresh
            start = max((row.opened for row in fresh), default=start + (limit - 1) * length) + length
        return rows


def _parse_row(row: Sequence[float | None]) -> CandleRow:
    opened, *numbers = row
    open_, high, low, close, volume = (nan if number is None else float(number) for number in numbers)
    return CandleRow(int(opened or 0), open_, high, low, close, volume)
