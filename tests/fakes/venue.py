"""An exchange on loopback, to which ccxt's own client talks in the dialect of Binance.

It fills every market order at once at 100 a unit, for no fee. What it knows is a file with a line an order that came,
so that orders can be counted from outside, whatever is killed.
"""

import asyncio
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import ccxt.async_support as ccxt  # type: ignore[import-untyped]  # it ships no types
from aiohttp import web

from quaestor.trading.exchange_broker import OrderClient

NAME = "binance"
PRICE = Decimal(100)
_SYMBOL = {
    "symbol": "BTCUSDT",
    "status": "TRADING",
    "baseAsset": "BTC",
    "quoteAsset": "USDT",
    "orderTypes": ["LIMIT", "MARKET"],
    "isSpotTradingAllowed": True,
    "permissions": ["SPOT"],
    "filters": [
        {"filterType": "PRICE_FILTER", "minPrice": "0.01", "maxPrice": "1000000", "tickSize": "0.01"},
        {"filterType": "LOT_SIZE", "minQty": "0.00000001", "maxQty": "9000", "stepSize": "0.00000001"},
    ],
}
_UNKNOWN = {"code": -2013, "msg": "Order does not exist."}


@dataclass(frozen=True)
class Placed:
    """An order as it came, under the id that its sender gave it."""

    id: str
    side: str
    quantity: Decimal


class Venue:
    """Takes orders; each waits `latency` seconds before it is taken, and again before it is answered to."""

    def __init__(self, book: Path, latency: float = 0.0) -> None:
        self._book = book
        self._latency = latency
        self._runner = web.AppRunner(self._app())

    async def open(self) -> str:
        """Start to listen; return the address."""
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        return f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def close(self) -> None:
        await self._runner.cleanup()

    def _app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/private/order", self._take)
        app.router.add_get("/private/order", self._told)
        app.router.add_get("/public/exchangeInfo", self._traded)
        app.router.add_get("/{rest:.*}", self._nothing)
        return app

    async def _traded(self, request: web.Request) -> web.Response:
        del request
        return web.json_response({"symbols": [_SYMBOL], "rateLimits": [], "serverTime": 0})

    async def _nothing(self, request: web.Request) -> web.Response:
        del request
        return web.json_response({"symbols": []})

    async def _take(self, request: web.Request) -> web.Response:
        asked = {**request.query, **await request.post()}
        name, quantity = str(asked["newClientOrderId"]), str(asked["quantity"])
        await asyncio.sleep(self._latency)
        with self._book.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"id": name, "side": str(asked["side"]).lower(), "quantity": quantity}) + "\n")
        await asyncio.sleep(self._latency)
        return self._tell(name)

    async def _told(self, request: web.Request) -> web.Response:
        return self._tell(request.query["origClientOrderId"])

    def _tell(self, name: str) -> web.Response:
        found = next((order for order in placed(self._book) if order.id == name), None)
        return web.json_response(_filled(found)) if found else web.json_response(_UNKNOWN, status=400)


def _filled(order: Placed) -> Mapping[str, object]:
    """Return an order as the exchange reports it."""
    return {
        "symbol": "BTCUSDT",
        "orderId": 1,
        "clientOrderId": order.id,
        "origQty": f"{order.quantity:f}",
        "executedQty": f"{order.quantity:f}",
        "cummulativeQuoteQty": f"{order.quantity * PRICE:f}",
        "status": "FILLED",
        "type": "MARKET",
        "side": order.side.upper(),
        "time": 0,
    }


def client(url: str) -> OrderClient:
    """Return ccxt's client of Binance, led to another address."""
    options = {"maxRetriesOnFailure": 0, "fetchMarkets": {"types": ["spot"]}}
    made = getattr(ccxt, NAME)({"apiKey": "k", "secret": "s", "enableRateLimit": False, "options": options})
    made.set_sandbox_mode(True)
    made.urls["api"] = {section: f"{url}/{section}" for section in made.urls["api"]}
    known: OrderClient = made
    return known


def placed(book: Path) -> Sequence[Placed]:
    """Return every order that came, in order."""
    lines = book.read_text(encoding="utf-8").splitlines() if book.exists() else []
    told = [json.loads(line) for line in lines]
    return [Placed(one["id"], one["side"], Decimal(one["quantity"])) for one in told]


def until_more(book: Path, count: int, pid: int) -> None:
    """Wait until the book holds more than so many orders, or a process has ended."""
    while len(placed(book)) <= count and not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
        time.sleep(0.001)
