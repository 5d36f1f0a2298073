from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.engines.text_fields import parse_leading_date


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%Y-%m-%dT23:30:00-08:00",
        "%Y-%m-%d 00:00",
        "%a, %d %b %Y 08:00:00 GMT",
        "%d %B %Y",
        "%b %d, %Y",
        "%B %d, %Y",
        "%Y %b %d",
        "%Y %m %d",
    ],
)
@given(day_meant=st.dates(min_value=date(1000, 1, 1)))
def test_a_day_is_read_however_it_is_written(form: str, day_meant: date) -> None:
    assert parse_leading_date(day_meant.strftime(form)) == day_meant


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2023", date(2023, 1, 1)),
        ("2023-04", date(2023, 4, 1)),
        ("2023 Apr", date(2023, 4, 1)),
        ("April 2023", date(2023, 4, 1)),
        ("2023 Nov-Dec", date(2023, 11, 1)),
        ("3 Sept. 2023", date(2023, 9, 3)),
        ("  March 3rd, 2023 - an article", date(2023, 3, 3)),
    ],
)
def test_what_is_open_is_the_first(text: str, meant: date) -> None:
    assert parse_leading_date(text) == meant


@pytest.mark.parametrize(
    "text", ["", "3 days ago", "yesterday", "2023-02-30", "2023-13", "0000-01-01", "20230405", "Spring 2023", "12345"]
)
def test_what_names_no_day_is_no_day(text: str) -> None:
    assert parse_leading_date(text) is None


@given(text=st.text())
def test_any_text_can_be_asked(text: str) -> None:
    parse_leading_date(text)
