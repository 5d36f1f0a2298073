"""Decision sessions: candles that were never traded, roles that say what a test wants, a broker that keeps a book."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from typing_extensions import override

from fakes.offline import offline_model
from fakes.time import ManualClock
from quaestor.contracts.base import Contract
from quaestor.contracts.cost import Budget, Spend
from quaestor.contracts.errors import ToolFailed
from quaestor.contracts.event import Event, SessionStarted, ToolCall
from quaestor.contracts.model import ModelReply, ModelRequest, OutputRequest, PreparedCall
from quaestor.contracts.ports import Store
from quaestor.contracts.session import LeaseOwner, Session
from quaestor.contracts.tools import AnyTool, Tool
from quaestor.kernel.drive import drive
from quaestor.kernel.executor import Executor
from quaestor.kernel.flights import Limits
from quaestor.kernel.journal import Journal
from quaestor.trading.contracts.mandate import DecisionOptions, Mandate
from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleSeries, to_epoch_ms
from quaestor.trading.contracts.portfolio import ExecuteInput, ExecutionResult, MarketOrder, ReconcileInput
from quaestor.trading.market.as_of import BacktestTimeline, RecordedMarket
from quaestor.trading.market.indicator_tools import RunIndicator, RunStrategyIndicators
from quaestor.trading.market.series import CandleRow, build_series
from quaestor.trading.market.snapshot_tools import GetMarketSnapshot, GetPortfolioState, ScanMarket
from quaestor.trading.paper_broker import PaperBroker
from quaestor.trading.plugin import CODEC
from quaestor.trading.state import DecisionState, SessionState, current_cycle_time
from quaestor.trading.workflow import DecisionWorkflow

ASSET = "BTC/USDT"
OTHER = "ETH/USDT"
START = datetime(2026, 1, 5, tzinfo=UTC)
"""The close of the first candle that a session looks at; 100 candles were before it."""
BEFORE = 100
OWNER = LeaseOwner(host="here", pid=1, started="1")
ONE_CALL = Spend(model_calls=1)


def candles(closes: Sequence[float], asset: str = ASSET, volume: float = 10) -> CandleSeries:
    """Return hourly candles that close at these prices from START on, after as many as an indicator needs."""
    before = [100 + 5 * ((place * 7) % 11) / 11 for place in range(BEFORE)]
    first = to_epoch_ms(START - timedelta(hours=BEFORE + 1))
    rows = [
        CandleRow(first + place * TIMEFRAME_MS["1h"], close, close + 1, close - 1, close, volume)
        for place, close in enumerate((*before, *closes))
    ]
    return build_series(asset, "1h", "made up", rows)


def mandate(**said: object) -> Mandate:
    """Return a mandate of 1,000 in cash, without costs."""
    free = {"fee_pct": 0, "slippage_pct": 0}
    return Mandate.model_validate(
        {"objective": "Grow the cash.", "assets": (ASSET,), "cash": 1000, "costs": free, **said}
    )


def options(given: Mandate | None = None, **said: object) -> DecisionOptions:
    """Return the options of a backtest with a model."""
    usual = {"mandate": given or mandate(), "backtest": True, "model": "desk"}
    return DecisionOptions.model_validate({**usual, **said})


def decision(**said: object) -> str:
    """Return a reply of the portfolio manager: by default to buy one unit."""
    usual = {
        "action": "buy",
        "asset": ASSET,
        "quantity": 1,
        "confidence": 0.9,
        "reasoning": "Up.",
        "strategy_used": "x",
    }
    return json.dumps({**usual, **said})


class Desk:
    """A model: it gives the replies of a test by contract, each once and the last one again, else plays by rules."""

    name = "desk"

    def __init__(
        self, replies: Mapping[str, Sequence[str]] | None = None, calls: Mapping[str, Sequence[Sequence[ToolCall]]] = {}
    ) -> None:
        self._replies = {contract: list(said) for contract, said in (replies or {}).items()}
        self._calls = {role: list(chosen) for role, chosen in calls.items()}
        self._rules = offline_model()
        self.requests: list[ModelRequest] = []

    def prepare(self, request: ModelRequest) -> PreparedCall:
        del request
        return PreparedCall(model=self.name, ceiling=ONE_CALL)

    async def answer(self, request: ModelRequest, prepared: PreparedCall) -> ModelReply:
        self.requests.append(request)
        if isinstance(request, OutputRequest):
            said = self._replies.get(request.given.gives.__name__)
            if said:
                return ModelReply(text=said.pop(0) if len(said) > 1 else said[0], spend=ONE_CALL)
        elif request.role in self._calls:
            chosen = self._calls[request.role]
            return ModelReply(text="", calls=tuple(chosen.pop(0)) if chosen else (), spend=ONE_CALL)
        return await self._rules.answer(request, prepared)


class Counted(PaperBroker):
    """A paper broker that remembers which orders came."""

    def __init__(self, given: Mandate) -> None:
        super().__init__(given.costs)
        self.orders: list[ExecuteInput] = []

    @override
    async def run(self, given: Contract) -> ExecutionResult:
        assert isinstance(given, ExecuteInput)
        self.orders.append(given)
        return await super().run(given)


class Book:
    """What an exchange knows: it outlives every process. `silent` orders are taken, and not answered to."""

    def __init__(self, *, silent: bool = False, lost: bool = False) -> None:
        self.results: dict[str, ExecutionResult] = {}
        self.placed: list[str] = []
        self.silent = silent
        self.lost = lost


class Exchange(Tool[ExecuteInput, ExecutionResult]):
    """A broker with a book, which must not be asked twice; a `Tool`."""

    name = "execute"
    description = "Sends an order."
    repeatable = False

    def __init__(self, given: Mandate, book: Book) -> None:
        self._paper = PaperBroker(given.costs)
        self._book = book

    @override
    async def run(self, given: ExecuteInput) -> ExecutionResult:
        if self._book.lost:
            raise ToolFailed("no answer")
        self._book.placed.append(given.order.key)
        self._book.results[given.order.key] = await self._paper.run(given)
        if self._book.silent:
            raise ToolFailed("no answer")
        return self._book.results[given.order.key]


class Asked(Tool[ReconcileInput, ExecutionResult]):
    """Says what a book knows of an order; a `Tool`."""

    name = "reconcile"
    description = "Asks what became of an order."
    repeatable = True

    def __init__(self, book: Book, failing: int = 0) -> None:
        self._book = book
        self._failing = failing
        self.asked: list[MarketOrder] = []

    @override
    async def run(self, given: ReconcileInput) -> ExecutionResult:
        self.asked.append(given.order)
        if len(self.asked) <= self._failing:
            raise ToolFailed("the exchange is down")
        unknown = ExecutionResult(status="failed", order_id=given.order.key, detail="unknown")
        return self._book.results.get(given.order.key, unknown)


def tools(
    said: DecisionOptions, recorded: Sequence[CandleSeries], at: datetime | None = None, *more: AnyTool
) -> list[AnyTool]:
    """Return the tools of a session whose log is at a time; later ones replace those of their name."""
    given = said.mandate
    course = BacktestTimeline(recorded, given.timeframe, start=START, end=given.end, at=at)
    market = RecordedMarket(course.clock, recorded)
    indicator = RunIndicator(market)
    return [
        ScanMarket(market, given.timeframe, course if said.backtest else None),
        GetPortfolioState(),
        GetMarketSnapshot(market),
        RunStrategyIndicators(indicator),
        indicator,
        PaperBroker(given.costs),
        *more,
    ]


async def begin(store: Store, said: DecisionOptions, clock: ManualClock) -> None:
    """Put a session with nothing but its start into a store."""
    await copied(store, [started(said, clock)], clock)


def started(said: DecisionOptions, clock: ManualClock) -> Event:
    payload = SessionStarted(
        question=said.mandate.objective, workflow="decision", task_key="k", options=said.model_dump(mode="json")
    )
    return Event(session_id="s", seq=1, cycle=1, at=clock.now(), state="SCANNING", payload=payload)


async def copied(store: Store, events: Sequence[Event], clock: ManualClock) -> None:
    """Put a session with these events into a store, as a process left it that was killed after the last of them."""
    session = Session(id="s", task_key="k", workflow="decision", question="Grow the cash.", created_at=clock.now())
    await store.create_session(session, events)


async def carried(
    store: Store,
    clock: ManualClock,
    said: DecisionOptions,
    recorded: Sequence[CandleSeries],
    model: Desk | None = None,
    *more: AnyTool,
    budget: Budget | None = None,
) -> DecisionState:
    """Run the session as a new process would; return the state it ends in."""
    held = await store.lease("s")
    lease = await store.take_lease("s", OWNER, held.epoch if held else 0, clock.now() + timedelta(hours=1))
    assert lease is not None
    journal = Journal("s", DecisionWorkflow(), store, clock, lease, codec=CODEC)
    await journal.load()
    at = current_cycle_time(journal.state)
    used = {tool.name: tool for tool in tools(said, recorded, at, *more)}
    performer = Executor(model or Desk(), used, clock, 5, 5)
    limits = Limits(in_flight={"output_pass": 2, "tool_pass": 2, "tool_run": 2}, budget=budget or Budget())
    await drive(journal, performer, limits, asyncio.Event())
    return started_state(journal.state)


def folded(events: Sequence[Event]) -> DecisionState:
    """Return the state of a session after these events."""
    workflow = DecisionWorkflow()
    state = workflow.begin()
    for event in events:
        state = workflow.apply(state, event)
    return started_state(state)


async def decoded(store: Store) -> Sequence[Event]:
    """Return the events of the session, typed."""
    return [CODEC.decode(event) for event in await store.events("s")]


def started_state(state: SessionState) -> DecisionState:
    assert isinstance(state, DecisionState)
    return state
