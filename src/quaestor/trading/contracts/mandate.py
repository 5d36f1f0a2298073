"""What a person allows a decision session to do, and with what: the mandate, which is part of its options."""

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal, Self

from pydantic import AwareDatetime, Field, JsonValue, StringConstraints, model_validator
from typing_extensions import override

from quaestor.contracts.base import Contract, PromptLine
from quaestor.contracts.settings import RunOptions
from quaestor.trading.contracts.market import TIMEFRAME_MS, Timeframe
from quaestor.trading.contracts.portfolio import SMALLEST_UNIT, Fill, Side, round_amount

Asset = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9][A-Za-z0-9.:/_-]{0,39}$")]
Percent = Annotated[Decimal, Field(ge=0, le=100)]
StrategyRule = Literal["rsi", "macd", "cross"]


class Constraints(Contract):
    """The limits of every trade. Percentages are of 100; None is no limit; `notes` are shown and not enforced."""

    allowed_assets: tuple[Asset, ...] = Field(default=(), description="None: all assets of the mandate.")
    max_cash_pct: Percent = Field(default=Decimal(50), description="The most of the cash that one buy may cost.")
    max_risk_pct: Percent | None = Field(default=None, description="The most of the equity that one buy may cost.")
    max_position_pct: Percent | None = Field(default=None, description="The most of the equity in one asset.")
    max_quantity: Decimal | None = Field(default=None, gt=0, description="Units of the asset in one trade.")
    min_confidence: float | None = Field(default=None, ge=0, le=1)
    stale: Decimal = Field(default=Decimal(2), gt=0, description="Timeframes since the last close; then no trade.")
    notes: tuple[str, ...] = ()

    def tightened_by(self, limits: Mapping[str, JsonValue]) -> Self:
        """Return the limits with those of a plan that are stricter; a plan never loosens any."""
        stricter: dict[str, object] = {}
        for name, value in limits.items():
            if name in _LIMIT_FIELDS and isinstance(value, int | float) and not isinstance(value, bool) and value >= 0:
                stricter |= self._stricter_limit(name, value)
        return self.model_copy(update=stricter)  # unvalidated: a plan may be stricter than any mandate can be

    def _stricter_limit(self, name: str, value: float) -> Mapping[str, object]:
        held = getattr(self, name)
        if name == "min_confidence":
            return {name: max(float(value), held or 0.0)}
        return {name: Decimal(str(value)) if held is None else min(held, Decimal(str(value)))}

    def describe(self) -> tuple[str, ...]:
        """Return every limit in words, then the notes."""
        return (*self.describe_limits(), *self.notes)

    def describe_limits(self) -> tuple[str, ...]:
        """Return every limit that is enforced, in words."""
        limits = (f"{name}: {value}" for name in _LIMIT_FIELDS if (value := getattr(self, name)) is not None)
        assets = (f"allowed_assets: {', '.join(self.allowed_assets)}",) if self.allowed_assets else ()
        return (*assets, *limits)


_LIMIT_FIELDS = ("max_cash_pct", "max_risk_pct", "max_position_pct", "max_quantity", "min_confidence")


class TradingCosts(Contract):
    """What a trade costs beside its price, and how much of an order one candle can fill."""

    fee_pct: Percent = Field(default=Decimal("0.1"), description="Of what is traded.")
    fee: Decimal = Field(default=Decimal(0), ge=0, description="A fixed amount an order.")
    slippage_pct: Percent = Field(default=Decimal("0.05"), description="By which the price moves against the order.")
    volume_pct: Percent | None = Field(
        default=None, description="The most of a candle's volume that one order fills; the rest is cancelled."
    )

    def price(self, side: Side, price: Decimal) -> Decimal:
        """Return the price at which an order is filled, when the last close is `price`."""
        moved = self.slippage_pct / 100
        return price * (1 + moved if side == "buy" else 1 - moved)

    def fill(self, asset: str, side: Side, quantity: Decimal, last: Decimal) -> Fill:
        """Return what an order of so many units comes to, when the last close is `last`."""
        price = self.price(side, last)
        fee = round_amount(self.fee + quantity * price * self.fee_pct / 100)
        return Fill(asset=asset, side=side, quantity=quantity, price=price, fee=fee)


class RsiRule(Contract):
    """Bullish below `low`, bearish above `high`: Wilder's relative strength index."""

    period: int = Field(default=14, ge=2, le=500)
    low: float = Field(default=30, gt=0, lt=100)
    high: float = Field(default=70, gt=0, lt=100)


class MacdRule(Contract):
    """Bullish while the histogram is above zero, bearish below: Appel's convergence of moving averages."""

    fast: int = Field(default=12, ge=2, le=500)
    slow: int = Field(default=26, ge=2, le=500)
    signal: int = Field(default=9, ge=2, le=500)


class CrossRule(Contract):
    """Bullish while the fast simple moving average is above the slow one, bearish below."""

    fast: int = Field(default=20, ge=2, le=500)
    slow: int = Field(default=50, ge=2, le=500)


class Strategy(PromptLine):
    """The rules by which indicators are read, and how much of the room for it a buy takes."""

    rules: tuple[StrategyRule, ...] = Field(default=("rsi", "macd", "cross"), min_length=1)
    rsi: RsiRule = RsiRule()
    macd: MacdRule = MacdRule()
    cross: CrossRule = CrossRule()
    trade_pct: Percent = Field(default=Decimal(50), description="Of the most that the limits let a buy be.")

    @model_validator(mode="after")
    def _check_periods(self) -> Self:
        for name, rule in (("macd", self.macd), ("cross", self.cross)):
            if rule.fast >= rule.slow:
                raise ValueError(
                    f"{name}.fast is {rule.fast} and {name}.slow {rule.slow}; fast must be the shorter one"
                )
        if self.rsi.low >= self.rsi.high:
            raise ValueError(f"rsi.low is {self.rsi.low:g} and rsi.high {self.rsi.high:g}; low must be below high")
        return self

    @property
    @override
    def text(self) -> str:
        """The rules in words."""
        descriptions: Mapping[StrategyRule, str] = {
            "rsi": f"rsi({self.rsi.period}) is bullish below {self.rsi.low:g} and bearish above {self.rsi.high:g}",
            "macd": f"macd({self.macd.fast}, {self.macd.slow}, {self.macd.signal}) is bullish with its histogram "
            "above 0 and bearish below",
            "cross": f"sma({self.cross.fast}) is bullish above sma({self.cross.slow}) and bearish below",
        }
        return "; ".join(descriptions[rule] for rule in self.rules)


class Mandate(Contract):
    """What a person allows: what is traded, with how much, within which limits, and where the orders go."""

    objective: str = Field(min_length=1, max_length=2000)
    assets: tuple[Asset, ...] = Field(min_length=1, max_length=50)
    cash: Decimal = Field(ge=SMALLEST_UNIT, le=10**15, description="In the quote currency, at the beginning.")
    currency: str = Field(default="USD", min_length=1, max_length=10)
    timeframe: Timeframe = "1h"
    candles: str | None = Field(default=None, description="The file or folder of candles; None: the exchange.")
    zone: str | None = Field(default=None, description="That of times without one in these files, as UTC.")
    start: AwareDatetime | None = Field(default=None, description="A backtest begins with the first close since then.")
    end: AwareDatetime | None = Field(default=None, description="The last close that a backtest looks at.")
    schedule: Timeframe | None = Field(default=None, description="How often a cycle is begun; None: by hand.")
    model: str | None = None
    constraints: Constraints = Constraints()
    costs: TradingCosts = TradingCosts()
    strategy: Strategy = Strategy()
    broker: Literal["paper", "exchange"] = "paper"
    exchange: str | None = Field(default=None, description="Its name in ccxt; needed for candles or orders from it.")
    live: bool = Field(default=False, description="Real orders, each approved by a person; else the sandbox.")

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        if strange := sorted(set(self.constraints.allowed_assets) - set(self.assets)):
            raise ValueError(f"constraints.allowed_assets names {', '.join(strange)}, which assets does not")
        if self.broker == "exchange" and self.exchange is None:
            raise ValueError("broker is exchange, so exchange must name one, as kraken")
        if self.live and self.broker != "exchange":
            raise ValueError("live is true and broker paper; orders are live only with the broker exchange")
        if self.start and self.end and self.start > self.end:
            raise ValueError(f"start {self.start} is later than end {self.end}")
        return self

    @property
    def price_lifetime(self) -> timedelta:
        """How long after its close a price may be traded at."""
        return timedelta(milliseconds=float(self.constraints.stale) * TIMEFRAME_MS[self.timeframe])

    @property
    def tradable(self) -> tuple[str, ...]:
        """The assets that may be traded."""
        return self.constraints.allowed_assets or self.assets


class DecisionOptions(RunOptions):
    """What one decision session runs with."""

    identity: ClassVar[frozenset[str]] = RunOptions.identity | {"mandate", "backtest", "sources", "python", "orders"}

    mandate: Mandate
    backtest: bool = Field(default=False, description="One cycle follows the other until there are no more candles.")
    sources: tuple[str, ...] = Field(default=(), description="The files of a backtest, with a hash of what is in them.")
    notes: tuple[str, ...] = Field(default=(), description="What is to be known of these, as gaps.")
    planning_turns: int | None = Field(default=None, ge=0, le=5, description="Tool passes of the strategist; else 5.")
    analysis_steps: int | None = Field(
        default=None, ge=0, le=15, description="Tool runs of the quant, and its tool passes; else 15."
    )
    python: bool = Field(default=False, description="The quant may run Python in the sandbox.")
    orders: bool = Field(default=True, description="A decision that keeps the limits becomes an order; else none does.")

    @property
    @override
    def folder(self) -> str:
        return self.mandate.candles or ""

    @property
    def max_planning_turns(self) -> int:
        """The most tool passes of the strategist; rules need none, for they read what they are given."""
        return self._most("strategist", 5) if self.planning_turns is None else self.planning_turns

    @property
    def max_analysis_steps(self) -> int:
        """The most tool runs of the quant, and its tool passes; rules need none."""
        return self._most("quant", 15) if self.analysis_steps is None else self.analysis_steps

    def _most(self, role: str, usual: int) -> int:
        return 0 if self.models.get(role, self.model) == "offline" else usual
