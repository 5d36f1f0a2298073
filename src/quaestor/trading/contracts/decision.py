"""The contracts of a decision cycle, and what its three roles are given.

What a model decides is looser here than a good decision is: the validator, which is no model, names what is wrong with
it by the id of a rule. What a number in a report came from is checked by the report's own given.
"""

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from math import isclose
from typing import ClassVar, Literal

from pydantic import Field, JsonValue
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.trading.contracts.mandate import Strategy
from quaestor.trading.contracts.market import IndicatorResult, MarketInput, Timeframe

RuleId = Literal[
    "action",
    "confidence",
    "hold_quantity",
    "quantity",
    "allowed_assets",
    "price",
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

_RELATIVE_TOLERANCE = 1e-6


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
        return f"{self.signal}, confidence {self.confidence:g}: {self.reasoning}{numbers}"


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
        """Give everything in lines."""
        return (
            self.short_term_summary,
            *(f"Hypothesis: {one}" for one in self.active_hypotheses),
            *(f"Pending order: {one}" for one in self.pending_orders),
            *(f"Next step: {one}" for one in self.next_steps),
        )


class ComputedValue(PromptLine):
    """A computed number: what of, its value, and the key of the tool run."""

    name: str
    value: float
    run: str

    @property
    @override
    def text(self) -> str:
        """The number in a line, as a report must repeat it."""
        return f"{self.name} = {self.value!r} (run {self.run})"


class TradeCapacity(PromptLine):
    """One asset: its price, the units that are held, and the most that the limits let a trade buy or sell."""

    asset: str
    price: Decimal
    held: Decimal
    buy: Decimal
    sell: Decimal

    @property
    @override
    def text(self) -> str:
        """The asset in a line."""
        return (
            f"{self.asset}: price {self.price:f}, held {self.held:f}, "
            f"can be bought up to {self.buy:f}, sold up to {self.sell:f}"
        )


class StrategyIndicatorsInput(MarketInput):
    """For the standing indicators: those that the rules of a strategy read."""

    assets: tuple[str, ...]
    timeframe: Timeframe
    strategy: Strategy


class StrategyIndicators(Contract):
    """Computed numbers by name, and why others are not there."""

    readings: Mapping[str, float] = {}
    missing: tuple[str, ...] = ()


def named_indicator_values(result: IndicatorResult) -> Mapping[str, float]:
    """Give the outputs of an indicator by full name, as `BTC/USDT 1h macd(12,26,9).histogram`, the latest first.

    An output of an earlier candle has the time of its close behind its name. Values have eight digits, so that they can
    be repeated exactly.
    """
    parameters = ",".join(f"{value:g}" for value in result.parameters.named().values())
    stem = f"{result.asset} {result.timeframe} {result.indicator}({parameters})"
    named: dict[str, float] = {}
    for place, value in enumerate(reversed(result.values)):
        at = f" at {value.closed:%Y-%m-%d %H:%M}" if place else ""
        for output, number in value.outputs.items():
            name = stem if output == result.indicator and len(value.outputs) == 1 else f"{stem}.{output}"
            named[f"{name}{at}"] = float(f"{number:.8g}")
    return named


class StrategyToolsInput(PromptInput):
    """For the strategist's tool pass: what it has seen so far."""

    objective: str
    assets: tuple[str, ...]
    timeframes: tuple[str, ...]
    constraints: tuple[str, ...] = Field(default=(), description="The limits of every trade.")
    memory: tuple[str, ...] = Field(default=(), description="What the cycle before left.")
    market: tuple[str, ...] = Field(default=(), description="Time, prices, cash and holdings of the cycle.")
    seen: tuple[str, ...] = Field(default=(), description="What the tools gave in this cycle.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls that could not be made, with the reason.")
    passes_left: int = Field(ge=0, description="Tool passes that may follow this one.")


class StrategyInput(RoleInput):
    """For the strategist: what it plans from."""

    gives: ClassVar[type[Contract]] = TradePlan

    objective: str
    assets: tuple[str, ...]
    timeframes: tuple[str, ...]
    cycle: int = Field(default=1, ge=1, description="Which cycle of the session it is.")
    constraints: tuple[str, ...] = Field(default=(), description="The limits of every trade.")
    strategy: Strategy = Strategy()
    memory: tuple[str, ...] = Field(default=(), description="What the cycle before left.")
    market: tuple[str, ...] = Field(default=(), description="Time, prices, cash and holdings of the cycle.")
    seen: tuple[str, ...] = Field(default=(), description="What the tools gave in this cycle.")

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse assets and timeframes that the mandate does not name."""
        if not isinstance(reply, TradePlan):
            return super().objections(reply)
        return (
            *_unknown_names("asset", reply.assets, self.assets),
            *_unknown_names("timeframe", reply.timeframes, self.timeframes),
        )


class QuantToolsInput(PromptInput):
    """For the quant's tool pass: the question, and what was computed so far; nothing of the portfolio."""

    quant_question: str
    assets: tuple[str, ...]
    timeframes: tuple[str, ...]
    expected_outputs: tuple[str, ...] = ()
    strategy: Strategy = Strategy()
    readings: tuple[ComputedValue, ...] = Field(default=(), description="Computed numbers, each with its tool run.")
    seen: tuple[str, ...] = Field(default=(), description="What else the tools gave.")
    refused: tuple[str, ...] = Field(default=(), description="Tool calls that could not be made, with the reason.")
    steps_left: int = Field(ge=0, description="Tool runs that may still be made.")


class QuantInput(RoleInput):
    """For the quant: the question, and every number it may use; nothing of the portfolio."""

    gives: ClassVar[type[Contract]] = QuantReport

    quant_question: str
    assets: tuple[str, ...]
    timeframes: tuple[str, ...]
    expected_outputs: tuple[str, ...] = ()
    strategy: Strategy = Strategy()
    readings: tuple[ComputedValue, ...] = Field(default=(), description="Computed numbers, each with its tool run.")
    seen: tuple[str, ...] = Field(default=(), description="What else the tools gave.")

    @override
    def objections(self, reply: Contract) -> tuple[str, ...]:
        """Refuse numbers that no tool run computed."""
        if not isinstance(reply, QuantReport):
            return super().objections(reply)
        computed = {(one.name, one.run): one.value for one in self.readings}
        return tuple(
            f"technical_indicators.{name}: no tool run {said.run!r} computed {said.value!r}; copy name, value and run"
            for name, said in reply.technical_indicators.items()
            if not isclose(computed.get((name, said.run), float("nan")), said.value, rel_tol=_RELATIVE_TOLERANCE)
        )


class DecisionInput(RoleInput):
    """For the portfolio manager: the market, the plan and the report; and what the limits leave room for."""

    gives: ClassVar[type[Contract]] = PortfolioDecision

    objective: str
    constraints: tuple[str, ...] = Field(default=(), description="The limits of every trade.")
    strategy: Strategy = Strategy()
    memory: tuple[str, ...] = Field(default=(), description="What the cycle before left.")
    market: tuple[str, ...] = Field(default=(), description="Time, prices, cash and holdings of the cycle.")
    room: tuple[TradeCapacity, ...] = Field(default=(), description="What a trade of each asset may be.")
    plan: TradePlan
    report: QuantReport


def _unknown_names(what: str, named: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        f"{one!r} is no {what} of this mandate; there is {', '.join(known)}" for one in named if one not in known
    )
