"""An exchange as a market, through ccxt; needs the extra `exchange`."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import nan
from typing import NamedTuple, Protocol

import ccxt.async_support as ccxt  # type: ignore[import-untyped]  # it ships no types

from quaestor.contracts.errors import ToolFailed, UsageError
from quaestor.contracts.market import MILLISECONDS, Series, Timeframe, since_epoch
from quaestor.contracts.ports import Clock
from quaestor.tools.market.asked import allowed, listed
from quaestor.tools.market.checking import Read, Unreadable, checked
from quaestor.tools.market.load import Loaded
from quaestor.tools.market.span import opening
from quaestor.tools.market.table import Row, closed_by, table

_PAGE = 300
"""Candles a request: what every large exchange gives at once."""
_RETRIES = {"maxRetriesOnFailure": 2, "maxRetriesOnFailureDelay": 500}
_UNEXPECTED = (AttributeError, LookupError, TypeError, ValueError)
"""What ccxt raises over an answer of a shape that it does not expect."""


class Client(Protocol):
    """What is used of an exchange of ccxt."""

    id: str
    timeframes: Mapping[str, object]

    async def fetch_ohlcv(
        self, symbol: str, timeframe: str, since: int, limit: int
    ) -> Sequence[Sequence[float | None]]:
        """Give candles from `since` on, the oldest first: opening in milliseconds, four prices, volume."""
        ...

    async def close(self) -> None:
        """Close its connections."""
        ...


def connect(name: str) -> Client:
    """Give ccxt's client of an exchange, for public data. Raises UsageError for a name that ccxt does not know."""
    if name not in ccxt.exchanges:
        raise UsageError(f"there is no exchange {name!r}; name one as ccxt does, such as binance or kraken")
    client: Client = getattr(ccxt, name)({"enableRateLimit": True, "options": _RETRIES})
    return client


class _Held(NamedTuple):
    """What was fetched last of one asset and timeframe: what opened before `end`, in at most `wanted` candles."""

    end: int
    wanted: int
    series: Series


class ExchangeMarket:
    """Gives the candles of an exchange; a `Market`. What had closed at the same time is fetched once."""

    def __init__(self, client: Client, clock: Clock, assets: Sequence[str]) -> None:
        self._client = client
        self._clock = clock
        self._assets = tuple(assets)
        self._held: dict[tuple[str, Timeframe], _Held] = {}

    def now(self) -> datetime:
        """Give the time of the clock."""
        return self._clock.now()

    def assets(self) -> Sequence[str]:
        """Name the assets, in the order they were given in."""
        return self._assets

    async def series(self, asset: str, timeframe: Timeframe, upto: datetime, count: int) -> Series:
        """Give the last candles that had closed at `upto`; see `Market`. Longer timeframes are the exchange's own."""
        allowed(upto, self._clock.now())
        listed(asset, self._assets)
        end = opening(since_epoch(upto), timeframe)
        held = self._held.get((asset, timeframe))
        if held is None or held.end != end or held.wanted < count:
            fetched = await self._fetched(asset, timeframe, end - count * MILLISECONDS[timeframe], end)
            held = self._held[asset, timeframe] = _Held(end, count, fetched.series)
        return closed_by(held.series, since_epoch(upto), count)

    async def download(self, asset: str, timeframe: Timeframe, since: datetime, upto: datetime) -> Loaded:
        """Give all candles that opened at `since` or later and had closed at `upto`, for a `History`.

        Raises what `series` raises, and ToolFailed when there are none.
        """
        allowed(upto, self._clock.now())
        listed(asset, self._assets)
        start = opening(since_epoch(since) - 1, timeframe) + MILLISECONDS[timeframe]
        loaded = await self._fetched(asset, timeframe, start, opening(since_epoch(upto), timeframe))
        if not len(loaded.series):
            raise ToolFailed(
                f"{self._client.id} has no candles of {asset} from {since.isoformat()} to {upto.isoformat()}; "
                "name other times"
            )
        return loaded

    async def close(self) -> None:
        """Close its connections."""
        await self._client.close()

    async def _fetched(self, asset: str, timeframe: Timeframe, start: int, end: int) -> Loaded:
        """Fetch the candles that open from `start` on and before `end`."""
        name = self._client.id
        if timeframe not in self._client.timeframes:
            known = ", ".join(known for known in MILLISECONDS if known in self._client.timeframes)
            raise ToolFailed(f"{name} has no candles of {timeframe}; ask for {known}")
        try:
            rows = await self._pages(asset, timeframe, start, end)
        except (ccxt.BaseError, *_UNEXPECTED) as error:
            raise ToolFailed(f"{name} gave no candles of {asset}: {type(error).__name__}: {error}") from error
        if not rows:
            return Loaded(table(asset, timeframe, name, ()), ())
        try:
            return Loaded(*checked(asset, name, [Read(*each) for each in enumerate(rows, 1)], timeframe))
        except Unreadable as error:
            raise ToolFailed(f"{name} gave candles of {asset} that cannot be: {error}") from None

    async def _pages(self, asset: str, timeframe: Timeframe, start: int, end: int) -> list[Row]:
        """Ask page by page; an empty page is a stretch without trade, or before there was any."""
        length = MILLISECONDS[timeframe]
        rows: list[Row] = []
        while start < end:
            limit = min(_PAGE, (end - start) // length)
            page = await self._client.fetch_ohlcv(asset, timeframe, start, limit)
            fresh = [row for each in page if start <= (row := _row(each)).opened < end]
            rows += fresh
            start = max((row.opened for row in fresh), default=start + (limit - 1) * length) + length
        return rows


def _row(said: Sequence[float | None]) -> Row:
    opened, *numbers = said
    open_, high, low, close, volume = (nan if number is None else float(number) for number in numbers)
    return Row(int(opened or 0), open_, high, low, close, volume)
