"""The cycles of a decision session, read from its log in one pass, page by page."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal

from quaestor.contracts.event import (
    ContractAccepted,
    ContractRejected,
    Event,
    FactRecorded,
    Forked,
    SessionStarted,
    ToolInterrupted,
    ToolRequested,
    ToolResponded,
)
from quaestor.contracts.immutable import Immutable
from quaestor.contracts.payload import Value
from quaestor.trading.contracts.decision import DecisionValidation, PortfolioDecision, QuantReport
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import ExecuteInput, ExecutionResult, MarketData
from quaestor.trading.contracts.results import DecisionCycle, Trade


class _PendingOrder(Immutable):
    """An order that is not settled: its cycle, the time of that, and the last price before it."""

    cycle: int
    at: datetime
    price: Decimal


@dataclass(slots=True)
class CycleReader:
    """A reader of events that yields every cycle once it is over.

    It holds the current cycle, the options and the orders that are not settled, so a log may have any length.
    """

    options: DecisionOptions | None = None
    _cycle: DecisionCycle | None = None
    _orders: dict[str, _PendingOrder] = field(default_factory=dict[str, _PendingOrder])

    def read(self, events: Iterable[Event]) -> Iterator[DecisionCycle]:
        """Read the next events, typed, and yield the cycles that are over with them."""
        for event in events:
            if isinstance(event.payload, SessionStarted | Forked):
                self.options = DecisionOptions.model_validate(event.payload.options)
            cycle = self._cycle
            if cycle and cycle.number != event.cycle:
                yield cycle
            if cycle is None or cycle.number != event.cycle:
                cycle = DecisionCycle(number=event.cycle, began_at=event.at)
            self._cycle = self._after(cycle, event)

    def last(self) -> DecisionCycle | None:
        """Return the cycle of the last event, over or not; None when nothing was read."""
        return self._cycle

    def _after(self, cycle: DecisionCycle, event: Event) -> DecisionCycle:
        match event.payload:
            case ContractAccepted(output=value) | FactRecorded(value=value):
                return _fold_value(cycle, value)
            case ContractRejected(final=True, contract=contract, objections=objections):
                return cycle.revised(failed=f"no usable {contract}: {'; '.join(objections)}")
            case ToolResponded(tool="scan", error=str(error)):
                return cycle.revised(failed=f"the market could not be scanned: {error}")
            case ToolResponded(result=MarketData() as market):
                return cycle.revised(market=market)
            case ToolRequested(given=ExecuteInput(order=order, price=price)) if cycle.market:
                self._orders[order.key] = _PendingOrder(cycle.number, cycle.market.at, price)
                return cycle
            case ToolResponded(tool="execute", error=str(error)):
                return _mark_failed(cycle, error)
            case ToolInterrupted(tool="execute"):
                return _mark_failed(cycle, "interrupted on its way, and nobody knows how far it came")
            case ToolResponded(tool="execute" | "reconcile", result=ExecutionResult() as result):
                return self._settled(cycle, result)
            case _:
                return cycle

    def _settled(self, cycle: DecisionCycle, result: ExecutionResult) -> DecisionCycle:
        """Add the trade of an order that is settled for the first time."""
        order = self._orders.pop(result.order_id or "", None)
        if order is None:
            return cycle
        trades = (*cycle.trades, *_order_trades(order, result))
        execution = result if order.cycle == cycle.number else cycle.execution
        return cycle.revised(trades=trades, execution=execution)


def _fold_value(cycle: DecisionCycle, value: Value) -> DecisionCycle:
    match value:
        case QuantReport() as report:
            return cycle.revised(report=report)
        case PortfolioDecision() as decision:
            return cycle.revised(decision=decision)
        case DecisionValidation() as validation:
            return cycle.revised(validation=validation)
        case ExecutionResult() as execution:
            return cycle.revised(execution=execution)
        case _:
            return cycle


def _mark_failed(cycle: DecisionCycle, reason: str) -> DecisionCycle:
    return cycle.revised(execution=ExecutionResult(status="failed", detail=reason))


def _order_trades(order: _PendingOrder, result: ExecutionResult) -> Iterator[Trade]:
    """Yield the fill of an order, at the time of the cycle that sent it."""
    if result.fill:
        fill = result.fill
        worse = fill.price - order.price if fill.side == "buy" else order.price - fill.price
        yield Trade(
            at=order.at,
            asset=fill.asset,
            side=fill.side,
            quantity=fill.quantity,
            price=fill.price,
            fee=fill.fee,
            slippage=worse * fill.quantity,
        )
