"""What one decision cycle saw, decided and did; and how a session's cycles went."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from quaestor.contracts.base import Contract
from quaestor.trading.contracts.decision import DecisionValidation, PortfolioDecision, QuantReport, RuleId
from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.portfolio import ExecutionResult, MarketData, Side


class Trade(Contract):
    """A fill, with its time and with what the order lost against the last price before it."""

    at: AwareDatetime
    asset: str
    side: Side
    quantity: Decimal = Field(gt=0)
    price: Decimal = Field(gt=0, description="What one unit was traded at, slippage included.")
    fee: Decimal = Field(default=Decimal(0), ge=0)
    slippage: Decimal = Field(default=Decimal(0), description="It is in the price already.")

    @property
    def notional(self) -> Decimal:
        """What was traded, without the fee."""
        return self.quantity * self.price


class DecisionCycle(Contract):
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


class RuleViolationCount(Contract):
    """How often a rule was broken, and how that was said the last time."""

    rule_id: RuleId
    errors: int = Field(ge=0)
    warnings: int = Field(ge=0)
    last: str


class CycleCounts(Contract):
    """How many cycles there were, and what became of them by name."""

    cycles: int = Field(ge=0)
    signals: Mapping[str, int] = {}
    decisions: Mapping[str, int] = {}
    executions: Mapping[str, int] = {}
    failed: int = Field(default=0, ge=0, description="Cycles without a decision.")
    violations: tuple[RuleViolationCount, ...] = ()
    unpriced: Mapping[str, int] = Field(default={}, description="By asset, the cycles that had no price of it.")


class MeasurementBasis(Contract):
    """What figures a year are reckoned with."""

    begins: AwareDatetime
    ends: AwareDatetime
    periods: int = Field(ge=0, description="Steps from one point of the curve to the next.")
    periods_a_year: float | None = Field(description="At the mean length of a period; None when no time passes.")
    risk_free: float = Field(default=0.0, gt=-1, description="The return of a year without risk; 0.04 is 4 %.")
    target: float = Field(default=0.0, gt=-1, description="The return of a year that is aimed at, for Sortino's ratio.")


class EquityPoint(Contract):
    """What a portfolio was worth at one time, in the currency of its cash."""

    at: AwareDatetime
    cash: Decimal = Field(ge=0)
    holdings: Decimal = Field(ge=0, description="What is held, at the prices of this time.")

    @property
    def equity(self) -> Decimal:
        """Everything together."""
        return self.cash + self.holdings


class Metric(Contract):
    """A measured number, or why there is none: what is not defined is never shown as 0."""

    value: float | None = None
    absent: str | None = Field(default=None, description="Why it is not defined.")

    @model_validator(mode="after")
    def _check_exactly_one(self) -> Self:
        if (self.value is None) == (self.absent is None):
            raise ValueError("a figure has a value, or says why it has none")
        return self


class Drawdown(Contract):
    """The deepest fall of a curve from a peak."""

    peak_at: AwareDatetime = Field(description="The last time of the highest value before it.")
    trough_at: AwareDatetime
    recovered_at: AwareDatetime | None = Field(default=None, description="When the peak was reached again, if it was.")


class CurveMetrics(Contract):
    """What is measured on an equity curve. Shares are numbers: 0.25 is 25 %."""

    started_with: Decimal
    ended_with: Decimal
    total_return: Metric
    annual_return: Metric
    volatility: Metric
    sharpe: Metric
    sortino: Metric
    max_drawdown: Metric
    fall: Drawdown | None = Field(default=None, description="None when the curve never fell.")
    exposure: Metric
    invested: Metric


class TradeMetrics(Contract):
    """What is measured on fills. Shares are numbers: 0.25 is 25 %."""

    fills: int = Field(ge=0)
    traded: Decimal
    fees: Decimal
    slippage: Decimal
    turnover: Metric
    annual_turnover: Metric
    round_trips: int = Field(ge=0)
    won: int = Field(ge=0)
    hit_rate: Metric
    profit: Decimal = Field(description="Of all closed round trips, after fees.")
    unmatched: int = Field(default=0, ge=0, description="Sales of what was held from the start, at no known price.")


Benchmark = Literal["buy_and_hold", "cash"]
"""What a strategy is compared with: its assets bought at the start and kept, and its cash left alone."""


class BenchmarkComparison(Contract):
    """A curve that the strategy is compared with."""

    kind: Benchmark
    points: tuple[EquityPoint, ...] = Field(min_length=1)
    figures: CurveMetrics
    note: str = Field(description="How the curve is made.")


class Performance(Contract):
    """A run of decisions, measured and compared."""

    basis: MeasurementBasis
    points: tuple[EquityPoint, ...] = Field(min_length=1)
    figures: CurveMetrics
    trading: TradeMetrics
    comparisons: tuple[BenchmarkComparison, ...]


class DecisionResults(Contract):
    """The results of a decision session, as far as it came."""

    session: str
    mandate: Mandate
    backtest: bool
    models: tuple[str, ...] = Field(description="Who answered.")
    tally: CycleCounts
    performance: Performance | None = Field(description="None when no cycle saw the market.")
    trades: tuple[Trade, ...] = ()
    sources: tuple[str, ...] = Field(default=(), description="The files of candles, with a hash of what is in them.")
    notes: tuple[str, ...] = Field(default=(), description="What is to be known of the candles, as gaps.")


class PriceSnapshot(Contract):
    """The prices of one time; an asset without a price then is not in it."""

    at: AwareDatetime
    prices: Mapping[str, Decimal]


class RoundTrip(Contract):
    """A quantity that was bought and sold again."""

    asset: str
    opened_at: AwareDatetime
    closed_at: AwareDatetime
    quantity: Decimal = Field(gt=0)
    buy_price: Decimal = Field(description="The price of a unit.")
    sell_price: Decimal = Field(description="The price of a unit.")
    fees: Decimal = Field(description="The quantity's shares of the fees of both fills.")

    @property
    def profit(self) -> Decimal:
        """What it brought, after fees."""
        return self.quantity * (self.sell_price - self.buy_price) - self.fees
