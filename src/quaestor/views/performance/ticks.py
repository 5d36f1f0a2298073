"""Where the lines of an axis stand, and what is written at them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import ceil, floor, log10

MINUTES = (1, 5, 15, 30, 60, 180, 360, 720)
DAYS = (1, 2, 7, 14)
MONTHS = (1, 2, 3, 6)
YEARS = (1, 2, 5, 10, 50)
_APART = 4
"""Characters between two labels."""
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
_SLACK = 1e-9
"""A line at the end of an axis may miss it by the rounding of a division."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A line at an amount; `decimals` are what its label needs."""

    value: float
    decimals: int


@dataclass(frozen=True, slots=True)
class Date:
    """A line at a time."""

    at: datetime
    label: str


def amounts(low: float, high: float, most: int) -> tuple[Amount, ...]:
    """Give round amounts from `low` to `high`, which is higher, at most `most` of at least 2."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    steps = (unit * power for unit in (*_ROUND, 2 * _ROUND[-1]))
    step = next(step for step in steps if floor(high / step + _SLACK) - ceil(low / step - _SLACK) < most)
    first, last = ceil(low / step - _SLACK), floor(high / step + _SLACK)
    decimals = _decimals(step)
    return tuple(Amount(round(place * step, decimals) + 0.0, decimals) for place in range(first, last + 1))


def dates(begin: datetime, end: datetime, characters: int) -> tuple[Date, ...]:
    """Give times from `begin` to `end`, in UTC, that stand at the beginning of minutes, hours, days, months or years.

    The finest step is taken whose labels stand apart from each other on a line of so many characters.
    """
    begin, end = begin.astimezone(UTC), end.astimezone(UTC)
    for steps in _ways():
        found = tuple(islice(steps(begin, end), characters))
        if sum(len(date.label) + _APART for date in found) <= characters:
            return found
    return ()


def _ways() -> Iterator[Callable[[datetime, datetime], Iterator[Date]]]:
    yield from (_even(timedelta(minutes=minutes), "%m-%d %H:%M") for minutes in MINUTES)
    yield from (_even(timedelta(days=days), "%Y-%m-%d") for days in DAYS)
    yield from (_months(months, "%Y-%m") for months in MONTHS)
    yield from (_months(years * 12, "%Y") for years in YEARS)


def _even(step: timedelta, form: str) -> Callable[[datetime, datetime], Iterator[Date]]:
    def found(begin: datetime, end: datetime) -> Iterator[Date]:
        at = begin - (begin - _MONDAY) % step
        while at <= end:
            if at >= begin:
                yield Date(at, f"{at:{form}}")
            at += step

    return found


def _months(step: int, form: str) -> Callable[[datetime, datetime], Iterator[Date]]:
    def found(begin: datetime, end: datetime) -> Iterator[Date]:
        first, last = begin.year * 12 + begin.month - 1, end.year * 12 + end.month - 1
        for place in range(first - first % step, last + 1, step):
            at = datetime(place // 12, place % 12 + 1, 1, tzinfo=UTC)
            if begin <= at <= end:
                yield Date(at, f"{at:{form}}")

    return found


def _decimals(step: float) -> int:
    """Count the decimals that tell multiples of a step apart: 2 for 0.25, none for 50."""
    return next(places for places in range(20) if abs(round(step, places) - step) < step * _SLACK)


def extent(curves: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Give the lowest and the highest value of all curves; where they are one, a little room around it."""
    low, high = min(map(min, curves)), max(map(max, curves))
    room = abs(low) / 100 or 1.0
    return (low, high) if high > low else (low - room, high + room)
