"""The equity of a run and of what it is compared with, and below it how deep each stood under its peak: one SVG."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from importlib.resources import files

from quaestor.contracts.immutable import Immutable
from quaestor.trading.contracts.results import CurveMetrics, EquityPoint, Performance
from quaestor.trading.performance.chart_axes import (
    LABEL_BASELINE_OFFSET,
    Panel,
    ValueTick,
    date_ticks,
    downsample,
    draw_line,
    draw_text,
    value_range,
    value_ticks,
)
from quaestor.trading.performance.curve_metrics import deepest_drawdown, drawdowns
from quaestor.trading.performance.formatting import MINUS, format_minute, format_percent
from quaestor.trading.performance.report_outline import BENCHMARK_NAMES
from quaestor.views.escaping import Fragment, element, style_element

WIDE_WIDTH, NARROW_WIDTH = 912, 360
"""Widths in pixels: of a page, and of a telephone."""
MAX_POINTS = 1_000
"""The most points of a curve that are drawn."""
_MARGIN = 10.0
_CHARACTER_WIDTH = 7.0
"""About how wide a character of a label is."""
_LEGEND_ROW_HEIGHT = 20.0
_EQUITY_HEIGHT, _DRAWDOWN_HEIGHT = 280.0, 110.0
"""The heights of the two panels."""
_HEADING_HEIGHT = 38.0
"""The room above the second panel."""
_SWATCH_WIDTH = 24.0
_DRAWDOWN_HEADROOM = 1.25
"""How much deeper than the deepest fall the second panel goes, so that a label has its place below the fall."""


class _Curve(Immutable):
    name: str
    css: str
    times: tuple[datetime, ...]
    values: tuple[float, ...]
    gain: str


def render_chart(
    performance: Performance, name: str, unit: str, width: int = WIDE_WIDTH, *, is_styled: bool = True
) -> str:
    """Draw a run in which time passed, `width` pixels wide; the same run gives the same text to the byte.

    `name` says what was run, `unit` is the currency. At most `MAX_POINTS` points of a curve are drawn, in a narrow
    picture one a pixel; its extremes and its deepest fall are always among them. It is readable on light and on dark;
    a page that brings the style itself takes it without.
    """
    curves = tuple(_curves(performance))
    basis, most = performance.basis, min(MAX_POINTS, width)
    low, high = value_range([curve.values for curve in curves])
    scale = value_ticks(low, high, 6)
    legend, top = _legend(curves, width)
    falls = {curve.css: drawdowns(curve.values) for curve in curves if curve.css != "cash"}
    depth = max(map(max, falls.values())) or 0.01
    shares = value_ticks(-depth, 0.0, 4)
    left = _MARGIN + 8 + _CHARACTER_WIDTH * max(map(len, (*map(_format_amount, scale), *map(_format_share, shares))))
    equity = Panel(left, width - _MARGIN, top, top + _EQUITY_HEIGHT, basis.begins, basis.ends, low, high)
    foot = equity.bottom + _HEADING_HEIGHT
    below = Panel(
        left, width - _MARGIN, foot, foot + _DRAWDOWN_HEIGHT, basis.begins, basis.ends, -depth * _DRAWDOWN_HEADROOM, 0.0
    )
    times = date_ticks(basis.begins, basis.ends, int((width - left) / _CHARACTER_WIDTH))
    key, height = f"performance-{width}", below.bottom + 30
    return (
        element(
            "svg",
            element("title", name, id=f"{key}-title"),
            element("desc", describe_chart(performance, unit), id=f"{key}-desc"),
            *(_style() if is_styled else ()),
            draw_text("name", _MARGIN, 20, f"Equity, {unit}"),
            *legend,
            *equity.vertical_grid(times),
            *equity.horizontal_grid((tick.value, _format_amount(tick)) for tick in scale),
            *(_draw_curve(equity, curve.css, curve.times, curve.values, most) for curve in reversed(curves)),
            draw_text("name", _MARGIN, below.top - 12, "Drawdown"),
            *below.vertical_grid(times),
            *below.horizontal_grid((tick.value, _format_share(tick)) for tick in shares),
            *below.date_labels(times, width - _MARGIN / 2),
            *_draw_drawdowns(below, curves[0].times, falls, most),
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


def _style() -> tuple[Fragment, ...]:
    return (style_element(files("quaestor.trading.performance").joinpath("chart.css").read_text("utf-8")),)


def describe_chart(performance: Performance, unit: str) -> str:
    """Return a description of the chart in words."""
    basis = performance.basis
    curves = "; ".join(
        f"{curve.name.lower()} from {curve.values[0]:,.2f} to {curve.values[-1]:,.2f} {unit} ({curve.gain})"
        for curve in _curves(performance)
    )
    fall = format_percent(performance.figures.max_drawdown)
    return f"From {format_minute(basis.begins)} to {format_minute(basis.ends)} UTC: {curves}. Maximum drawdown: {fall}."


def _curves(performance: Performance) -> Iterator[_Curve]:
    yield _curve("Strategy", "strategy", performance.points, performance.figures)
    for each in performance.comparisons:
        yield _curve(BENCHMARK_NAMES[each.kind], each.kind, each.points, each.figures)


def _curve(name: str, css: str, points: Sequence[EquityPoint], figures: CurveMetrics) -> _Curve:
    times, values = tuple(point.at for point in points), tuple(float(point.equity) for point in points)
    return _Curve(name, css, times, values, format_percent(figures.total_return, signed=True))


def _legend(curves: Sequence[_Curve], width: int) -> tuple[tuple[Fragment, ...], float]:
    """Return the legend above the picture, in as many rows as it needs, and where the picture begins."""
    parts: list[Fragment] = []
    x, y = _MARGIN, 20.0 + _LEGEND_ROW_HEIGHT
    for curve in curves:
        label = f"{curve.name} {curve.gain}"
        room = _SWATCH_WIDTH + 8 + _CHARACTER_WIDTH * len(label)
        if x > _MARGIN and x + room > width - _MARGIN:
            x, y = _MARGIN, y + _LEGEND_ROW_HEIGHT
        parts += (
            draw_line(curve.css, x, y, x + _SWATCH_WIDTH, y),
            draw_text("entry", x + _SWATCH_WIDTH + 8, y + LABEL_BASELINE_OFFSET, label),
        )
        x += room + 16
    return tuple(parts), y + _LEGEND_ROW_HEIGHT


def _draw_curve(panel: Panel, css: str, times: Sequence[datetime], values: Sequence[float], most: int) -> Fragment:
    depth = deepest_drawdown(values)
    places = downsample(values, most, {depth.peak, depth.trough})
    return element("path", class_=css, d=panel.path([times[at] for at in places], [values[at] for at in places]))


def _draw_drawdowns(
    panel: Panel, times: Sequence[datetime], falls: Mapping[str, Sequence[float]], most: int
) -> Iterator[Fragment]:
    """Draw how deep each curve stood, the strategy last and filled, with a mark at its deepest."""
    for css, shares in reversed(tuple(falls.items())):
        places = downsample(shares, most)
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
        yield draw_text("mark", x, y + 18, f"{MINUS}{shares[place] * 100:.2f} %", anchor=anchor)


def _format_amount(tick: ValueTick) -> str:
    return f"{tick.value:,.{tick.decimals}f}".replace("-", MINUS)


def _format_share(tick: ValueTick) -> str:
    return f"{tick.value * 100:.{max(0, tick.decimals - 2)}f} %".replace("-", MINUS)
