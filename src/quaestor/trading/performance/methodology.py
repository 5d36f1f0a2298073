"""How the figures of a report are measured, and what its results are not."""

from collections.abc import Iterator

from quaestor.trading.contracts.mandate import Mandate
from quaestor.trading.contracts.results import DecisionResults, MeasurementBasis, Performance
from quaestor.trading.performance.report_outline import BENCHMARK_NAMES


def metric_definitions(measured: Performance) -> tuple[tuple[str, str], ...]:
    """Return how every figure is measured, as pairs of its name and its formula."""
    return (
        ("Periods", _periods(measured.basis)),
        ("Total return", "last / first - 1"),
        ("Annual return", "(last / first)^(1 / years) - 1, and none under a year (GIPS 2010, 5.A.4)"),
        ("Volatility", "sample deviation of the returns r of the periods x sqrt(periods a year)"),
        ("Sharpe ratio", _sharpe(measured.basis)),
        ("Sortino ratio", _sortino(measured.basis)),
        ("Maximum drawdown", "the largest 1 - value / highest value so far (Magdon-Ismail and Atiya 2004)"),
        ("Exposure", "mean share of the equity that is held in assets; invested: share of the cycles that hold any"),
        ("Turnover", "all purchases and sales / mean equity"),
        ("Hit rate", "closed round trips with a profit after fees / all; what was bought first is sold first"),
        *((BENCHMARK_NAMES[each.kind], each.note) for each in measured.comparisons),
    )


def caveats(record: DecisionResults) -> tuple[str, ...]:
    """Return what the results of a session are not."""
    model = record.models != ("offline",)
    return (
        *_execution_caveats(record.mandate),
        *_observation_caveats(),
        *(_backtest_caveats(model=model) if record.backtest else ()),
    )


def _execution_caveats(mandate: Mandate) -> Iterator[str]:
    if mandate.broker != "paper":
        return
    yield (
        "An order is filled at the last close of its cycle, moved against it by a slippage of "
        f"{mandate.costs.slippage_pct:f} %. No order moves the market, and none waits in a book of orders."
    )
    if mandate.costs.volume_pct is None:
        yield "An order is filled whole, however little was traded in its candle."


def _backtest_caveats(*, model: bool) -> Iterator[str]:
    yield (
        "The result is in-sample as far as rules and limits were chosen by somebody who knew these prices. One run is "
        "one sample; it does not tell skill from chance."
    )
    if model:
        yield (
            "A language model may have read about the time of these candles in its training. No tool shows it what "
            "comes after a cycle, but its memory may."
        )


def _observation_caveats() -> Iterator[str]:
    yield (
        "The curve has one point a cycle, before the trade of the cycle. What happens between two cycles is not seen, "
        "so the true drawdown can be deeper."
    )
    yield "No interest, dividends, borrowing or taxes are reckoned."


def _periods(basis: MeasurementBasis) -> str:
    a_year = "an unknown number" if basis.periods_a_year is None else f"{basis.periods_a_year:,.1f}"
    return f"{basis.periods:,} from cycle to cycle; at their mean length {a_year} make a year of 365.25 days"


def _sharpe(basis: MeasurementBasis) -> str:
    return (
        "mean(r - f) / sample deviation(r - f) x sqrt(periods a year), with the risk-free return f of "
        f"{basis.risk_free * 100:g} % a year (Sharpe 1994)"
    )


def _sortino(basis: MeasurementBasis) -> str:
    return (
        "mean(r - t) / sqrt(mean over all periods of min(0, r - t)^2) x sqrt(periods a year), with the target return t "
        f"of {basis.target * 100:g} % a year (Sortino and Price 1994)"
    )
