"""Logs of decision sessions, made by the real workflow in the kernel over a market, a broker and a model of tests."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from typing_extensions import override

from fakes.time import ManualClock
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import Event, SessionStarted
from quaestor.contracts.model import ModelReply, ModelRequest, PreparedCall, ToolsRequest
from quaestor.contracts.session import LeaseOwner, Session
from quaestor.contracts.tools import Tool
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.kernel.lease import acquire_lease
from quaestor.storage.sqlite import open_store
from quaestor.trading.contracts.indicators import StrategyIndicators, StrategyIndicatorsInput
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate, TradingCosts
from quaestor.trading.contracts.portfolio import ExecuteInput, ExecutionResult, MarketData, ReconcileInput, ScanInput
from quaestor.trading.contracts.role_inputs import DecisionInput, QuantInput, StrategyInput
from quaestor.trading.plugin import CODEC
from quaestor.trading.workflow import DecisionWorkflow
from trading.performance.curves import BEGIN, HOUR

SESSION = "trades"
_NOTHING = Spend(model_calls=1)


@dataclass(frozen=True)
class Round:
    """One cycle: the price, and what the manager wants; `spoilt` is what fails in it."""

    price: str
    action: str = "hold"
    quantity: float = 0
    spoilt: str = ""


def mandate(**changes: object) -> Mandate:
    return Mandate.model_validate(
        {
            "objective": "Grow",
            "assets": ("BTC",),
            "cash": "1000",
            "costs": TradingCosts(fee_pct=Decimal(1), slippage_pct=Decimal(2)),
            **changes,
        }
    )


class Manager:
    """A model that plans, reports and decides what the round says."""

    name = "manager"

    def __init__(self, rounds: Sequence[Round]) -> None:
        self._rounds = rounds

    def prepare(self, request: ModelRequest) -> PreparedCall:
        del request
        return PreparedCall(model=self.name, ceiling=_NOTHING, pure=True)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        del prepared
        given = request.given
        now = self._rounds[int(request.key.removeprefix("c").partition("/")[0]) - 1]
        if isinstance(request, ToolsRequest):
            return ModelReply(text="", spend=_NOTHING)
        if now.spoilt == type(given).__name__:
            return ModelReply(text="I had rather not say.", spend=_NOTHING)
        return ModelReply(text=json.dumps(_said(given, now)), spend=_NOTHING)


def _said(given: Contract, now: Round) -> Mapping[str, object]:
    match given:
        case StrategyInput():
            return {"objective": "Grow", "assets": ["BTC"], "quant_question": "Up?", "timeframes": ["1h"]}
        case QuantInput():
            return {"signal": "bullish", "confidence": 0.8, "reasoning": "It rises."}
        case DecisionInput():
            return {
                "action": now.action,
                "asset": "BTC",
                "quantity": now.quantity,
                "confidence": 0.7,
                "reasoning": "So it is.",
                "strategy_used": "none",
            }
        case _:
            raise AssertionError(given)


class Scan(Tool[ScanInput, MarketData]):
    name = "scan"
    description = "Scan the market."
    repeatable = True
    spend = Spend()

    def __init__(self, rounds: Sequence[Round]) -> None:
        self._rounds = rounds

    @override
    async def run(self, given: ScanInput) -> MarketData:
        at = given.at or BEGIN
        place = int((at - BEGIN) / HOUR)
        now = self._rounds[place]
        if now.spoilt == "scan":
            raise ToolFailed("no candle")
        prices = {"BTC": Decimal(now.price)} if now.price else {}
        return MarketData(
            at=at,
            prices=prices,
            volumes=dict.fromkeys(prices, Decimal(1000)),
            portfolio=given.portfolio,
            equity=given.portfolio.equity(prices),
            next=at + HOUR if place + 1 < len(self._rounds) else None,
        )


class Indicators(Tool[StrategyIndicatorsInput, StrategyIndicators]):
    name = "run_indicators"
    description = "Compute indicators."
    repeatable = True
    spend = Spend()

    @override
    async def run(self, given: StrategyIndicatorsInput) -> StrategyIndicators:
        return StrategyIndicators(missing=("none are computed here",))


class Execute(Tool[ExecuteInput, ExecutionResult]):
    name = "execute"
    description = "Carry out an order."
    repeatable = False

    def __init__(self, costs: TradingCosts, rounds: Sequence[Round], results: dict[str, ExecutionResult]) -> None:
        self._costs, self._rounds, self._results = costs, rounds, results

    @override
    async def run(self, given: ExecuteInput) -> ExecutionResult:
        order = given.order
        fill = self._costs.fill(order.asset, order.side, order.quantity, given.price)
        result = ExecutionResult(status="executed", order_id=order.key, detail="filled", fill=fill)
        self._results[order.key] = result
        now = self._rounds[int(order.key.split("/")[1]) - 1]
        if now.spoilt in {"lost", "late"}:
            raise ToolFailed("the line went dead")
        return result


class Reconcile(Tool[ReconcileInput, ExecutionResult]):
    """Says what became of an order; of one that comes late only in a later cycle."""

    name = "reconcile"
    description = "Ask what became of an order."
    repeatable = True
    spend = Spend()

    def __init__(self, rounds: Sequence[Round], results: Mapping[str, ExecutionResult]) -> None:
        self._rounds, self._results = rounds, results
        self._asked = 0

    @override
    async def run(self, given: ReconcileInput) -> ExecutionResult:
        key = given.order.key
        self._asked += 1
        late = self._rounds[int(key.split("/")[1]) - 1].spoilt == "late"
        if late and self._asked <= 3:
            raise ToolFailed("the line is still dead")
        return self._results[key]


async def log(rounds: Sequence[Round], **changes: object) -> Sequence[Event]:
    """Carry a backtest of these rounds, each an hour later, to its end, and return its log."""
    options = DecisionOptions(mandate=mandate(**changes), backtest=True, planning_turns=0, analysis_steps=0)
    clock, store = ManualClock(), open_store(":memory:")
    started = SessionStarted(
        question="Grow", workflow=DecisionWorkflow.name, task_key="k", options=options.model_dump(mode="json")
    )
    first = Event(session_id=SESSION, seq=1, cycle=1, at=clock.now(), state="SCANNING", payload=started)
    session = Session(id=SESSION, task_key="k", workflow=DecisionWorkflow.name, question="Grow", created_at=clock.now())
    await store.create_session(session, [first])
    lease = await acquire_lease(
        store,
        clock,
        SESSION,
        owner=LeaseOwner(host="h", pid=1, started="1"),
        ttl=timedelta(hours=1),
        alive=lambda _: True,
    )
    journal = Journal(SESSION, DecisionWorkflow(), store, clock, lease, codec=CODEC)
    await journal.load()
    results: dict[str, ExecutionResult] = {}
    tools = (
        Scan(rounds),
        Indicators(),
        Execute(options.mandate.costs, rounds, results),
        Reconcile(rounds, results),
    )
    performer = Executor(Manager(rounds), {tool.name: tool for tool in tools}, clock, 10, 10)
    await drive(
        journal, performer, Limits(in_flight={"output_pass": 1, "tool_pass": 1, "tool_run": 1}), asyncio.Event()
    )
    events = [CODEC.decode(event) for event in await store.events(SESSION)]
    await store.close()
    return events
