"""Exchanges on loopback, in the dialects of Binance and Bitstamp; their candles are those of a walk."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, cast
from urllib.parse import parse_qs, urlsplit

from fakes.market import rows
from fakes.site import Serve, page
from quaestor.trading.contracts.market import TIMEFRAME_MS, Timeframe
from quaestor.trading.market.exchange_market import CandleClient, connect_public
from quaestor.trading.market.series import CandleRow

WALK = list(rows(1_000))
_DAYS: Mapping[str, Timeframe] = {"86400": "1d", "3600": "1h", "1d": "1d", "1h": "1h"}


class Adjustable(CandleClient, Protocol):
    """What of ccxt's client leads it to loopback, and spares a test its pauses."""

    urls: dict[str, dict[str, str]]
    options: dict[str, object]
    verify: bool
    timeout_on_exit: int


def client(name: str, url: str) -> CandleClient:
    """Return ccxt's own client of an exchange, with every address of its API on a site."""
    made = cast("Adjustable", connect_public(name))
    made.urls["api"] = dict.fromkeys(made.urls["api"], url)
    made.options["maxRetriesOnFailureDelay"] = 1
    made.verify = False
    made.timeout_on_exit = 0
    return made


def said(body: object, status: int = 200) -> Serve:
    """Serve JSON, and close the connection."""
    return page(json.dumps(body), "application/json", status, {"Connection": "close"})


def binance(walk: Sequence[CandleRow] = WALK) -> Callable[[str], Serve | None]:
    """Serve BTC/USDT by the open time; the candle that is still open is given too."""

    def serve(target: str) -> Serve | None:
        address, asked = urlsplit(target), parse_qs(urlsplit(target).query)
        match address.path:
            case "/exchangeInfo":
                return said({"symbols": [_BINANCE_PAIR]})
            case "/klines":
                first, limit = int(asked["startTime"][0]), int(asked["limit"][0])
                found = [row for row in walk if row.opened >= first][:limit]
                closes = TIMEFRAME_MS[_DAYS[asked["interval"][0]]] - 1
                return said(
                    [[row.opened, *map(repr, row[1:]), row.opened + closes, "0", 1, "0", "0", "0"] for row in found]
                )
            case _:
                return None

    return serve


def bitstamp(walk: Sequence[CandleRow] = WALK) -> Callable[[str], Serve | None]:
    """Serve BTC/USDT within the time that is asked for; the candle that is still open is given too."""

    def serve(target: str) -> Serve | None:
        address, asked = urlsplit(target), parse_qs(urlsplit(target).query)
        match address.path:
            case "/v2/markets/":
                return said([_BITSTAMP_PAIR])
            case "/v2/ohlc/btcusdt/":
                first, limit = int(asked["start"][0]) * 1000, int(asked["limit"][0])
                last = first + limit * int(asked["step"][0]) * 1000
                found = [row for row in walk if first <= row.opened < last]
                names = ("open", "high", "low", "close", "volume")
                candles = [
                    {"timestamp": str(row.opened // 1000)} | dict(zip(names, map(repr, row[1:]), strict=True))
                    for row in found
                ]
                return said({"data": {"pair": "BTC/USDT", "ohlc": candles}})
            case _:
                return None

    return serve


_BINANCE_PAIR = {
    "symbol": "BTCUSDT",
    "status": "TRADING",
    "baseAsset": "BTC",
    "quoteAsset": "USDT",
    "isSpotTradingAllowed": True,
    "permissions": ["SPOT"],
    "filters": [],
}
_BITSTAMP_PAIR = {
    "name": "BTC/USDT",
    "description": "Bitcoin / Tether",
    "market_symbol": "btcusdt",
    "minimum_order_value": "10 USDT",
    "base_currency": "BTC",
    "base_decimals": 8,
    "counter_currency": "USDT",
    "counter_decimals": 2,
    "trading": "Enabled",
    "market_type": "SPOT",
}
