"""Orders at an exchange, with a client that does what exchanges do."""

from collections.abc import Mapping
from decimal import Decimal

import ccxt.async_support as ccxt  # type: ignore[import-untyped]  # it ships no types
import pytest

from quaestor.contracts.errors import SetupError, ToolFailed, UsageError
from quaestor.trading.contracts.portfolio import ExecuteInput, MarketOrder, Portfolio, ReconcileInput, Side
from quaestor.trading.exchange_broker import ExchangeBroker, ReconcileOrder, client_id, connect_private

BTC = "BTC/USDT"
Told = Mapping[str, object]


class Venue:
    """An exchange that gives each lookup in turn, and the last one again and again."""

    id = "venue"
    apiKey: str | None = "a-key-of-the-account"  # noqa: N815 -- ccxt's word
    secret: str | None = "a-secret-of-the-account"  # noqa: S105 -- of nobody
    password: str | None = None

    def __init__(self, *found: Told | Exception, sending: Exception | None = None) -> None:
        self._found = list(found)
        self._sending = sending
        self.sent: list[tuple[str, str, float, object]] = []
        self.cancelled: list[str] = []

    async def load_markets(self) -> Told:
        return {}

    def amount_to_precision(self, symbol: str, amount: float) -> str:
        del symbol
        return f"{int(amount * 1000) / 1000}"

    async def create_market_order(self, symbol: str, side: str, amount: float, price: None, params: Told) -> Told:
        del price
        self.sent.append((symbol, side, amount, params["clientOrderId"]))
        if self._sending:
            raise self._sending
        return {}

    async def fetch_order(self, id: str, symbol: str, params: Told) -> Told:  # noqa: A002 -- ccxt's word
        del id, symbol, params
        found = self._found.pop(0) if len(self._found) > 1 else self._found[0]
        if isinstance(found, Exception):
            raise found
        return found

    async def cancel_order(self, id: str, symbol: str, params: Told) -> Told:  # noqa: A002 -- ccxt's word
        del symbol, params
        self.cancelled.append(id)
        return {}

    async def close(self) -> None:
        return


CLOSED = {"id": "7", "status": "closed", "filled": 0.5, "average": 100.5, "fee": {"cost": 0.05, "currency": "USDT"}}


def order(side: Side = "buy") -> MarketOrder:
    return MarketOrder(key="s/1/decision", asset=BTC, side=side, quantity=Decimal("0.5009"))


def given(side: Side = "buy") -> ExecuteInput:
    portfolio = Portfolio(cash=Decimal(1000), holdings={BTC: Decimal(1)})
    return ExecuteInput(order=order(side), price=Decimal(100), volume=Decimal(1), portfolio=portfolio)


async def test_an_order_is_sent_once_under_an_id_made_of_its_key() -> None:
    venue = Venue(CLOSED)
    result = await ExchangeBroker(venue).run(given())
    assert venue.sent == [(BTC, "buy", 0.5, client_id("s/1/decision"))]
    assert len(client_id("s/1/decision")) == 32
    assert result.fill
    assert (result.fill.quantity, result.fill.price, result.fill.fee) == (
        Decimal("0.5"),
        Decimal("100.5"),
        Decimal("0.05"),
    )
    assert (result.status, result.order_id) == ("executed", "s/1/decision")


@pytest.mark.parametrize(("side", "quantity", "gain"), [("buy", "0.499", "-50.25"), ("sell", "0.501", "50.25")])
async def test_a_fee_in_the_asset_changes_the_units_and_not_the_cash(side: Side, quantity: str, gain: str) -> None:
    venue = Venue({**CLOSED, "fee": {"cost": 0.001, "currency": "BTC"}})
    fill = (await ExchangeBroker(venue).run(given(side))).fill
    assert fill
    assert (fill.quantity, fill.gain) == (Decimal(quantity), Decimal(gain))


async def test_an_order_that_stays_open_is_cancelled_and_what_was_filled_counts() -> None:
    partly = {**CLOSED, "status": "open", "filled": 0.2}
    venue = Venue(partly, partly, partly, {**partly, "status": "canceled"})
    result = await ExchangeBroker(venue).run(given())
    assert venue.cancelled == ["7"]
    assert result.fill
    assert result.fill.quantity == Decimal("0.2")


async def test_no_key_and_no_signature_is_in_what_an_exchange_says_of_an_error() -> None:
    said = (
        "venue POST https://venue.example/order?apiKey=a-key-of-the-account&signature=0f3e 401 a-secret-of-the-account"
    )
    result = await ExchangeBroker(Venue(CLOSED, sending=ccxt.AuthenticationError(said))).run(given())
    assert result.detail == (
        "venue refused it: venue POST https://venue.example/order?apiKey=[key]&signature=[key] 401 [key]"
    )


async def test_an_order_that_is_refused_has_failed() -> None:
    venue = Venue(CLOSED, sending=ccxt.InsufficientFunds("too little"))
    result = await ExchangeBroker(venue).run(given())
    assert (result.status, result.detail) == ("failed", "venue refused it: too little")


async def test_an_order_without_an_answer_is_in_doubt() -> None:
    venue = Venue(CLOSED, sending=ccxt.RequestTimeout("no answer"))
    with pytest.raises(ToolFailed, match="venue did not answer to an order"):
        await ExchangeBroker(venue).run(given())
    assert len(venue.sent) == 1


async def test_reconciling_finds_the_order_that_stands_and_sends_nothing() -> None:
    venue = Venue(CLOSED)
    result = await ReconcileOrder(venue, 0).run(ReconcileInput(order=order()))
    assert result.status == "executed"
    assert venue.sent == []


async def test_an_order_that_arrives_late_is_found_at_the_second_look() -> None:
    venue = Venue(ccxt.OrderNotFound("not yet"), CLOSED)
    assert (await ReconcileOrder(venue, 0).run(ReconcileInput(order=order()))).status == "executed"


async def test_an_order_that_the_exchange_does_not_know_was_never_placed() -> None:
    result = await ReconcileOrder(Venue(ccxt.OrderNotFound("no")), 0).run(ReconcileInput(order=order()))
    assert (result.status, result.fill) == ("failed", None)
    assert "knows no such order" in result.detail


async def test_an_exchange_that_is_down_leaves_the_order_in_doubt() -> None:
    with pytest.raises(ToolFailed, match="does not say what became of"):
        await ReconcileOrder(Venue(ccxt.ExchangeNotAvailable("down")), 0).run(ReconcileInput(order=order()))


async def test_a_client_is_that_of_the_sandbox_unless_it_is_live_and_needs_keys() -> None:
    keys = {"BINANCE_API_KEY": "k", "BINANCE_API_SECRET": "s"}
    for live in (False, True):
        client = connect_private("binance", keys, live=live)
        assert getattr(client, "isSandboxModeEnabled", False) is not live
        assert client.options["maxRetriesOnFailure"] == 0  # type: ignore[attr-defined]
        await client.close()
    with pytest.raises(SetupError, match="set BINANCE_API_KEY and BINANCE_API_SECRET"):
        connect_private("binance", {}, live=False)
    with pytest.raises(UsageError, match="there is no exchange 'nowhere'"):
        connect_private("nowhere", keys, live=False)
    with pytest.raises(UsageError, match="kucoin has no sandbox"):
        connect_private("kucoin", {"KUCOIN_API_KEY": "k", "KUCOIN_API_SECRET": "s"}, live=False)
