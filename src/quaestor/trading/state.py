"""The state of a decision session and the stages of its cycle. Of a cycle that is over, only the memory is kept."""

from datetime import datetime
from decimal import Decimal
from typing import Literal

from quaestor.contracts.event import QuestionAsked
from quaestor.contracts.immutable import Immutable, field
from quaestor.trading.contracts.decision import (
    AgentMemory,
    DecisionValidation,
    PortfolioDecision,
    QuantReport,
    TradePlan,
)
from quaestor.trading.contracts.mandate import DecisionOptions
from quaestor.trading.contracts.portfolio import ExecutionResult, MarketData, MarketOrder, Portfolio
from quaestor.trading.contracts.role_inputs import ComputedValue
from quaestor.trading.tool_passes import ToolPasses


class Scanning(Immutable):
    """The market is looked at; `at` is the time, None: that of the market. `reconciled` runs asked for open orders."""

    at: datetime | None = None
    reconciled: frozenset[str] = frozenset()


class Planning(Immutable):
    """The strategist looks around, then plans."""

    market: MarketData
    passes: ToolPasses = field(default_factory=ToolPasses)


class RuleIndicators(Immutable):
    """What the rules of the strategy read, and why other values are missing."""

    readings: tuple[ComputedValue, ...]
    missing: tuple[str, ...]


class Analyzing(Immutable):
    """The quant computes, then reports; `indicators` are None until they were computed."""

    market: MarketData
    plan: TradePlan
    indicators: RuleIndicators | None = None
    passes: ToolPasses = field(default_factory=ToolPasses)


class Deciding(Immutable):
    """The portfolio manager decides."""

    market: MarketData
    plan: TradePlan
    report: QuantReport


class Validating(Immutable):
    """The decision is compared with the limits."""

    market: MarketData
    plan: TradePlan
    report: QuantReport
    decision: PortfolioDecision


class Executing(Immutable):
    """The decision becomes an order or none; a live order needs a person's approval."""

    market: MarketData
    plan: TradePlan
    report: QuantReport
    decision: PortfolioDecision
    validation: DecisionValidation
    approval: Literal["unasked", "given", "refused"] = "unasked"
    stale: str | None = None
    """Why the approval came too late for the price."""


class Settling(Immutable):
    """The order was sent; `unknown_reason` says why it is unknown what became of it, `attempts` how often one asked."""

    market: MarketData
    plan: TradePlan
    report: QuantReport
    decision: PortfolioDecision
    order: MarketOrder
    unknown_reason: str | None = None
    attempts: int = 0


ActiveStage = Scanning | Planning | Analyzing | Deciding | Validating | Executing | Settling
"""The stages of a cycle that is not decided yet, or whose decision is being carried out."""


class Failed(Immutable):
    """A cycle failed before there was a decision to carry out."""

    reason: str


class Stopped(Immutable):
    """The session was ended while the cycle went on."""

    reason: str


CycleOutcome = ExecutionResult | Failed | Stopped


class Memorizing(Immutable):
    """The cycle ended, and its memory is to be recorded; `reached` is the last stage before."""

    reached: ActiveStage
    outcome: CycleOutcome


class Closed(Immutable):
    """The memory is recorded."""

    reached: ActiveStage
    outcome: CycleOutcome


Stage = ActiveStage | Memorizing | Closed


def market_of(stage: Stage) -> MarketData | None:
    """Return what the cycle saw of the market; None before it was scanned."""
    match stage:
        case Scanning():
            return None
        case Memorizing() | Closed():
            return market_of(stage.reached)
        case _:
            return stage.market


def next_cycle_time(stage: Stage) -> datetime | None:
    """Return the time of the next cycle: that of the next candle, or, when none was scanned, the same again."""
    match stage:
        case Scanning(at=at):
            return at
        case Memorizing() | Closed():
            return next_cycle_time(stage.reached)
        case _:
            return stage.market.next


class NotStarted(Immutable):
    """A session before its first event."""


class DecisionState(Immutable):
    """A decision session; `equity` is its worth at the last scan, `stop_reason` why no more is traded."""

    session_id: str
    objective: str
    options: DecisionOptions
    portfolio: Portfolio
    equity: Decimal
    cycle: int = 1
    stage: Stage = field(default_factory=Scanning)
    executed_orders: int = 0
    memory: AgentMemory | None = None
    open_questions: tuple[QuestionAsked, ...] = ()
    stop_reason: str | None = None
    cancelled: bool = False
    finished: bool = False
    todo_id: str | None = None
    """The todo of another workflow that the cycle carries out; None in a session of decisions."""

    @property
    def has_traded(self) -> bool:
        """Whether its portfolio is no longer the cash that it began with, or may not be."""
        return self.executed_orders > 0 or bool(self.portfolio.open_orders)

    @property
    def order_key(self) -> str:
        """The key of this cycle's order, the same in every process and at every broker."""
        return f"{self.session_id}/{self.todo_id or self.cycle}/decision"

    def action_key(self, name: str) -> str:
        """Return the key of an action of this cycle."""
        return f"todo/{self.todo_id}/{name}" if self.todo_id else f"c{self.cycle}/{name}"


SessionState = NotStarted | DecisionState


def current_cycle_time(state: SessionState) -> datetime | None:
    """Return the time of this cycle, at which the clock of a backtest is set again after a restart."""
    market = None if isinstance(state, NotStarted) else market_of(state.stage)
    return market.at if market else None
