"""Orders at an exchange, through ccxt; needs the extra `exchange`.

An order carries an id that is made of its key, so that the exchange itself can be asked whether it exists. A request
that got no answer is never sent again: it is in doubt, and reconciled.
"""

import asyncio
import re
from collections.abc import Mapping
from decimal import Decimal
from hashlib import sha256
from typing import Protocol

import ccxt.async_support as ccxt  # type: ignore[import-untyped]  # it ships no types
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import override

from quaestor.contracts.errors import SetupError, ToolFailed, UsageError
from quaestor.contracts.tools import Tool
from quaestor.http.endpoint import Redaction
from quaestor.trading.contracts.portfolio import (
    ExecuteInput,
    ExecutionResult,
    Fill,
    MarketOrder,
    ReconcileInput,
    round_amount,
)

_SIGNATURE = re.compile(r"(signature=)[^&\s]+", re.IGNORECASE)
_MAX_POLLS = 3
"""How often a market order is looked at until it has ended; then the rest of it is cancelled."""


class OrderClient(Protocol):
    """What is used of an exchange of ccxt."""

    id: str
    apiKey: str | None  # noqa: N815 -- ccxt's word
    secret: str | None
    password: str | None

    async def load_markets(self) -> Mapping[str, object]:
        """Read what is traded, and in which steps."""

    def amount_to_precision(self, symbol: str, amount: float) -> str:
        """Round an amount down to the steps of the exchange."""

    async def create_market_order(
        self, symbol: str, side: str, amount: float, price: None, params: Mapping[str, object]
    ) -> Mapping[str, object]:
        """Send an order."""

    async def fetch_order(self, id: str, symbol: str, params: Mapping[str, object]) -> Mapping[str, object]:  # noqa: A002 -- ccxt's word
        """Look an order up."""

    async def cancel_order(self, id: str, symbol: str, params: Mapping[str, object]) -> Mapping[str, object]:  # noqa: A002 -- ccxt's word
        """Cancel what of an order is not filled."""

    async def close(self) -> None:
        """Close its connections."""


def connect_private(name: str, environment: Mapping[str, str], *, live: bool) -> OrderClient:
    """Return ccxt's client of an exchange: its sandbox, unless `live`. It sends nothing twice by itself.

    Raises UsageError for a name that ccxt does not know and for an exchange without a sandbox, SetupError without keys.
    """
    if name not in ccxt.exchanges:
        raise UsageError(f"there is no exchange {name!r}; name one as ccxt does, such as binance or kraken")
    key, secret = f"{name.upper()}_API_KEY", f"{name.upper()}_API_SECRET"
    missing = [variable for variable in (key, secret) if not environment.get(variable)]
    if missing:
        raise SetupError(f"orders at {name} need a key: set {' and '.join(missing)}, or use the broker paper")
    keys = {
        "apiKey": environment[key],
        "secret": environment[secret],
        "password": environment.get(f"{name.upper()}_API_PASSWORD"),
    }
    client = getattr(ccxt, name)({**keys, "enableRateLimit": True, "options": {"maxRetriesOnFailure": 0}})
    if not live:
        if not client.urls.get("test"):
            raise UsageError(f"{name} has no sandbox; use another exchange, or the broker paper")
        client.set_sandbox_mode(True)
    known: OrderClient = client
    return known


def _reason(client: OrderClient, error: Exception) -> str:
    """Return what ccxt says of an error, with the URL that was asked but without keys and signatures."""
    keys = Redaction.of(client.apiKey, client.secret, client.password)
    return _SIGNATURE.sub(r"\1[key]", keys.redact_reply(str(error)))


def client_id(key: str) -> str:
    """Return the id under which an exchange knows an order: 32 letters and digits, which every one takes."""
    return f"q{sha256(key.encode()).hexdigest()[:31]}"


class ExchangeBroker(Tool[ExecuteInput, ExecutionResult]):
    """A `Tool` that sends an order to an exchange and never runs twice."""

    name = "execute"
    description = "Sends an order to the exchange."
    repeatable = False

    def __init__(self, client: OrderClient) -> None:
        self._client = client

    @override
    async def run(self, given: ExecuteInput) -> ExecutionResult:
        """Send an order and see it end; what cannot be filled is cancelled. An order that is refused has failed.

        Raises ToolFailed when it is not known what became of it.
        """
        order = given.order
        try:
            # By itself, before anything is sent: a failure here is certain to have traded nothing.
            await self._client.load_markets()
        except ccxt.BaseError as error:
            return ExecutionResult.failure(
                order,
                f"{self._client.id} does not say what it trades, so nothing was sent: {_reason(self._client, error)}",
            )
        try:
            amount = float(self._client.amount_to_precision(order.asset, float(order.quantity)))
            params = {"clientOrderId": client_id(order.key)}
            await self._client.create_market_order(order.asset, order.side, amount, None, params)
        # The exchange itself has answered, so there is no order; after any other error that is in doubt.
        except ccxt.ExchangeError as error:
            return ExecutionResult.failure(order, f"{self._client.id} refused it: {_reason(self._client, error)}")
        except ccxt.BaseError as error:
            raise ToolFailed(f"{self._client.id} did not answer to an order: {_reason(self._client, error)}") from error
        return await _poll_until_closed(self._client, order)


class ReconcileOrder(Tool[ReconcileInput, ExecutionResult]):
    """A `Tool` that asks an exchange for the state of an order, by its id."""

    name = "reconcile"
    description = "Asks the exchange what became of an order."
    repeatable = True

    def __init__(self, client: OrderClient, patience_seconds: float = 10) -> None:
        self._client = client
        self._retry_delay = patience_seconds

    @override
    async def run(self, given: ReconcileInput) -> ExecutionResult:
        """Return what became of an order; one that the exchange does not know was never sent, and has failed.

        It is asked once more after some seconds then, for an order may still be on its way. Raises ToolFailed when the
        exchange does not say.
        """
        result = await _poll_until_closed(self._client, given.order)
        # Only an answer that nothing was traded is doubted: an order on its way looks the same.
        if result.status == "failed":
            await asyncio.sleep(self._retry_delay)
            result = await _poll_until_closed(self._client, given.order)
        return result


def broker_tools(client: OrderClient, retry_seconds: float) -> tuple[ExchangeBroker, ReconcileOrder]:
    """Return the tools that send an order to an exchange and ask for its state, once more after `retry_seconds`."""
    return ExchangeBroker(client), ReconcileOrder(client, retry_seconds)


class _CcxtFee(BaseModel):
    """A fee as ccxt tells it."""

    model_config = ConfigDict(extra="ignore")

    cost: Decimal | None = None
    currency: str | None = None


class _CcxtOrder(BaseModel):
    """An order as ccxt tells it, as far as it matters here."""

    model_config = ConfigDict(extra="ignore")

    id: str | None = None
    status: str | None = None
    filled: Decimal | None = Field(default=None, ge=0)
    average: Decimal | None = Field(default=None, ge=0)
    price: Decimal | None = Field(default=None, ge=0)
    fee: _CcxtFee | None = None


async def _poll_until_closed(client: OrderClient, order: MarketOrder) -> ExecutionResult:
    """Look an order up until it has ended; cancel what is left of it."""
    params = {"clientOrderId": client_id(order.key)}
    try:
        found = await _fetch_order(client, order, params)
        for _ in range(_MAX_POLLS - 1):
            if found.status != "open":
                return _execution_result(order, found)
            found = await _fetch_order(client, order, params)
        if found.status == "open":
            # It may be filled before the cancellation arrives, so it is looked up once more.
            await client.cancel_order(found.id or "", order.asset, params)
            found = await _fetch_order(client, order, params)
    except ccxt.OrderNotFound:
        return ExecutionResult.failure(order, f"{client.id} knows no such order, so nothing was traded")
    except ccxt.BaseError as error:
        reason = _reason(client, error)
        raise ToolFailed(f"{client.id} does not say what became of {client_id(order.key)}: {reason}") from error
    if found.status == "open":
        raise ToolFailed(f"{client.id} has not ended {client_id(order.key)} yet; ask again")
    return _execution_result(order, found)


async def _fetch_order(client: OrderClient, order: MarketOrder, params: Mapping[str, object]) -> _CcxtOrder:
    return _CcxtOrder.model_validate(await client.fetch_order("", order.asset, params))


def _execution_result(order: MarketOrder, found: _CcxtOrder) -> ExecutionResult:
    price = found.average or found.price
    if not found.filled or not price:
        return ExecutionResult.failure(order, f"it ended as {found.status}, and nothing was traded")
    fill = _fill(order, found.filled, price, found.fee or _CcxtFee())
    done = "bought" if order.side == "buy" else "sold"
    detail = f"{done} {fill.quantity:f} of {order.quantity:f} {order.asset} at {fill.price:f}, fee {fill.fee:f}"
    return ExecutionResult(status="executed", order_id=order.key, detail=detail, fill=fill)


def _fill(order: MarketOrder, filled: Decimal, price: Decimal, fee: _CcxtFee) -> Fill:
    """Return a fill with its fee in the quote currency; one that was taken in the asset leaves fewer units."""
    cost = abs(fee.cost or Decimal(0))
    if fee.currency != order.asset.partition("/")[0]:
        return Fill(asset=order.asset, side=order.side, quantity=filled, price=price, fee=round_amount(cost))
    # So the units are right, and with the fee in money the cash is as well.
    changed = filled - cost if order.side == "buy" else filled + cost
    return Fill(asset=order.asset, side=order.side, quantity=changed, price=price, fee=round_amount(cost * price))
