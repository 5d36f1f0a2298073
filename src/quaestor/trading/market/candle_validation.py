"""Rows as they were read: which make a series, what is noted, and what is wrong with the others."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import inf, isfinite
from typing import NamedTuple

from quaestor.trading.contracts.market import TIMEFRAME_MS, CandleNote, CandleSeries, Timeframe, from_epoch_ms
from quaestor.trading.market.series import CandleRow, build_series, candle_open

_MAX_NOTES = 50
"""Notes of one kind that are kept; the rest are counted."""
_MAX_FAULTS = 5


class NumberedRow(NamedTuple):
    """One row of a file, with its number there."""

    number: int
    row: CandleRow


class InvalidCandles(ValueError):
    """What is wrong with candles, with the numbers of their rows."""


def validate_candles(
    asset: str, source: str, read: Sequence[NumberedRow], timeframe: Timeframe | None
) -> tuple[CandleSeries, tuple[CandleNote, ...]]:
    """Check rows and make a series of them; without a timeframe it is the shortest distance between two rows.

    Wrong are: no rows; a price that is not a finite number above 0, a volume that is none or below 0; a low above, or
    a high below, another price of its row; two rows of one time that differ; a time at which no candle opens. Noted
    are: two rows of one time that agree, of which the first counts; rows out of order, which are sorted; gaps.
    Raises InvalidCandles.
    """
    if not read:
        raise InvalidCandles("there are no rows")
    raise_on_faults(f"{_describe_row(each)}: {fault}" for each in read if (fault := _row_fault(each.row)))
    ordered = sorted(read, key=lambda each: each.row.opened)
    twice = [(before, after) for before, after in pairwise(ordered) if before.row.opened == after.row.opened]
    raise_on_faults(_conflict_message(before, after) for before, after in twice if before.row != after.row)
    rows = [before.row for before, after in pairwise(ordered) if before.row.opened != after.row.opened]
    rows.append(ordered[-1].row)
    base = _infer_timeframe(rows, timeframe)
    raise_on_faults(
        _misaligned_message(each, base) for each in ordered if candle_open(each.row.opened, base) != each.row.opened
    )
    notes = (
        *_order_notes(read),
        *_cap_notes(_duplicate_notes(twice), "rows that stand twice"),
        *_cap_notes(_gap_notes(rows, base), "gaps"),
    )
    return build_series(asset, base, source, rows), notes


def raise_on_faults(faults: Iterable[str]) -> None:
    """Raise Unreadable with the first faults and the number of the others, if there are any."""
    found = list(faults)
    more = [f"and {len(found) - _MAX_FAULTS} more"] if len(found) > _MAX_FAULTS else []
    if found:
        raise InvalidCandles("; ".join((*found[:_MAX_FAULTS], *more)))


def _row_fault(row: CandleRow) -> str | None:
    _, first, high, low, last, volume = row
    if 0 < low <= first <= high < inf and low <= last <= high and 0 <= volume < inf:
        return None
    for name, value in zip(row._fields[1:], row[1:], strict=True):
        if not isfinite(value):
            return f"{name} is {value}, not a number; mend or remove the row"
        if value < 0 or (value == 0 and name != "volume"):
            return f"{name} is {value}; a price is above 0 and a volume not below it; mend or remove the row"
    if row.low > min(row.open, row.close, row.high):
        return f"low {row.low} is above another price of the row; mend or remove it"
    return f"high {row.high} is below another price of the row; mend or remove it"


def _conflict_message(before: NumberedRow, after: NumberedRow) -> str:
    return f"{_describe_row(after)}: row {before.number} is of the same time and says otherwise; remove the wrong one"


def _infer_timeframe(rows: Sequence[CandleRow], declared: Timeframe | None) -> Timeframe:
    distance = min((after.opened - before.opened for before, after in pairwise(rows)), default=0)
    if declared and distance <= TIMEFRAME_MS[declared]:
        return declared
    for timeframe, length in TIMEFRAME_MS.items():
        if length == distance and not declared:
            return timeframe
    if not distance:
        raise InvalidCandles("one row does not say how long a candle is; name the timeframe")
    apart = f"the nearest rows are {distance / TIMEFRAME_MS['1m']:g} minutes apart"
    raise InvalidCandles(f"{apart}, which is not {declared or ', '.join(TIMEFRAME_MS)}; name the timeframe they have")


def _misaligned_message(each: NumberedRow, base: Timeframe) -> str:
    return f"{_describe_row(each)}: no candle of {base} opens then, in UTC; check the zone and the timeframe"


def _order_notes(read: Sequence[NumberedRow]) -> Iterator[CandleNote]:
    earlier = [after for before, after in pairwise(read) if after.row.opened < before.row.opened]
    if earlier:
        newest_first = len(earlier) == len(read) - 1
        problem = "the newest row comes first" if newest_first else f"rows earlier than the one before: {len(earlier)}"
        yield CandleNote(
            kind="order",
            text=f"{problem}, from {_describe_row(earlier[0])}; sorted",
            first=from_epoch_ms(earlier[0].row.opened),
        )


def _duplicate_notes(twice: Sequence[tuple[NumberedRow, NumberedRow]]) -> Iterator[CandleNote]:
    for before, after in twice:
        text = f"rows {before.number} and {after.number} are the same; one counts"
        time = from_epoch_ms(after.row.opened)
        yield CandleNote(kind="duplicate", text=text, first=time, last=time)


def _gap_notes(rows: Sequence[CandleRow], base: Timeframe) -> Iterator[CandleNote]:
    length = TIMEFRAME_MS[base]
    for before, after in pairwise(rows):
        if after.opened - before.opened > length:
            first, last = from_epoch_ms(before.opened + length), from_epoch_ms(after.opened - length)
            count = (after.opened - before.opened) // length - 1
            text = f"missing candles: {count}, from {first.isoformat()} to {last.isoformat()}"
            yield CandleNote(kind="gap", text=text, first=first, last=last)


def _cap_notes(notes: Iterator[CandleNote], what: str) -> Iterator[CandleNote]:
    yield from islice(notes, _MAX_NOTES)
    if more := list(notes):
        yield CandleNote(kind=more[0].kind, text=f"{len(more)} more {what}", first=more[0].first, last=more[-1].last)


def _describe_row(each: NumberedRow) -> str:
    return f"row {each.number} ({from_epoch_ms(each.row.opened).isoformat()})"
