"""A part of a picture in which times and values have their places, and the lines of its axes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from quaestor.views.element import Fragment, element
from quaestor.views.performance.ticks import Date

LABEL_HEIGHT = 4.0
"""How far below its line the foot of a label stands, so that both have one middle."""
_LABEL = 33.0
"""Half the width of a date's label."""
_GAP = 8.0


@dataclass(frozen=True, slots=True)
class Panel:
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
        """Give the place of a time."""
        return self.left + (self.right - self.left) * ((at - self.begin) / (self.end - self.begin))

    def y(self, value: float) -> float:
        """Give the place of a value."""
        return self.bottom - (self.bottom - self.top) * ((value - self.low) / (self.high - self.low))

    def path(self, times: Sequence[datetime], values: Sequence[float]) -> str:
        """Give the way through all points, as SVG writes it."""
        places = (f"{self.x(at):.1f} {self.y(value):.1f}" for at, value in zip(times, values, strict=True))
        return f"M{'L'.join(places)}"

    def rulers(self, labels: Iterable[tuple[float, str]]) -> Iterator[Fragment]:
        """Draw a line at every value, with its label to the left."""
        for value, label in labels:
            y = self.y(value)
            yield line("zero" if value == 0 else "grid", self.left, y, self.right, y)
            yield text("amount", self.left - _GAP, y + LABEL_HEIGHT, label, anchor="end")

    def uprights(self, dates: Iterable[Date]) -> Iterator[Fragment]:
        """Draw an upright line at every date."""
        for date in dates:
            yield line("grid", self.x(date.at), self.top, self.x(date.at), self.bottom)

    def labels(self, dates: Iterable[Date], edge: float) -> Iterator[Fragment]:
        """Write the dates below the panel; one that would stand beyond `edge`, the end of the picture, ends there."""
        for date in dates:
            x = self.x(date.at)
            cut = x + _LABEL > edge
            yield text("date", edge if cut else x, self.bottom + 18, date.label, anchor="end" if cut else "middle")


def line(css: str, x1: float, y1: float, x2: float, y2: float) -> Fragment:
    """Draw a straight line."""
    return element("line", class_=css, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}", y2=f"{y2:.1f}")


def text(css: str, x: float, y: float, content: str, anchor: str = "start") -> Fragment:
    """Write text; `anchor` says what of it stands at x: its start, middle or end."""
    return element("text", content, class_=css, x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
