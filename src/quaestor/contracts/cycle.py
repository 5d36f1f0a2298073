"""What one decision cycle saw, decided and did; and how a session's cycles went."""

from collections.abc import Mapping

from pydantic import AwareDatetime, Field

from quaestor.contracts.decision import DecisionValidation, PortfolioDecision, QuantReport, RuleId
from quaestor.contracts.mandate import Mandate
from quaestor.contracts.noun import Noun
from quaestor.contracts.performance import Performance, Trade
from quaestor.contracts.portfolio import ExecutionResult, MarketData


class DecisionCycle(Noun):
    """One cycle, as far as it came; what it did not come to is None."""

    number: int = Field(ge=1)
    began_at: AwareDatetime = Field(description="By the clock of the machine that carried it.")
    market: MarketData | None = None
    report: QuantReport | None = None
    decision: PortfolioDecision | None = None
    validation: DecisionValidation | None = None
    execution: ExecutionResult | None = None
    trades: tuple[Trade, ...] = Field(default=(), description="Fills it heard of, also of earlier orders.")
    failed: str | None = Field(default=None, description="Why there is no decision.")


class RuleCount(Noun):
    """How often a rule was broken, and how that was said the last time."""

    rule_id: RuleId
    errors: int = Field(ge=0)
    warnings: int = Field(ge=0)
    last: str


class Tally(Noun):
    """How many cycles there were, and what became of them by name."""

    cycles: int = Field(ge=0)
    signals: Mapping[str, int] = {}
    decisions: Mapping[str, int] = {}
    executions: Mapping[str, int] = {}
    failed: int = Field(default=0, ge=0, description="Cycles without a decision.")
    violations: tuple[RuleCount, ...] = ()
    unpriced: Mapping[str, int] = Field(default={}, description="By asset, the cycles that had no price of it.")


class DecisionRecord(Noun):
    """The results of a decision session, as far as it came."""

    session: str
    mandate: Mandate
    backtest: bool
    models: tuple[str, ...] = Field(description="Who answered.")
    tally: Tally
    performance: Performance | None = Field(description="None when no cycle saw the market.")
    trades: tuple[Trade, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="The files of candles, with a hash of what is in them.")
    notes: tuple[str, ...] = Field(default=(), description="What is to be known of the candles, as gaps.")
