"""The results of a session, built from its cycles: counts by name, the equity curve and the trades."""

from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Self, TypeVar

from quaestor.trading.contracts.decision import RuleId
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

KeyT = TypeVar("KeyT")


@dataclass(slots=True)
class CycleCounter:
    """A counter of cycles as they come."""

    _cycles: int = 0
    _failed: int = 0
    _signals: dict[str, int] = field(default_factory=dict[str, int])
    _decisions: dict[str, int] = field(default_factory=dict[str, int])
    _executions: dict[str, int] = field(default_factory=dict[str, int])
    _broken: dict[tuple[RuleId, str], int] = field(default_factory=dict[tuple[RuleId, str], int])
    _said: dict[RuleId, str] = field(default_factory=dict[RuleId, str])
    _unpriced: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, cycle: DecisionCycle, assets: Iterable[str]) -> None:
        """Count one more cycle, which may trade these assets."""
        self._cycles += 1
        self._failed += cycle.failed is not None
        if cycle.report:
            _count(self._signals, cycle.report.signal.value)
        if cycle.decision:
            _count(self._decisions, cycle.decision.action)
        if cycle.execution:
            _count(self._executions, cycle.execution.status)
        if cycle.market:
            for asset in assets:
                if asset not in cycle.market.prices:
                    _count(self._unpriced, asset)
        for violation in cycle.validation.violations if cycle.validation else ():
            _count(self._broken, (violation.rule_id, violation.severity))
            self._said[violation.rule_id] = violation.message

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
                    errors=self._broken.get((rule, "error"), 0),
                    warnings=self._broken.get((rule, "warning"), 0),
                    last=message,
                )
                for rule, message in sorted(self._said.items())
            ),
            unpriced=dict(sorted(self._unpriced.items())),
        )


@dataclass(slots=True)
class ResultsBuilder:
    """A builder of results from cycles in order: of each a point of the curve, its prices and its trades."""

    _options: DecisionOptions
    _counter: CycleCounter = field(default_factory=CycleCounter)
    _points: list[EquityPoint] = field(default_factory=list[EquityPoint])
    _quotes: list[PriceSnapshot] = field(default_factory=list[PriceSnapshot])
    _trades: list[Trade] = field(default_factory=list[Trade])

    def copied(self) -> Self:
        """Return a builder that goes on on its own."""
        return replace(
            self,
            _counter=deepcopy(self._counter),
            _points=self._points[:],
            _quotes=self._quotes[:],
            _trades=self._trades[:],
        )

    def add(self, cycle: DecisionCycle) -> None:
        """Take the next cycle."""
        self._counter.add(cycle, self._options.mandate.tradable)
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


def _count(counts: dict[KeyT, int], key: KeyT) -> None:
    counts[key] = counts.get(key, 0) + 1
