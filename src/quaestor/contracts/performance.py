"""What a run of decisions brought: the nouns that its results are measured on, and the results."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from quaestor.contracts.noun import Noun
from quaestor.contracts.portfolio import Side

Benchmark = Literal["buy_and_hold", "cash"]
"""What a strategy is compared with: its assets bought at the start and kept, and its cash left alone."""


class EquityPoint(Noun):
    """What a portfolio was worth at one time, in the currency of its cash."""

    at: AwareDatetime
    cash: Decimal = Field(ge=0)
    holdings: Decimal = Field(ge=0, description="What is held, at the prices of this time.")

    @property
    def equity(self) -> Decimal:
        """Everything together."""
        return self.cash + self.holdings


class Trade(Noun):
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


class Quotes(Noun):
    """The prices of one time; an asset without a price then is not in it."""

    at: AwareDatetime
    prices: Mapping[str, Decimal]


class RoundTrip(Noun):
    """A quantity that was bought and sold again."""

    asset: str
    opened_at: AwareDatetime
    closed_at: AwareDatetime
    quantity: Decimal = Field(gt=0)
    bought: Decimal = Field(description="The price of a unit.")
    sold: Decimal = Field(description="The price of a unit.")
    fees: Decimal = Field(description="The quantity's shares of the fees of both fills.")

    @property
    def profit(self) -> Decimal:
        """What it brought, after fees."""
        return self.quantity * (self.sold - self.bought) - self.fees


class Figure(Noun):
    """A measured number, or why there is none: what is not defined is never shown as 0."""

    value: float | None = None
    absent: str | None = Field(default=None, description="Why it is not defined.")

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.value is None) == (self.absent is None):
            msg = "a figure has a value, or says why it has none"
            raise ValueError(msg)
        return self


class Fall(Noun):
    """The deepest fall of a curve from a peak."""

    peak_at: AwareDatetime = Field(description="The last time of the highest value before it.")
    trough_at: AwareDatetime
    recovered_at: AwareDatetime | None = Field(default=None, description="When the peak was reached again, if it was.")


class Basis(Noun):
    """What figures a year are reckoned with."""

    begins: AwareDatetime
    ends: AwareDatetime
    periods: int = Field(ge=0, description="Steps from one point of the curve to the next.")
    periods_a_year: float | None = Field(description="At the mean length of a period; None when no time passes.")
    risk_free: float = Field(default=0.0, gt=-1, description="The return of a year without risk; 0.04 is 4 %.")
    target: float = Field(default=0.0, gt=-1, description="The return of a year that is aimed at, for Sortino's ratio.")


class CurveFigures(Noun):
    """What is measured on an equity curve. Shares are numbers: 0.25 is 25 %."""

    started_with: Decimal
    ended_with: Decimal
    total_return: Figure
    annual_return: Figure
    volatility: Figure
    sharpe: Figure
    sortino: Figure
    max_drawdown: Figure
    fall: Fall | None = Field(default=None, description="None when the curve never fell.")
    exposure: Figure
    invested: Figure


class TradingFigures(Noun):
    """What is measured on fills. Shares are numbers: 0.25 is 25 %."""

    fills: int = Field(ge=0)
    traded: Decimal
    fees: Decimal
    slippage: Decimal
    turnover: Figure
    annual_turnover: Figure
    round_trips: int = Field(ge=0)
    won: int = Field(ge=0)
    hit_rate: Figure
    profit: Decimal = Field(description="Of all closed round trips, after fees.")
    unmatched: int = Field(default=0, ge=0, description="Sales of what was held from the start, at no known price.")


class Comparison(Noun):
    """A curve that the strategy is compared with."""

    kind: Benchmark
    points: tuple[EquityPoint, ...] = Field(min_length=1)
    figures: CurveFigures
    note: str = Field(description="How the curve is made.")


class Performance(Noun):
    """A run of decisions, measured and compared."""

    basis: Basis
    points: tuple[EquityPoint, ...] = Field(min_length=1)
    figures: CurveFigures
    trading: TradingFigures
    comparisons: tuple[Comparison, ...]
