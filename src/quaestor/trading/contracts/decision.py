"""The contracts of a decision cycle, from its plan to its memory.

What a model decides is looser here than a good decision is: the validator, which is no model, names what is wrong with
it by the id of a rule.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal

from pydantic import Field, JsonValue
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine

RuleId = Literal[
    "action",
    "confidence",
    "hold_quantity",
    "quantity",
    "allowed_assets",
    "price",
    "stale",
    "open_order",
    "holding",
    "max_cash_pct",
    "max_risk_pct",
    "max_position_pct",
    "max_quantity",
    "min_confidence",
    "volume",
]
"""What a decision is measured by, each rule by its name."""


class Signal(StrEnum):
    """Where the numbers point."""

    BULLISH = "bullish"
    BEARISH = "bearish"
    NEUTRAL = "neutral"
    UNCERTAIN = "uncertain"


class TradePlan(PromptLine):
    """What a cycle is to find out, in one question that numbers can answer."""

    objective: str = Field(min_length=1, max_length=2000)
    assets: tuple[str, ...] = Field(min_length=1)
    quant_question: str = Field(min_length=1, max_length=2000)
    timeframes: tuple[str, ...] = Field(min_length=1)
    constraints: Mapping[str, JsonValue] = Field(default={}, description="Stricter limits, by name.")
    expected_outputs: tuple[str, ...] = ()

    @property
    @override
    def text(self) -> str:
        """The plan in a line."""
        return f"{self.objective} ({', '.join(self.assets)} over {', '.join(self.timeframes)}): {self.quant_question}"


class ReportedValue(Contract):
    """A number of a report with the key of the tool run that it came from."""

    value: float
    run: str


class QuantReport(PromptLine):
    """The answer to the plan's question, in numbers that were computed."""

    signal: Signal
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(min_length=1, max_length=4000)
    technical_indicators: Mapping[str, ReportedValue] = {}

    @property
    @override
    def text(self) -> str:
        """The report in a line."""
        numbers = "".join(f"; {name} = {one.value:g}" for name, one in self.technical_indicators.items())
        return f"{self.signal}, confidence {self.confidence:g}: {self.reasoning.rstrip('.')}{numbers}"


class PortfolioDecision(Contract):
    """One trade, or none. Only the validator says whether it is allowed."""

    action: str = Field(json_schema_extra={"enum": ["buy", "sell", "hold"]})
    asset: str
    quantity: float = Field(description="Units of the asset; 0 on hold.")
    confidence: float = Field(json_schema_extra={"minimum": 0, "maximum": 1})
    reasoning: str = Field(max_length=4000)
    strategy_used: str = Field(max_length=300)


class Violation(Contract):
    """A rule that a decision breaks; a warning alone refuses nothing."""

    rule_id: RuleId
    severity: Literal["error", "warning"]
    message: str


class DecisionValidation(Contract):
    """Whether a decision may be executed."""

    passed: bool
    violations: tuple[Violation, ...] = ()


class AgentMemory(Contract):
    """What a cycle leaves to the next one."""

    short_term_summary: str
    active_hypotheses: tuple[str, ...] = ()
    pending_orders: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()

    def describe(self) -> tuple[str, ...]:
        """Return everything in lines."""
        return (
            self.short_term_summary,
            *(f"Hypothesis: {one}" for one in self.active_hypotheses),
            *(f"Pending order: {one}" for one in self.pending_orders),
            *(f"Next step: {one}" for one in self.next_steps),
        )
