import pytest

from quaestor.research.claims.rules import check_by_rules

QUOTED_DAYS = "The Act of 21 June 2011 is in force from 1 January 2012, that of 3 and 5 May from 2012-08-09."


@pytest.mark.parametrize("day", ["1 January", "June 21st", "5 May", "3rd of May", "9 August", "Aug. 9"])
def test_a_day_of_the_quotes_may_be_written_otherwise(day: str) -> None:
    assert check_by_rules(f"It is of {day} of that year.", (QUOTED_DAYS,), ()) is None


@pytest.mark.parametrize("day", ["1 June", "21 January", "3 June", "8 May", "2012-01-09"])
def test_a_day_of_two_dates_of_the_quotes_is_missing(day: str) -> None:
    check = check_by_rules(f"It is of {day}.", (QUOTED_DAYS, "It has 8 rooms."), ())
    assert check
    assert check.note == f"“{day}” stands in none of its quotes."


def test_days_are_compared_with_days_alone() -> None:
    assert check_by_rules("It was 3 May.", ("In May the 3 keepers came.",), ()) is None


@pytest.mark.parametrize(
    "day",
    [
        "2011-06-21",
        "06/21/2011",
        "21/06/2011",
        "21.6.2011",
        "June 21st, 2011",
        "2011年6月21日",
        "9 August 2012",
        "2012-08",
    ],
)
def test_a_date_of_the_quotes_may_be_written_otherwise(day: str) -> None:
    assert check_by_rules(f"It is of {day}.", (QUOTED_DAYS,), ()) is None


def test_a_day_and_a_year_of_two_dates_are_another_date() -> None:
    quotes = ("It was built in 1874.", "It was approved on 3 May 1931.")
    check = check_by_rules("It was approved on 3 May 1874.", quotes, ())
    assert check
    assert check.note == "“3 May 1874” stands in none of its quotes."
    assert check_by_rules("It was approved on 3 May 1874.", ("Of 1874: on 3 May it was approved.",), ()) is None


def test_the_year_of_a_day_is_a_number_like_any_other() -> None:
    check = check_by_rules("It was approved on 3 May 1900.", ("On 3 May it was approved.",), ())
    assert check
    assert check.note == "“1900” stands in none of its quotes."


QUOTED_TIMES = "It opens from 9 to 11 a.m., at noon, from 15:00 on and at 9:30 in the evening."


@pytest.mark.parametrize(
    "time", ["9 a.m.", "9 in the morning", "11:00", "12:00", "3 pm", "3 in the afternoon", "21:30"]
)
def test_a_time_of_the_quotes_may_be_written_otherwise(time: str) -> None:
    assert check_by_rules(f"It opens at {time}", (QUOTED_TIMES,), ()) is None


@pytest.mark.parametrize("time", ["11 p.m.", "3 a.m.", "9:11", "9:30 a.m.", "midnight"])
def test_the_same_hour_at_another_time_is_missing(time: str) -> None:
    assert check_by_rules(f"It opens at {time}", (QUOTED_TIMES,), ())


def test_a_bare_hour_of_the_quotes_is_any_time_of_it() -> None:
    assert check_by_rules("It opens at 9 a.m.", ("It opens at 9 and closes at 5 p.m.",), ()) is None
