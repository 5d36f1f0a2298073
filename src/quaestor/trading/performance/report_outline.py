"""What the report of a decision session says, in reading order, whatever the format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Literal

from quaestor.contracts.immutable import Immutable
from quaestor.trading.contracts.results import (
    Benchmark,
    CurveMetrics,
    CycleCounts,
    DecisionResults,
    Drawdown,
    Performance,
    Trade,
    TradeMetrics,
)
from quaestor.trading.performance.formatting import (
    format_date,
    format_duration,
    format_minute,
    format_money,
    format_number,
    format_percent,
    format_quantity,
)
from quaestor.views.text import count_noun

BENCHMARK_NAMES: Mapping[Benchmark, str] = {"buy_and_hold": "Buy and hold", "cash": "Cash"}
FIRST_TRADES, LAST_TRADES = 10, 10
"""Trades that are listed from the beginning and from the end."""
NO_MARKET_DATA = "No cycle saw the market, so nothing is measured."

Alignment = Literal["left", "right"]
_LEFT: tuple[Alignment, ...] = ("left",) * 4
_RIGHT: tuple[Alignment, ...] = ("right",) * 4
Pairs = tuple[tuple[str, str], ...]


class Table(Immutable):
    """Rows under their heads, with the side on which each column is aligned; the first cell names its row."""

    heads: tuple[str, ...]
    sides: tuple[Alignment, ...]
    rows: tuple[tuple[str, ...], ...]


def headline(record: DecisionResults) -> str:
    """Return the result in one sentence."""
    measured = record.performance
    if measured is None:
        return NO_MARKET_DATA
    basis, figures, unit = measured.basis, measured.figures, record.mandate.currency
    ended = f"{format_money(figures.started_with)} {unit} became {format_money(figures.ended_with)} {unit}"
    others = "".join(
        f", against {format_percent(each.figures.total_return, signed=True)} of {BENCHMARK_NAMES[each.kind].lower()}"
        for each in measured.comparisons
        if each.kind == "buy_and_hold"
    )
    return (
        f"From {format_minute(basis.begins)} to {format_minute(basis.ends)} UTC {ended}: "
        f"{format_percent(figures.total_return, signed=True)}{others}."
    )


def metrics_table(measured: Performance) -> Table:
    """Return what is measured on curves, the strategy beside what it is compared with."""
    curves = (measured.figures, *(each.figures for each in measured.comparisons))
    names = ("Strategy", *(BENCHMARK_NAMES[each.kind] for each in measured.comparisons))
    return Table(
        ("Figure", *names),
        ("left", *_RIGHT[: len(names)]),
        tuple((label, *map(format_cell, curves)) for label, format_cell in _METRIC_ROWS),
    )


def trade_metric_rows(measured: TradeMetrics, unit: str) -> Pairs:
    """Return what is measured on trades."""
    return tuple(_trade_metric_rows(measured, unit))


def trade_tables(record: DecisionResults) -> tuple[Table, ...]:
    """Return the first and the last trades: one table, or two when there are more."""
    heads = ("Time, UTC", "Asset", "Side", "Quantity", "Price", "Fee", "Slippage")
    listed = record.trades
    parts = (listed,) if len(listed) <= FIRST_TRADES + LAST_TRADES else (listed[:FIRST_TRADES], listed[-LAST_TRADES:])
    sides = (*_LEFT[:3], *_RIGHT)
    return tuple(Table(heads, sides, tuple(map(_trade_cells, part))) for part in parts if part)


def violations_table(tally: CycleCounts) -> Table:
    """Return how often each rule was broken."""
    rows = ((rule.rule_id, f"{rule.errors:,}", f"{rule.warnings:,}", rule.last) for rule in tally.violations)
    return Table(("Rule", "Errors", "Warnings", "The last time"), ("left", "right", "right", "left"), tuple(rows))


def cycle_rows(tally: CycleCounts) -> Pairs:
    """Return what became of the cycles."""
    return (
        ("Cycles", f"{tally.cycles:,}"),
        ("Signals", _format_counts(tally.signals)),
        ("Decisions", _format_counts(tally.decisions)),
        ("Executions", _format_counts(tally.executions)),
        ("Without a decision", f"{tally.failed:,}"),
    )


def mandate_rows(record: DecisionResults) -> Pairs:
    """Return what was allowed, and who answered."""
    mandate = record.mandate
    costs = mandate.costs
    notes = mandate.constraints.notes
    fixed = f" and {costs.fee:f} {mandate.currency} an order" if costs.fee else ""
    return (
        ("Objective", mandate.objective),
        ("Assets", ", ".join(mandate.assets)),
        ("Cash", f"{format_money(mandate.cash)} {mandate.currency}"),
        ("Candles", " from ".join(filter(None, (mandate.timeframe, _candle_source(record))))),
        ("Limits", "; ".join(mandate.constraints.describe_limits())),
        *((("Notes, which limit nothing", "; ".join(notes)),) if notes else ()),
        ("Costs", f"fee {costs.fee_pct:f} %{fixed}, slippage {costs.slippage_pct:f} %"),
        ("Rules", mandate.strategy.text),
        (
            "Broker",
            mandate.broker if mandate.broker == "paper" else f"{mandate.exchange}{'' if mandate.live else ', sandbox'}",
        ),
        ("Models", ", ".join(record.models)),
    )


def candle_notes(record: DecisionResults) -> tuple[str, ...]:
    """Return what is to be known of the candles."""
    unpriced = record.tally.unpriced.items()
    return (*record.notes, *(f"{asset} had no price in {count_noun(count, 'cycle')}." for asset, count in unpriced))


def _candle_source(record: DecisionResults) -> str | None:
    return ", ".join(record.sources) or record.mandate.candles or record.mandate.exchange


def _format_drawdown(figures: CurveMetrics) -> str:
    return _format_drawdown_dates(figures.fall) if figures.fall else "never fell"


def _format_drawdown_dates(fall: Drawdown) -> str:
    length = fall.trough_at - fall.peak_at
    format_time = format_date if length > timedelta(days=2) else format_minute
    back = f"back {format_duration(fall.recovered_at - fall.trough_at)} later" if fall.recovered_at else "not back yet"
    return f"{format_time(fall.peak_at)} to {format_time(fall.trough_at)} ({format_duration(length)}), {back}"


_METRIC_ROWS: Sequence[tuple[str, Callable[[CurveMetrics], str]]] = (
    ("Began with", lambda each: format_money(each.started_with)),
    ("Ended with", lambda each: format_money(each.ended_with)),
    ("Total return", lambda each: format_percent(each.total_return, signed=True)),
    ("Annual return", lambda each: format_percent(each.annual_return, signed=True)),
    ("Volatility, a year", lambda each: format_percent(each.volatility)),
    ("Sharpe ratio, a year", lambda each: format_number(each.sharpe)),
    ("Sortino ratio, a year", lambda each: format_number(each.sortino)),
    ("Maximum drawdown", lambda each: format_percent(each.max_drawdown)),
    ("Deepest fall", _format_drawdown),
    ("Exposure", lambda each: format_percent(each.exposure)),
    ("Invested", lambda each: format_percent(each.invested)),
)


def _trade_metric_rows(measured: TradeMetrics, unit: str) -> Iterator[tuple[str, str]]:
    yield "Trades", f"{measured.fills:,}"
    yield "Traded", f"{format_money(measured.traded)} {unit}"
    yield "Turnover, times the mean equity", format_number(measured.turnover)
    yield "Turnover, a year", format_number(measured.annual_turnover)
    yield "Fees", f"{format_money(measured.fees)} {unit}"
    yield "Slippage", f"{format_money(measured.slippage)} {unit}, in the prices"
    yield "Closed round trips", f"{measured.round_trips:,}, {measured.won:,} with a profit"
    yield "Hit rate", format_percent(measured.hit_rate)
    yield "Profit of round trips", f"{format_money(measured.profit)} {unit}"
    if measured.unmatched:
        yield "Not matched", f"{count_noun(measured.unmatched, 'sale')} of what was held from the start"


def _trade_cells(trade: Trade) -> tuple[str, ...]:
    amounts = (trade.quantity, trade.price, trade.fee, trade.slippage)
    return (format_minute(trade.at), trade.asset, trade.side, *map(format_quantity, amounts))


def _format_counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
