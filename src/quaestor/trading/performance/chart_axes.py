"""The axes of a chart: ticks, grid and labels of a panel, and the points of a curve that are drawn."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice
from math import ceil, floor, log10

from quaestor.contracts.immutable import Immutable
from quaestor.views.escaping import Fragment, element


def downsample(values: Sequence[float], most: int, keep: Iterable[int] = ()) -> tuple[int, ...]:
    """Choose at most `most` places of a curve, in order, with the first, the last and those in `keep`.

    The others are the lowest and the highest value of every bucket of neighbours, so every extreme of the curve stays.
    `most` is at least 4 more than the places in `keep`.
    """
    if len(values) <= most:
        return tuple(range(len(values)))
    chosen = {0, len(values) - 1, *keep}
    buckets = (most - len(chosen)) // 2
    for bucket in range(buckets):
        places = range(len(values) * bucket // buckets, len(values) * (bucket + 1) // buckets)
        chosen |= {min(places, key=values.__getitem__), max(places, key=values.__getitem__)}
    return tuple(sorted(chosen))


MINUTE_STEPS = (1, 5, 15, 30, 60, 180, 360, 720)
DAY_STEPS = (1, 2, 7, 14)
MONTH_STEPS = (1, 2, 3, 6)
YEAR_STEPS = (1, 2, 5, 10, 50)
_MIN_LABEL_GAP = 4
"""Characters between two labels."""
_NICE_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_REFERENCE_MONDAY = datetime(2024, 1, 1, tzinfo=UTC)
_TOLERANCE = 1e-9
"""A line at the end of an axis may miss it by the rounding of a division."""


class ValueTick(Immutable):
    """A line at an amount; `decimals` are what its label needs."""

    value: float
    decimals: int


class DateTick(Immutable):
    """A line at a time."""

    at: datetime
    label: str


def value_ticks(low: float, high: float, most: int) -> tuple[ValueTick, ...]:
    """Return round amounts from `low` to `high`, which is higher, at most `most` of at least 2."""
    rough = (high - low) / most
    power = 10.0 ** floor(log10(rough))
    steps = (unit * power for unit in (*_NICE_STEPS, 2 * _NICE_STEPS[-1]))
    step = next(step for step in steps if floor(high / step + _TOLERANCE) - ceil(low / step - _TOLERANCE) < most)
    first, last = ceil(low / step - _TOLERANCE), floor(high / step + _TOLERANCE)
    decimals = _decimals(step)
    return tuple(ValueTick(round(place * step, decimals) + 0.0, decimals) for place in range(first, last + 1))


def date_ticks(begin: datetime, end: datetime, characters: int) -> tuple[DateTick, ...]:
    """Return times from `begin` to `end`, in UTC, that stand at the beginning of minutes, hours, days, months or years.

    The finest step is taken whose labels stand apart from each other on a line of so many characters.
    """
    begin, end = begin.astimezone(UTC), end.astimezone(UTC)
    for steps in _date_steps():
        found = tuple(islice(steps(begin, end), characters))
        if sum(len(date.label) + _MIN_LABEL_GAP for date in found) <= characters:
            return found
    return ()


def _date_steps() -> Iterator[Callable[[datetime, datetime], Iterator[DateTick]]]:
    yield from (_fixed_steps(timedelta(minutes=minutes), "%m-%d %H:%M") for minutes in MINUTE_STEPS)
    yield from (_fixed_steps(timedelta(days=days), "%Y-%m-%d") for days in DAY_STEPS)
    yield from (_month_steps(months, "%Y-%m") for months in MONTH_STEPS)
    yield from (_month_steps(years * 12, "%Y") for years in YEAR_STEPS)


def _fixed_steps(step: timedelta, form: str) -> Callable[[datetime, datetime], Iterator[DateTick]]:
    def found(begin: datetime, end: datetime) -> Iterator[DateTick]:
        at = begin - (begin - _REFERENCE_MONDAY) % step
        while at <= end:
            if at >= begin:
                yield DateTick(at, f"{at:{form}}")
            at += step

    return found


def _month_steps(step: int, form: str) -> Callable[[datetime, datetime], Iterator[DateTick]]:
    def found(begin: datetime, end: datetime) -> Iterator[DateTick]:
        first, last = begin.year * 12 + begin.month - 1, end.year * 12 + end.month - 1
        for place in range(first - first % step, last + 1, step):
            at = datetime(place // 12, place % 12 + 1, 1, tzinfo=UTC)
            if begin <= at <= end:
                yield DateTick(at, f"{at:{form}}")

    return found


def _decimals(step: float) -> int:
    """Count the decimals that tell multiples of a step apart: 2 for 0.25, none for 50."""
    return next(places for places in range(20) if abs(round(step, places) - step) < step * _TOLERANCE)


def value_range(curves: Sequence[Sequence[float]]) -> tuple[float, float]:
    """Return the lowest and the highest value of all curves; where they are one, a little room around it."""
    low, high = min(map(min, curves)), max(map(max, curves))
    room = abs(low) / 100 or 1.0
    return (low, high) if high > low else (low - room, high + room)


LABEL_BASELINE_OFFSET = 4.0
"""How far below its line the baseline of a label is, so that both have one middle."""
_HALF_LABEL_WIDTH = 33.0
"""Half the width of a date's label."""
_LABEL_GAP = 8.0


class Panel(Immutable):
    """A rectangle, in pixels from the upper left corner; `low` is at its bottom and `high` at its top."""

    left: float
    right: float
    top: float
    bottom: float
    begin: datetime
    end: datetime
    low: float
    high: float

    def x(self, at: datetime) -> float:
        """Return the place of a time."""
        return self.left + (self.right - self.left) * ((at - self.begin) / (self.end - self.begin))

    def y(self, value: float) -> float:
        """Return the place of a value."""
        return self.bottom - (self.bottom - self.top) * ((value - self.low) / (self.high - self.low))

    def path(self, times: Sequence[datetime], values: Sequence[float]) -> str:
        """Return the way through all points, as SVG writes it."""
        places = (f"{self.x(at):.1f} {self.y(value):.1f}" for at, value in zip(times, values, strict=True))
        return f"M{'L'.join(places)}"

    def horizontal_grid(self, labels: Iterable[tuple[float, str]]) -> Iterator[Fragment]:
        """Draw a line at every value, with its label to the left."""
        for value, label in labels:
            y = self.y(value)
            yield draw_line("zero" if value == 0 else "grid", self.left, y, self.right, y)
            yield draw_text("amount", self.left - _LABEL_GAP, y + LABEL_BASELINE_OFFSET, label, anchor="end")

    def vertical_grid(self, dates: Iterable[DateTick]) -> Iterator[Fragment]:
        """Draw an upright line at every date."""
        for date in dates:
            yield draw_line("grid", self.x(date.at), self.top, self.x(date.at), self.bottom)

    def date_labels(self, dates: Iterable[DateTick], edge: float) -> Iterator[Fragment]:
        """Write the dates below the panel; one that would stand beyond `edge`, the end of the picture, ends there."""
        for date in dates:
            x = self.x(date.at)
            cut = x + _HALF_LABEL_WIDTH > edge
            yield draw_text("date", edge if cut else x, self.bottom + 18, date.label, anchor="end" if cut else "middle")


def draw_line(css: str, x1: float, y1: float, x2: float, y2: float) -> Fragment:
    """Draw a straight line."""
    return element("line", class_=css, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}")


def draw_text(css: str, x: float, y: float, content: str, anchor: str = "start") -> Fragment:
    """Write text; `anchor` names the part of it that is at x: its start, middle or end."""
    return element("text", content, class_=css, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
