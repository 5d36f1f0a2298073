"""The stages of a decision cycle, each with what is known in it.

    Scanning -> Planning -> Analyzing -> Deciding -> Validating -> Executing -> Settling -> Memorizing -> Closed

From any stage a failure, or the end of the session, leads to Memorizing without a trade.
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from quaestor.trading.contracts.decision import DecisionValidation, PortfolioDecision, QuantReport, TradePlan
from quaestor.trading.contracts.portfolio import ExecutionResult, MarketData, MarketOrder
from quaestor.trading.contracts.role_inputs import ComputedValue
from quaestor.trading.tool_passes import ToolPasses


@dataclass(frozen=True, slots=True)
class Scanning:
    """The market is looked at; `at` is the time, None: that of the market. `reconciled` runs asked for open orders."""

    at: datetime | None = None
    reconciled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Planning:
    """The strategist looks around, then plans."""

    market: MarketData
    passes: ToolPasses = field(default_factory=ToolPasses)


@dataclass(frozen=True, slots=True)
class RuleIndicators:
    """What the rules of the strategy read, and why other values are missing."""

    readings: tuple[ComputedValue, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Analyzing:
    """The quant computes, then reports; `indicators` are None until they were computed."""

    market: MarketData
    plan: TradePlan
    indicators: RuleIndicators | None = None
    passes: ToolPasses = field(default_factory=ToolPasses)


@dataclass(frozen=True, slots=True)
class Deciding:
    """The portfolio manager decides."""

    market: MarketData
    plan: TradePlan
    report: QuantReport


@dataclass(frozen=True, slots=True)
class Validating:
    """The decision is compared with the limits."""

    market: MarketData
    plan: TradePlan
    report: QuantReport
    decision: PortfolioDecision


@dataclass(frozen=True, slots=True)
class Executing:
    """The decision becomes an order or none; a live order needs a person's approval."""

    market: MarketData
    plan: TradePlan
    report: QuantReport
    decision: PortfolioDecision
    validation: DecisionValidation
    approval: Literal["unasked", "given", "refused"] = "unasked"


@dataclass(frozen=True, slots=True)
class Settling:
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


@dataclass(frozen=True, slots=True)
class Failed:
    """A cycle failed before there was a decision to carry out."""

    reason: str


@dataclass(frozen=True, slots=True)
class Stopped:
    """The session was ended while the cycle went on."""

    reason: str


CycleOutcome = ExecutionResult | Failed | Stopped


@dataclass(frozen=True, slots=True)
class Memorizing:
    """The cycle ended, and its memory is to be recorded; `reached` is the last stage before."""

    reached: ActiveStage
    outcome: CycleOutcome


@dataclass(frozen=True, slots=True)
class Closed:
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
