from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from quaestor.trading.performance.chart_axes import date_ticks, value_range, value_ticks

moments = st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)).map(lambda at: at.replace(tzinfo=UTC))  # noqa: DTZ001 -- made aware here


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 10, 6, ["0", "2", "4", "6", "8", "10"]),
        (95_000, 123_000, 6, ["95000", "100000", "105000", "110000", "115000", "120000"]),
        (0.9, 1.1, 5, ["0.90", "0.95", "1.00", "1.05", "1.10"]),
        (-0.381, 0, 4, ["-0.3", "-0.2", "-0.1", "0.0"]),
        (0, 1, 4, ["0.0", "0.5", "1.0"]),
    ],
)
def test_lines_stand_at_round_amounts(low: float, high: float, most: int, expected: list[str]) -> None:
    assert [f"{tick.value:.{tick.decimals}f}" for tick in value_ticks(low, high, most)] == expected


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 8))
def test_lines_are_evenly_apart_within_the_axis_and_not_too_many(low: float, span: float, most: int) -> None:
    high = low + span
    assume(high - low > abs(low) * 1e-9)
    found = [tick.value for tick in value_ticks(low, high, most)]
    assert 1 <= len(found) <= most
    room = span * 1e-6
    assert all(low - room <= value <= high + room for value in found)
    steps = [later - earlier for earlier, later in pairwise(found)]
    assert not steps or max(steps) - min(steps) <= max(room, abs(high) * 1e-12)


@pytest.mark.parametrize(
    ("begin", "hours", "expected"),
    [
        (datetime(2024, 1, 1, 0, 10, tzinfo=UTC), 1, "01-01 00:15 01-01 00:30 01-01 00:45 01-01 01:00"),
        (datetime(2024, 1, 1, tzinfo=UTC), 24, "01-01 00:00 01-01 06:00 01-01 12:00 01-01 18:00 01-02 00:00"),
        (datetime(2024, 2, 27, tzinfo=UTC), 96, "2024-02-27 2024-02-28 2024-02-29 2024-03-01 2024-03-02"),
        (datetime(2024, 1, 3, tzinfo=UTC), 24 * 28, "2024-01-08 2024-01-15 2024-01-22 2024-01-29"),
        (datetime(2023, 12, 15, tzinfo=UTC), 24 * 300, "2024-01 2024-03 2024-05 2024-07 2024-09"),
        (datetime(2001, 5, 1, tzinfo=UTC), 24 * 9000, "2005 2010 2015 2020 2025"),
    ],
)
def test_dates_stand_at_beginnings(begin: datetime, hours: int, expected: str) -> None:
    assert " ".join(date.label for date in date_ticks(begin, begin + timedelta(hours=hours), 80)) == expected


def test_a_time_of_another_zone_is_told_in_utc() -> None:
    zone = timezone(timedelta(hours=5, minutes=30))
    begin = datetime(2024, 1, 1, tzinfo=zone)
    assert date_ticks(begin, begin + timedelta(hours=2), 80)[0].label == "12-31 18:30"


@given(moments, st.floats(1, 60 * 24 * 365 * 30), st.integers(20, 140))
def test_labels_have_room_within_the_axis(begin: datetime, minutes: float, characters: int) -> None:
    end = begin + timedelta(minutes=minutes)
    found = date_ticks(begin, end, characters)
    assert sum(len(date.label) + 4 for date in found) <= characters
    assert all(begin <= date.at <= end for date in found)
    assert list(found) == sorted(found, key=lambda date: date.at)


def test_an_axis_spans_all_curves_and_leaves_room_about_a_flat_one() -> None:
    assert value_range([[1.0, 5.0], [0.5, 2.0]]) == (0.5, 5.0)
    assert value_range([[100.0, 100.0]]) == (99.0, 101.0)
    assert value_range([[0.0, 0.0]]) == (-1.0, 1.0)
