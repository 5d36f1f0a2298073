"""Rows as they were read: which make a series, what is noted, and what is wrong with the others."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, pairwise
from math import inf, isfinite
from typing import NamedTuple

from quaestor.contracts.market import MILLISECONDS, CandleNote, Series, Timeframe, instant
from quaestor.tools.market.span import opening
from quaestor.tools.market.table import Row, table

_NOTES = 50
"""Notes of one kind that are kept; the rest are counted."""
_FAULTS = 5


class Read(NamedTuple):
    """One row of a file, with its number there."""

    number: int
    row: Row


class Unreadable(ValueError):
    """What is wrong with candles, with the numbers of their rows."""


def checked(
    asset: str, source: str, read: Sequence[Read], timeframe: Timeframe | None
) -> tuple[Series, tuple[CandleNote, ...]]:
    """Check rows and make a series of them; without a timeframe it is the shortest distance between two rows.

    Wrong are: no rows; a price that is not a finite number above 0, a volume that is none or below 0; a low above, or
    a high below, another price of its row; two rows of one time that differ; a time at which no candle opens. Noted
    are: two rows of one time that agree, of which the first counts; rows out of order, which are sorted; gaps.
    Raises Unreadable.
    """
    if not read:
        raise Unreadable("there are no rows")
    refuse(f"{_at(each)}: {fault}" for each in read if (fault := _fault(each.row)))
    ordered = sorted(read, key=lambda each: each.row.opened)
    twice = [(before, after) for before, after in pairwise(ordered) if before.row.opened == after.row.opened]
    refuse(_differing(before, after) for before, after in twice if before.row != after.row)
    rows = [before.row for before, after in pairwise(ordered) if before.row.opened != after.row.opened]
    rows.append(ordered[-1].row)
    base = _base(rows, timeframe)
    refuse(_misplaced(each, base) for each in ordered if opening(each.row.opened, base) != each.row.opened)
    notes = (*_order(read), *_few(_duplicates(twice), "rows that stand twice"), *_few(_gaps(rows, base), "gaps"))
    return table(asset, base, source, rows), notes


def refuse(faults: Iterable[str]) -> None:
    """Raise Unreadable with the first faults and the number of the others, if there are any."""
    found = list(faults)
    more = [f"and {len(found) - _FAULTS} more"] if len(found) > _FAULTS else []
    if found:
        raise Unreadable("; ".join((*found[:_FAULTS], *more)))


def _fault(row: Row) -> str | None:
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


def _differing(before: Read, after: Read) -> str:
    return f"{_at(after)}: row {before.number} is of the same time and says otherwise; remove the wrong one"


def _base(rows: Sequence[Row], declared: Timeframe | None) -> Timeframe:
    distance = min((after.opened - before.opened for before, after in pairwise(rows)), default=0)
    if declared and distance <= MILLISECONDS[declared]:
        return declared
    for timeframe, length in MILLISECONDS.items():
        if length == distance and not declared:
            return timeframe
    if not distance:
        raise Unreadable("one row does not say how long a candle is; name the timeframe")
    apart = f"the nearest rows are {distance / MILLISECONDS['1m']:g} minutes apart"
    raise Unreadable(f"{apart}, which is not {declared or ', '.join(MILLISECONDS)}; name the timeframe they have")


def _misplaced(each: Read, base: Timeframe) -> str:
    return f"{_at(each)}: no candle of {base} opens then, in UTC; check the zone and the timeframe"


def _order(read: Sequence[Read]) -> Iterator[CandleNote]:
    earlier = [after for before, after in pairwise(read) if after.row.opened < before.row.opened]
    if earlier:
        newest_first = len(earlier) == len(read) - 1
        said = "the newest row comes first" if newest_first else f"rows earlier than the one before: {len(earlier)}"
        yield CandleNote(
            kind="order", text=f"{said}, from {_at(earlier[0])}; sorted", first=instant(earlier[0].row.opened)
        )


def _duplicates(twice: Sequence[tuple[Read, Read]]) -> Iterator[CandleNote]:
    for before, after in twice:
        text = f"rows {before.number} and {after.number} are the same; one counts"
        time = instant(after.row.opened)
        yield CandleNote(kind="duplicate", text=text, first=time, last=time)


def _gaps(rows: Sequence[Row], base: Timeframe) -> Iterator[CandleNote]:
    length = MILLISECONDS[base]
    for before, after in pairwise(rows):
        if after.opened - before.opened > length:
            first, last = instant(before.opened + length), instant(after.opened - length)
            count = (after.opened - before.opened) // length - 1
            text = f"missing candles: {count}, from {first.isoformat()} to {last.isoformat()}"
            yield CandleNote(kind="gap", text=text, first=first, last=last)


def _few(notes: Iterator[CandleNote], what: str) -> Iterator[CandleNote]:
    yield from islice(notes, _NOTES)
    if more := list(notes):
        yield CandleNote(kind=more[0].kind, text=f"{len(more)} more {what}", first=more[0].first, last=more[-1].last)


def _at(each: Read) -> str:
    return f"row {each.number} ({instant(each.row.opened).isoformat()})"
