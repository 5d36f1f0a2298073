"""The equity of a run and of what it is compared with, and below it how deep each stood under its peak: one SVG."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from importlib.resources import files

from quaestor.contracts.performance import CurveFigures, EquityPoint, Performance
from quaestor.views.element import Fragment, element, style
from quaestor.views.performance.drawdown import deepest, drawdowns
from quaestor.views.performance.outline import NAMES
from quaestor.views.performance.panel import LABEL_HEIGHT, Panel, line, text
from quaestor.views.performance.sampling import sampled
from quaestor.views.performance.ticks import Amount, amounts, dates, extent
from quaestor.views.performance.words import MINUS, minute, percent

WIDE, NARROW = 912, 360
"""Widths in pixels: of a page, and of a telephone."""
MOST = 1_000
"""The most points of a curve that are drawn."""
_EDGE = 10.0
_DIGIT = 7.0
"""About how wide a character of a label is."""
_ROW = 20.0
_EQUITY, _DRAWDOWN = 280.0, 110.0
"""The heights of the two panels."""
_HEADING = 38.0
"""The room above the second panel."""
_SWATCH = 24.0
_ROOM = 1.25
"""How much deeper than the deepest fall the second panel goes, so that a label has its place below the fall."""


@dataclass(frozen=True, slots=True)
class _Curve:
    name: str
    css: str
    times: tuple[datetime, ...]
    values: tuple[float, ...]
    gain: str


def picture(performance: Performance, name: str, unit: str, width: int = WIDE) -> str:
    """Draw a run in which time passed, `width` pixels wide; the same run gives the same text to the byte.

    `name` says what was run, `unit` is the currency. At most `MOST` points of a curve are drawn, and in a narrow
    picture one a pixel; its extremes and its deepest fall are always among them. It is readable on light and on dark.
    """
    curves = tuple(_curves(performance))
    basis, most = performance.basis, min(MOST, width)
    low, high = extent([curve.values for curve in curves])
    scale = amounts(low, high, 6)
    legend, top = _legend(curves, width)
    falls = {curve.css: drawdowns(curve.values) for curve in curves if curve.css != "cash"}
    depth = max(map(max, falls.values())) or 0.01
    shares = amounts(-depth, 0.0, 4)
    left = _EDGE + 8 + _DIGIT * max(map(len, (*map(_amount, scale), *map(_share, shares))))
    equity = Panel(left, width - _EDGE, top, top + _EQUITY, basis.begins, basis.ends, low, high)
    foot = equity.bottom + _HEADING
    below = Panel(left, width - _EDGE, foot, foot + _DRAWDOWN, basis.begins, basis.ends, -depth * _ROOM, 0.0)
    times = dates(basis.begins, basis.ends, int((width - left) / _DIGIT))
    key, height = f"performance-{width}", below.bottom + 30
    return (
        element(
            "svg",
            element("title", name, id=f"{key}-title"),
            element("desc", described(performance, unit), id=f"{key}-desc"),
            style(files("quaestor.views.performance").joinpath("picture.css").read_text("utf-8")),
            text("name", _EDGE, 20, f"Equity, {unit}"),
            *legend,
            *equity.uprights(times),
            *equity.rulers((tick.value, _amount(tick)) for tick in scale),
            *(_drawn(equity, curve.css, curve.times, curve.values, most) for curve in reversed(curves)),
            text("name", _EDGE, below.top - 12, "Drawdown"),
            *below.uprights(times),
            *below.rulers((tick.value, _share(tick)) for tick in shares),
            *below.labels(times, width - _EDGE / 2),
            *_falls(below, curves[0].times, falls, most),
            xmlns="http://www.w3.org/2000/svg",
            class_="performance",
            viewBox=f"0 0 {width} {height:.0f}",
            width=f"{width}",
            height=f"{height:.0f}",
            role="img",
            aria_labelledby=f"{key}-title {key}-desc",
        ).markup
        + "\n"
    )


def described(performance: Performance, unit: str) -> str:
    """Say in words what the picture shows."""
    basis = performance.basis
    curves = "; ".join(
        f"{curve.name.lower()} from {curve.values[0]:,.2f} to {curve.values[-1]:,.2f} {unit} ({curve.gain})"
        for curve in _curves(performance)
    )
    fall = percent(performance.figures.max_drawdown)
    return f"From {minute(basis.begins)} to {minute(basis.ends)} UTC: {curves}. Maximum drawdown: {fall}."


def _curves(performance: Performance) -> Iterator[_Curve]:
    yield _curve("Strategy", "strategy", performance.points, performance.figures)
    for each in performance.comparisons:
        yield _curve(NAMES[each.kind], each.kind, each.points, each.figures)


def _curve(name: str, css: str, points: Sequence[EquityPoint], figures: CurveFigures) -> _Curve:
    times, values = tuple(point.at for point in points), tuple(float(point.equity) for point in points)
    return _Curve(name, css, times, values, percent(figures.total_return, signed=True))


def _legend(curves: Sequence[_Curve], width: int) -> tuple[tuple[Fragment, ...], float]:
    """Give what stands above the picture, in as many rows as it takes, and where the picture begins."""
    parts: list[Fragment] = []
    x, y = _EDGE, 20.0 + _ROW
    for curve in curves:
        label = f"{curve.name} {curve.gain}"
        room = _SWATCH + 8 + _DIGIT * len(label)
        if x > _EDGE and x + room > width - _EDGE:
            x, y = _EDGE, y + _ROW
        parts += line(curve.css, x, y, x + _SWATCH, y), text("entry", x + _SWATCH + 8, y + LABEL_HEIGHT, label)
        x += room + 16
    return tuple(parts), y + _ROW


def _drawn(panel: Panel, css: str, times: Sequence[datetime], values: Sequence[float], most: int) -> Fragment:
    depth = deepest(values)
    places = sampled(values, most, {depth.peak, depth.trough})
    return element("path", class_=css, d=panel.path([times[at] for at in places], [values[at] for at in places]))


def _falls(
    panel: Panel, times: Sequence[datetime], falls: Mapping[str, Sequence[float]], most: int
) -> Iterator[Fragment]:
    """Draw how deep each curve stood, the strategy last and filled, with a mark at its deepest."""
    for css, shares in reversed(tuple(falls.items())):
        places = sampled(shares, most)
        way = panel.path([times[at] for at in places], [-shares[at] for at in places])
        if css == "strategy":
            yield element("path", class_="below", d=f"{way}V{panel.top:.1f}H{panel.left:.1f}Z")
        yield element("path", class_=css, d=way)
    shares = falls["strategy"]
    place = max(range(len(shares)), key=shares.__getitem__)
    if shares[place]:
        x, y = panel.x(times[place]), panel.y(-shares[place])
        anchor = "start" if x < (panel.left + panel.right) / 2 else "end"
        yield element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="4")
        yield text("mark", x, y + 18, f"{MINUS}{shares[place] * 100:.2f} %", anchor=anchor)


def _amount(tick: Amount) -> str:
    return f"{tick.value:,.{tick.decimals}f}".replace("-", MINUS)


def _share(tick: Amount) -> str:
    return f"{tick.value * 100:.{max(0, tick.decimals - 2)}f} %".replace("-", MINUS)
