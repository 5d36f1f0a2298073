"""What the three roles of a decision cycle are given.

The input of the quant checks what each number of a report came from.
"""

from decimal import Decimal
from math import isclose
from typing import ClassVar

from pydantic import Field
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine
from quaestor.contracts.roles import PromptInput, RoleInput
from quaestor.trading.contracts.decision import PortfolioDecision, QuantReport, TradePlan
from quaestor.trading.contracts.mandate import Strategy

_RELATIVE_TOLERANCE = 1e-6


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
            f"technical_indicators.{name}: no tool run {cited.run!r} computed {cited.value!r}; copy name, value and run"
            for name, cited in reply.technical_indicators.items()
            if not isclose(computed.get((name, cited.run), float("nan")), cited.value, rel_tol=_RELATIVE_TOLERANCE)
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
