import re
from decimal import Decimal
from functools import cache
from math import sin
from xml.etree import ElementTree as ET

import pytest

from quaestor.trading.contracts.results import Performance
from quaestor.trading.performance.chart import MAX_POINTS, NARROW_WIDTH, WIDE_WIDTH, render_chart
from quaestor.trading.performance.measurement import measure_performance
from trading.performance.curves import DAY, HOUR, curve, quotes

SVG = "{http://www.w3.org/2000/svg}"


@cache
def measured(count: int = 100, *, rising: bool = False) -> Performance:
    values = [
        Decimal(round(10_000 + place * 10 + (0 if rising else 900 * sin(place / 9)), 2)) for place in range(count)
    ]
    prices = [{"BTC": str(round(40_000 + 5_000 * sin(place / 31), 2))} for place in range(count)]
    return measure_performance(curve(values, held="0.5"), (), quotes(*prices), ("BTC",))


def drawn(performance: Performance, width: int = WIDE_WIDTH, name: str = "A run") -> ET.Element:
    return ET.fromstring(render_chart(performance, name, "USDT", width))  # noqa: S314 -- made here


def places(path: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)]


def ways(svg: ET.Element, css: str) -> list[list[tuple[float, float]]]:
    return [places(path.attrib["d"]) for path in svg.iter(f"{SVG}path") if path.attrib["class"] == css]


def test_equal_runs_give_equal_pictures() -> None:
    assert render_chart(measured(), "A run", "USDT") == render_chart(measured(), "A run", "USDT")


def test_every_curve_is_drawn_and_named() -> None:
    svg = drawn(measured())
    assert [len(ways(svg, css)) for css in ("strategy", "buy_and_hold", "cash", "below")] == [2, 2, 1, 1]
    texts = [text.text or "" for text in svg.iter(f"{SVG}text")]
    assert {"Equity, USDT", "Drawdown"} <= set(texts)
    assert [text.split()[0] for text in texts[1:4]] == ["Strategy", "Buy", "Cash"]


@pytest.mark.parametrize("width", [WIDE_WIDTH, NARROW_WIDTH])
@pytest.mark.parametrize("count", [2, 3, 60, 9_000])
def test_everything_stands_within_the_picture(width: int, count: int) -> None:
    svg = drawn(measured(count), width)
    height = float(svg.attrib["height"])
    assert svg.attrib["viewBox"] == f"0 0 {width} {height:.0f}"
    for css in ("strategy", "buy_and_hold", "cash"):
        for x, y in (place for way in ways(svg, css) for place in way):
            assert 0 < x < width
            assert 0 < y < height
    for text in svg.iter(f"{SVG}text"):
        room = 7 * len(text.text or "")
        left = float(text.attrib["x"]) - {"start": 0, "middle": room / 2, "end": room}[text.attrib["text-anchor"]]
        assert left >= 0
        assert left + room <= width
        assert 0 < float(text.attrib["y"]) < height


def test_labels_do_not_overlap() -> None:
    for width in (WIDE_WIDTH, NARROW_WIDTH):
        for count in (2, 3, 30, 800):
            svg = drawn(measured(count), width)
            for css in ("date", "entry"):
                boxes = [
                    (float(text.attrib["y"]), float(text.attrib["x"]), 7 * len(text.text or ""))
                    for text in svg.iter(f"{SVG}text")
                    if text.attrib["class"] == css and text.attrib["text-anchor"] != "end"
                ]
                for one in boxes:
                    assert not any(
                        one[0] == other[0] and one[1] < other[1] < one[1] + (one[2] + other[2]) / 2 for other in boxes
                    )


def test_a_long_run_is_drawn_with_few_points_and_its_extremes() -> None:
    run = measured(9_000)
    svg = drawn(run)
    (strategy, falls), (held, _) = ways(svg, "strategy"), ways(svg, "buy_and_hold")
    assert all(len(way) <= MAX_POINTS for way in (strategy, falls, held))
    every = drawn(run, 20_000)
    upright = [(min(y), max(y)) for y in ([y for _, y in way] for way in ways(svg, "strategy"))]
    assert upright == [(min(y), max(y)) for y in ([y for _, y in way] for way in ways(every, "strategy"))]


def test_a_fall_within_few_points_of_a_long_run_is_drawn() -> None:
    values = [1000] * 4_000 + [650, 1500, 700, 2000] + [2000] * 4_000
    (equity, _) = ways(drawn(measure_performance(curve(values), (), (), ())), "strategy")
    assert len({y for _, y in equity}) == len({1000, 650, 1500, 700, 2000})


def test_the_deepest_fall_is_marked_where_it_is() -> None:
    run = measured()
    svg = drawn(run)
    (mark,) = svg.iter(f"{SVG}circle")
    falls = ways(svg, "strategy")[1]
    assert (float(mark.attrib["cx"]), max(y for _, y in falls)) in falls
    assert float(mark.attrib["cy"]) == max(y for _, y in falls)
    depth = run.figures.max_drawdown.value
    assert depth
    (label,) = (text.text for text in svg.iter(f"{SVG}text") if text.attrib["class"] == "mark")
    assert label == f"\N{MINUS SIGN}{depth * 100:.2f} %"


def test_a_run_that_never_fell_has_no_mark() -> None:
    assert not list(drawn(measured(rising=True)).iter(f"{SVG}circle"))


def test_a_flat_run_is_a_line_in_the_middle() -> None:
    run = measure_performance(curve([100] * 5, DAY), (), (), ())
    (way, falls) = ways(drawn(run), "strategy")
    assert len({y for _, y in way}) == len({y for _, y in falls}) == 1


def test_who_does_not_see_it_is_told_what_it_shows() -> None:
    svg = drawn(measured(), name="A <run> & more")
    title, desc = svg.find(f"{SVG}title"), svg.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert svg.attrib["aria-labelledby"] == f"{title.attrib['id']} {desc.attrib['id']}"
    assert title.text == "A <run> & more"
    assert desc.text
    assert desc.text.startswith("From 2024-01-01 00:00 to 2024-01-05 03:00 UTC: strategy from 10,000.00 to ")


def test_it_is_readable_on_light_and_on_dark() -> None:
    css = "".join(drawn(measured()).find(f"{SVG}style").itertext())  # type: ignore[union-attr]
    light, dark = css.split("@media (prefers-color-scheme: dark)")
    painted = re.compile(r"\.performance ?([\w. ]*) \{[^}]*(?:stroke|fill|background): #")
    assert set(painted.findall(light)) == set(painted.findall(dark))


def test_the_axis_begins_and_ends_with_the_run() -> None:
    way = ways(drawn(measured(49)), "strategy")[0]
    svg = drawn(measured(49))
    lines = [line for line in svg.iter(f"{SVG}line") if line.attrib["class"] == "grid"]
    assert way[0][0] == min(float(line.attrib["x1"]) for line in lines)
    assert way[-1][0] == max(float(line.attrib["x2"]) for line in lines)
    assert measured(49).basis.ends - measured(49).basis.begins == HOUR * 48
