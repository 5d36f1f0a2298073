from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.reading import metadata

SIXTH_OF_MAY = date(2020, 5, 6)


@pytest.mark.parametrize(
    "written",
    [
        "2020-05-06",
        "2020-05-06T23:59:59+14:00",
        "2020/5/6",
        "2020.05.06",
        "$Date: 2020-05-06 07:08:09 -0400 (Wed, 06 May 2020) $",
        "D:20200506070809+00'00'",
        "20200506",
        "202005060708",
        "Wed, 06 May 2020 07:08:09 GMT",
        "06-May-2020",
        "6th of no month, but 6 May, 2020",
        "6th May 2020",
        "May 6, 2020",
        "MAY 6th 2020",
        "on May 06 2020",
    ],
)
def test_a_day_is_read_as_it_is_written(written: str) -> None:
    assert metadata.parse_date(written) == SIXTH_OF_MAY


@pytest.mark.parametrize(
    "written",
    ["", "soon", "05/06/2020", "May 2020", "2020", "2020-13-01", "2021-02-29", "31 June 2020", "120200506", "$Date$"],
)
def test_what_names_no_day_is_none(written: str) -> None:
    assert metadata.parse_date(written) is None


@given(
    st.dates(min_value=date(1000, 1, 1)), st.sampled_from(["%Y-%m-%d", "%d %B %Y", "%b %d, %Y", "D:%Y%m%d", "%d-%b-%Y"])
)
def test_every_day_comes_back(day: date, shape: str) -> None:
    assert metadata.parse_date(day.strftime(shape)) == day


@given(st.text())
def test_no_text_breaks_it(text: str) -> None:
    metadata.date_from_fields(text)
    metadata.parse_date(text)


def test_a_field_below_a_sentence_or_a_second_heading_is_of_what_is_told_there() -> None:
    minutes = "# Committee, 19 September 2023\n\nStaff room, 7.30 pm\n\n{above}## 4. Fair\n\nDate: 2 December 2023\n"
    assert metadata.date_from_fields(minutes.format(above="")) is None
    assert metadata.date_from_fields(minutes.format(above="Date: 6 May 2020\n\n")) == SIXTH_OF_MAY
    assert metadata.date_from_fields("We plan a fair.\n\nDate: 2 December 2023\nPlace: hall\n") is None


@pytest.mark.parametrize("field", ["Access from: 12 September 2025", "Anreise: Freitag", "Doors: 19:00"])
def test_the_date_of_a_form_for_a_day_is_that_day_and_not_when_it_was_written(field: str) -> None:
    form = f"HIRE OF THE BARN\n\nDate: 13 September 2025\n{field}\n"
    assert metadata.date_from_fields(form) is None
    assert metadata.date_from_fields(f"{form}Updated: 2020-05-06\n") == SIXTH_OF_MAY
    assert metadata.date_from_fields(form.replace(field, "Time: 19:00")) == date(2025, 9, 13)


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: A\ndate: 2020-05-06\n---\n\nWords",
        "PEP: 1\nCreated: 01-Jan-2000\nLast-Modified: 06-May-2020\n\nWords",
        "Title\n=====\n\n:Date: May 6, 2020\n",
        "Updated: 2020-05-06\nDate: 2019-01-01\n",
        "Last-Modified: $Date$\nCreated: 2020-05-06\n",
        "Date: 2020-05-06\nDate: 2019-01-01\n",
    ],
)
def test_the_field_of_the_latest_change_counts(text: str) -> None:
    assert metadata.date_from_fields(text) == SIXTH_OF_MAY


@pytest.mark.parametrize(
    "text", ["Words.\nThe date: 2020-05-06", "x" * 2_000 + "\nDate: 2020-05-06", "Date:\n2020-05-06"]
)
def test_a_date_in_the_words_is_not_that_of_the_text(text: str) -> None:
    assert metadata.date_from_fields(text) is None
