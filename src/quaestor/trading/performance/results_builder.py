"""The results of a session, built from its cycles: counts by name, the equity curve and the trades."""

from collections import Counter
from collections.abc import Sequence
from copy import copy, deepcopy
from decimal import Decimal
from typing import Self

from quaestor.trading.contracts.decision import RuleId, Violation
from quaestor.trading.contracts.mandate import DecisionOptions, TradingCosts
from quaestor.trading.contracts.portfolio import MarketData
from quaestor.trading.contracts.results import (
    CycleCounts,
    DecisionCycle,
    DecisionResults,
    EquityPoint,
    Performance,
    PriceSnapshot,
    RuleViolationCount,
    Trade,
)
from quaestor.trading.performance.measurement import measure_performance


class CycleCounter:
    """A counter of cycles as they come."""

    def __init__(self, assets: Sequence[str]) -> None:
        self._assets = assets
        self._cycles = 0
        self._failed = 0
        self._signals = Counter[str]()
        self._decisions = Counter[str]()
        self._executions = Counter[str]()
        self._broken = Counter[tuple[RuleId, str]]()
        self._said: dict[RuleId, str] = {}
        self._unpriced = Counter[str]()

    def add(self, cycle: DecisionCycle) -> None:
        """Count one more cycle."""
        self._cycles += 1
        self._failed += cycle.failed is not None
        if cycle.report:
            self._signals[cycle.report.signal.value] += 1
        if cycle.decision:
            self._decisions[cycle.decision.action] += 1
        if cycle.execution:
            self._executions[cycle.execution.status] += 1
        if cycle.market:
            self._unpriced.update(asset for asset in self._assets if asset not in cycle.market.prices)
        for violation in cycle.validation.violations if cycle.validation else ():
            self._count_violation(violation)

    def tally(self) -> CycleCounts:
        """Return the counts, each kind by name."""
        return CycleCounts(
            cycles=self._cycles,
            signals=dict(sorted(self._signals.items())),
            decisions=dict(sorted(self._decisions.items())),
            executions=dict(sorted(self._executions.items())),
            failed=self._failed,
            violations=tuple(
                RuleViolationCount(
                    rule_id=rule,
                    errors=self._broken[rule, "error"],
                    warnings=self._broken[rule, "warning"],
                    last=message,
                )
                for rule, message in sorted(self._said.items())
            ),
            unpriced=dict(sorted(self._unpriced.items())),
        )

    def _count_violation(self, violation: Violation) -> None:
        self._broken[violation.rule_id, violation.severity] += 1
        self._said[violation.rule_id] = violation.message


class ResultsBuilder:
    """A builder of results from cycles in order: of each a point of the curve, its prices and its trades."""

    def __init__(self, options: DecisionOptions) -> None:
        self._options = options
        self._counter = CycleCounter(options.mandate.tradable)
        self._points: list[EquityPoint] = []
        self._quotes: list[PriceSnapshot] = []
        self._trades: list[Trade] = []

    def copied(self) -> Self:
        """Return a builder that goes on on its own."""
        copied = copy(self)
        copied._counter = deepcopy(self._counter)  # noqa: SLF001 -- of its own class
        copied._points, copied._quotes, copied._trades = self._points[:], self._quotes[:], self._trades[:]  # noqa: SLF001
        return copied

    def add(self, cycle: DecisionCycle) -> None:
        """Take the next cycle."""
        self._counter.add(cycle)
        self._trades += cycle.trades
        if cycle.market:
            self._points.append(equity_point(cycle.market))
            self._quotes.append(PriceSnapshot(at=cycle.market.at, prices=cycle.market.prices))

    def record(self, session: str, *, risk_free: float = 0.0, target: float = 0.0) -> DecisionResults:
        """Measure what there is; `risk_free` and `target` are rates of a year."""
        return DecisionResults(
            session=session,
            mandate=self._options.mandate,
            backtest=self._options.backtest,
            models=tuple(dict.fromkeys((self._options.model, *self._options.models.values()))),
            tally=self._counter.tally(),
            performance=self._measure(risk_free, target) if self._points else None,
            trades=self._trades_by_time(),
            sources=self._options.sources,
            notes=self._options.notes,
        )

    def _trades_by_time(self) -> tuple[Trade, ...]:
        """Return the trades by time; that of an order in doubt is reported to a later cycle."""
        return tuple(sorted(self._trades, key=lambda trade: trade.at))

    def _measure(self, risk_free: float, target: float) -> Performance:
        mandate = self._options.mandate
        return measure_performance(
            self._points,
            self._trades_by_time(),
            self._quotes,
            mandate.tradable,
            cost=purchase_cost(mandate.costs),
            risk_free=risk_free,
            target=target,
        )


def equity_point(market: MarketData) -> EquityPoint:
    """Return the worth of a portfolio at the prices of its cycle; what has no price counts for nothing."""
    held = market.portfolio.holdings.items()
    worth = sum((units * market.prices.get(asset, Decimal(0)) for asset, units in held), Decimal(0))
    return EquityPoint(at=market.at, cash=market.portfolio.cash, holdings=worth)


def purchase_cost(costs: TradingCosts) -> Decimal:
    """Return the share of its price that a purchase costs: slippage, and the fee on what is paid with it."""
    return (1 + costs.slippage_pct / 100) * (1 + costs.fee_pct / 100) - 1
