"""The results of a decision session, gathered from its cycles one after the other."""

from decimal import Decimal

from quaestor.contracts.cycle import DecisionCycle, DecisionRecord
from quaestor.contracts.mandate import Costs, DecisionOptions
from quaestor.contracts.performance import EquityPoint, Performance, Quotes, Trade
from quaestor.contracts.portfolio import MarketData
from quaestor.views.performance.measure import performance
from quaestor.views.performance.tally import Counting


class Gathering:
    """Takes cycles in order, and keeps of each a point of the curve, its prices and its trades."""

    def __init__(self, options: DecisionOptions) -> None:
        self._options = options
        self._counting = Counting(options.mandate.tradable)
        self._points: list[EquityPoint] = []
        self._quotes: list[Quotes] = []
        self._trades: list[Trade] = []

    def add(self, cycle: DecisionCycle) -> None:
        """Take the next cycle."""
        self._counting.add(cycle)
        self._trades += cycle.trades
        if cycle.market:
            self._points.append(point(cycle.market))
            self._quotes.append(Quotes(at=cycle.market.at, prices=cycle.market.prices))

    def record(self, session: str, *, risk_free: float = 0.0, target: float = 0.0) -> DecisionRecord:
        """Measure what there is; `risk_free` and `target` are rates of a year."""
        return DecisionRecord(
            session=session,
            mandate=self._options.mandate,
            backtest=self._options.backtest,
            models=tuple(dict.fromkeys((self._options.model, *self._options.models.values()))),
            tally=self._counting.tally(),
            performance=self._measured(risk_free, target) if self._points else None,
            trades=self._in_order(),
            sources=self._options.sources,
            notes=self._options.notes,
        )

    def _in_order(self) -> tuple[Trade, ...]:
        """Give the trades by time; of an order in doubt a later cycle hears."""
        return tuple(sorted(self._trades, key=lambda trade: trade.at))

    def _measured(self, risk_free: float, target: float) -> Performance:
        mandate = self._options.mandate
        return performance(
            self._points,
            self._in_order(),
            self._quotes,
            mandate.tradable,
            cost=purchase_cost(mandate.costs),
            risk_free=risk_free,
            target=target,
        )


def point(market: MarketData) -> EquityPoint:
    """Give the worth of a portfolio at the prices of its cycle; what has no price counts for nothing."""
    held = market.portfolio.holdings.items()
    worth = sum((units * market.prices.get(asset, Decimal(0)) for asset, units in held), Decimal(0))
    return EquityPoint(at=market.at, cash=market.portfolio.cash, holdings=worth)


def purchase_cost(costs: Costs) -> Decimal:
    """Give the share of its price that a purchase costs: slippage, and the fee on what is paid with it."""
    return (1 + costs.slippage_pct / 100) * (1 + costs.fee_pct / 100) - 1
