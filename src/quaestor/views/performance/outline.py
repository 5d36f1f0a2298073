"""What the report of a decision session says, in reading order, whatever the format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from quaestor.contracts.cycle import DecisionRecord, Tally
from quaestor.contracts.performance import Benchmark, CurveFigures, Fall, Performance, Trade, TradingFigures
from quaestor.views.performance.words import counted, day, lasting, minute, money, number, percent, quantity

NAMES: Mapping[Benchmark, str] = {"buy_and_hold": "Buy and hold", "cash": "Cash"}
FIRST, LAST = 10, 10
"""Trades that are listed from the beginning and from the end."""
NOTHING = "No cycle saw the market, so nothing is measured."

Side = Literal["left", "right"]
_LEFT: tuple[Side, ...] = ("left",) * 4
_RIGHT: tuple[Side, ...] = ("right",) * 4
Pairs = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under their heads, with the side on which each column is aligned; the first cell names its row."""

    heads: tuple[str, ...]
    sides: tuple[Side, ...]
    rows: tuple[tuple[str, ...], ...]


def headline(record: DecisionRecord) -> str:
    """Say in one sentence what came of it."""
    measured = record.performance
    if measured is None:
        return NOTHING
    basis, figures, unit = measured.basis, measured.figures, record.mandate.currency
    ended = f"{money(figures.started_with)} {unit} became {money(figures.ended_with)} {unit}"
    others = "".join(
        f", against {percent(each.figures.total_return, signed=True)} of {NAMES[each.kind].lower()}"
        for each in measured.comparisons
        if each.kind == "buy_and_hold"
    )
    return (
        f"From {minute(basis.begins)} to {minute(basis.ends)} UTC {ended}: "
        f"{percent(figures.total_return, signed=True)}{others}."
    )


def figures(measured: Performance) -> Table:
    """Give what is measured on curves, the strategy beside what it is compared with."""
    curves = (measured.figures, *(each.figures for each in measured.comparisons))
    names = ("Strategy", *(NAMES[each.kind] for each in measured.comparisons))
    return Table(
        ("Figure", *names),
        ("left", *_RIGHT[: len(names)]),
        tuple((label, *map(told, curves)) for label, told in _FIGURES),
    )


def trading(measured: TradingFigures, unit: str) -> Pairs:
    """Give what is measured on trades."""
    return tuple(_trading(measured, unit))


def trades(record: DecisionRecord) -> tuple[Table, ...]:
    """Give the first and the last trades: one table, or two when there are more."""
    heads = ("Time, UTC", "Asset", "Side", "Quantity", "Price", "Fee", "Slippage")
    listed = record.trades
    parts = (listed,) if len(listed) <= FIRST + LAST else (listed[:FIRST], listed[-LAST:])
    sides = (*_LEFT[:3], *_RIGHT)
    return tuple(Table(heads, sides, tuple(map(_trade, part))) for part in parts if part)


def violations(tally: Tally) -> Table:
    """Give how often each rule was broken."""
    rows = ((rule.rule_id, f"{rule.errors:,}", f"{rule.warnings:,}", rule.last) for rule in tally.violations)
    return Table(("Rule", "Errors", "Warnings", "The last time"), ("left", "right", "right", "left"), tuple(rows))


def cycles(tally: Tally) -> Pairs:
    """Give what became of the cycles."""
    return (
        ("Cycles", f"{tally.cycles:,}"),
        ("Signals", _counts(tally.signals)),
        ("Decisions", _counts(tally.decisions)),
        ("Executions", _counts(tally.executions)),
        ("Without a decision", f"{tally.failed:,}"),
    )


def mandate(record: DecisionRecord) -> Pairs:
    """Give what was allowed, and who answered."""
    said = record.mandate
    costs = said.costs
    fixed = f" and {costs.fee:f} {said.currency} an order" if costs.fee else ""
    return (
        ("Objective", said.objective),
        ("Assets", ", ".join(said.assets)),
        ("Cash", f"{money(said.cash)} {said.currency}"),
        ("Candles", " from ".join(filter(None, (said.timeframe, _candles(record))))),
        ("Limits", "; ".join(said.constraints.told())),
        ("Costs", f"fee {costs.fee_pct:f} %{fixed}, slippage {costs.slippage_pct:f} %"),
        ("Rules", said.strategy.text),
        ("Broker", said.broker if said.broker == "paper" else f"{said.exchange}{'' if said.live else ', sandbox'}"),
        ("Models", ", ".join(record.models)),
    )


def notes(record: DecisionRecord) -> tuple[str, ...]:
    """Give what is to be known of the candles."""
    unpriced = record.tally.unpriced.items()
    return (*record.notes, *(f"{asset} had no price in {counted(count, 'cycle')}." for asset, count in unpriced))


def _candles(record: DecisionRecord) -> str | None:
    return ", ".join(record.sources) or record.mandate.candles or record.mandate.exchange


def _falls(figures: CurveFigures) -> str:
    return _fell(figures.fall) if figures.fall else "never fell"


def _fell(fall: Fall) -> str:
    length = fall.trough_at - fall.peak_at
    told = day if length > timedelta(days=2) else minute
    back = f"back {lasting(fall.recovered_at - fall.trough_at)} later" if fall.recovered_at else "not back yet"
    return f"{told(fall.peak_at)} to {told(fall.trough_at)} ({lasting(length)}), {back}"


_FIGURES: Sequence[tuple[str, Callable[[CurveFigures], str]]] = (
    ("Began with", lambda each: money(each.started_with)),
    ("Ended with", lambda each: money(each.ended_with)),
    ("Total return", lambda each: percent(each.total_return, signed=True)),
    ("Annual return", lambda each: percent(each.annual_return, signed=True)),
    ("Volatility, a year", lambda each: percent(each.volatility)),
    ("Sharpe ratio, a year", lambda each: number(each.sharpe)),
    ("Sortino ratio, a year", lambda each: number(each.sortino)),
    ("Maximum drawdown", lambda each: percent(each.max_drawdown)),
    ("Deepest fall", _falls),
    ("Exposure", lambda each: percent(each.exposure)),
    ("Invested", lambda each: percent(each.invested)),
)


def _trading(measured: TradingFigures, unit: str) -> Iterator[tuple[str, str]]:
    yield "Trades", f"{measured.fills:,}"
    yield "Traded", f"{money(measured.traded)} {unit}"
    yield "Turnover, times the mean equity", number(measured.turnover)
    yield "Turnover, a year", number(measured.annual_turnover)
    yield "Fees", f"{money(measured.fees)} {unit}"
    yield "Slippage", f"{money(measured.slippage)} {unit}, in the prices"
    yield "Closed round trips", f"{measured.round_trips:,}, {measured.won:,} with a profit"
    yield "Hit rate", percent(measured.hit_rate)
    yield "Profit of round trips", f"{money(measured.profit)} {unit}"
    if measured.unmatched:
        yield "Not matched", f"{counted(measured.unmatched, 'sale')} of what was held from the start"


def _trade(trade: Trade) -> tuple[str, ...]:
    amounts = (trade.quantity, trade.price, trade.fee, trade.slippage)
    return (minute(trade.at), trade.asset, trade.side, *map(quantity, amounts))


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{count:,} {name}" for name, count in counts.items()) or "none"
