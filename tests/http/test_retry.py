from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.http.retry import backoff, parse_retry_after

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@given(st.text(), st.integers(1, 100), st.floats(0.001, 10))
def test_a_call_always_waits_as_long_after_as_many_failures(key: str, times: int, base: float) -> None:
    seconds = backoff(key, times, base)
    assert seconds == backoff(key, times, base)
    assert min(base * 2 ** (times - 1), 60) <= seconds <= min(1.5 * base * 2 ** (times - 1), 60)


def test_calls_that_failed_together_do_not_come_back_together() -> None:
    assert len({backoff(f"read/{number}", 1, 1.0) for number in range(100)}) > 90


def test_nobody_waits_more_than_a_minute_unasked() -> None:
    assert backoff("key", 1000, 0.5) == 60


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("3", 3),
        ("1.5", 1.5),
        ("500", 500),
        ("1000000", 86_400),
        ("", None),
        ("soon", None),
        ("-3", None),
        ("3x", None),
    ],
)
def test_retry_after_may_be_seconds_up_to_a_day(value: str, seconds: float | None) -> None:
    assert parse_retry_after({"retry-after": value}) == seconds


@pytest.mark.parametrize(("ahead", "seconds"), [(7, 7), (-7, 0), (3600, 3600)])
def test_retry_after_may_be_a_date_by_the_servers_own_clock(ahead: int, seconds: float) -> None:
    then = format_datetime(NOW + timedelta(seconds=ahead), usegmt=True)
    assert parse_retry_after({"retry-after": then, "date": format_datetime(NOW, usegmt=True)}) == seconds


def test_a_date_without_the_servers_own_says_nothing() -> None:
    assert parse_retry_after({"retry-after": format_datetime(NOW, usegmt=True)}) is None


def test_without_retry_after_nothing_is_asked_for() -> None:
    assert parse_retry_after({}) is None
