import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.views.time_estimate import (
    TodoTimings,
    describe_remaining,
    estimate_remaining,
    format_duration,
    format_range,
)

COUNTS = st.integers(min_value=2, max_value=100)
SECONDS = st.floats(min_value=0.1, max_value=1e6)
ALONE = TodoTimings(began=10, running_since={"t5": 250}, durations=(60, 60, 60, 60))


@given(COUNTS, COUNTS, SECONDS)
def test_the_range_holds_the_same_pace_and_narrows_with_what_is_known(ended: int, pending: int, one: float) -> None:
    span, twice = (
        estimate_remaining([one] * ended, [0, 0], pending),
        estimate_remaining([one] * 2 * ended, [0, 0], pending),
    )
    assert span
    assert twice
    assert span[0] < one * pending / 2 < span[1]
    assert span[0] < twice[0] < twice[1] < span[1]


@pytest.mark.parametrize(("ended", "flying", "pending"), [(0, 1, 5), (1, 1, 5), (5, 0, 0)])
def test_nothing_is_known_of_fewer_than_two_or_of_none_to_come(ended: int, flying: int, pending: int) -> None:
    assert estimate_remaining([60] * ended, [60] * flying, pending) is None


def test_todos_in_progress_may_end_at_once_or_take_as_long_again() -> None:
    assert estimate_remaining([10] * 100, [0, 0, 0], 0) == pytest.approx((0, 10 * (1 + 1 / 2 + 1 / 3) * 1.1))


def test_an_estimate_says_what_it_is_taken_from() -> None:
    grounds = "4 of 10 took 4 min"
    assert (
        describe_remaining(ALONE, 5, 250, None)
        == f"about 3 to 9 min left if no todo is added: {grounds}; the writing follows"
    )
    assert describe_remaining(ALONE, 5, 250, 310) == f"the time limit comes before the last todo, in 1 min: {grounds}"
    assert describe_remaining(TodoTimings(), 5, 250, None) is None


@pytest.mark.parametrize(
    ("least", "most", "said"),
    [
        (5, 50, "less than a minute"),
        (20, 70, "up to 1 min"),
        (20, 170, "up to 3 min"),
        (70, 80, "about 1 min"),
        (120, 300, "about 2 to 5 min"),
        (5000, 7000, "about 83 to 117 min"),
        (1000, 9000, "up to 2 h"),
        (7200, 36000, "about 2 to 10 h"),
    ],
)
def test_a_range_is_told_as_roughly_as_it_is_known(least: float, most: float, said: str) -> None:
    assert format_range(least, most) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-1, "less than 1 s"), (0.4, "less than 1 s"), (59.4, "59 s"), (59.6, "1 min"), (3600, "60 min"), (7200, "2 h")],
)
def test_a_time_is_told_in_its_largest_unit(seconds: float, said: str) -> None:
    assert format_duration(seconds) == said
