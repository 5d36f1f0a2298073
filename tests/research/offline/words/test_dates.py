import pytest

from quaestor.research.offline.words.dates import find_dates, holds_date, holds_duration, parse_date, parse_partial_date


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("23-Jun-2020", (2020, 6, 23)),
        ("2020-06-23", (2020, 6, 23)),
        ("June 23, 2020", (2020, 6, 23)),
        ("23 de junio de 2020", (2020, 6, 23)),
        ("2020年6月23日", (2020, 6, 23)),
        ("March 1999", (1999, 3, 0)),
        ("1999-03", (1999, 3, 0)),
        ("1066", (1066, 0, 0)),
        ("23 giugno 2020", (2020, 6, 23)),
        ("1er avril 2026", (2026, 4, 1)),
        ("1º de mayo de 2026", (2026, 5, 1)),
        ("1° maggio 2026", (2026, 5, 1)),
        ("23 de junho de 2020", (2020, 6, 23)),
        ("23 mei 2020", (2020, 5, 23)),
        ("23 czerwca 2020", (2020, 6, 23)),
        ("23 июня 2020", (2020, 6, 23)),
    ],
)
def test_a_date_is_read_however_it_is_written(text: str, parts: tuple[int, int, int]) -> None:
    found = parse_date(text)

    assert found is not None
    assert (found.year, found.month, found.day, found.text) == (*parts, text)


def test_dates_are_found_in_their_order() -> None:
    assert [found.text for found in find_dates("Built in 1901, burnt on 3 May 1950, room 12345.")] == [
        "1901",
        "3 May 1950",
    ]


def test_years_that_a_hyphen_joins_are_no_month() -> None:
    assert [(one.year, one.month) for one in find_dates("1999-2001, 1999-13, 1999-03-04")] == [
        (1999, 0),
        (2001, 0),
        (1999, 0),
        (1999, 3),
    ]


@pytest.mark.parametrize(
    ("asked", "text", "held"),
    [
        ("March 1999", "1999-03;4", True),
        ("March 1999", "1999-03-04", True),
        ("March 1999", "1999-04", False),
        ("March 1999", "March, and 1999", False),
        ("8 May", "It opens on 8.5.2024.", True),
        ("8 May", "It opens on 5.8.2024.", False),
        ("8 May", "It opens on 8.5.", True),
        ("8 May 2024", "It opens on 8.5.", False),
        ("3 September", "On Sept. 3rd they sing.", True),
        ("3 September", "On Sept. 4th 3 of them sing.", False),
        ("September", "On 14.9.2024 they sing.", True),
        ("8 May", "See version 8.5.2 and 1.8.5.", False),
        ("June 2026", "next test 06/2026", True),
        ("June 2026", "next test 06.2026", True),
        ("May 2026", "next test 06/2026", False),
        ("June 2026", "version 6.2026", False),
        ("June 2026", "on 05/06/2026", True),
    ],
)
def test_a_date_is_held_as_far_as_it_is_asked_for_however_it_is_written(asked: str, text: str, held: bool) -> None:
    when = parse_partial_date(asked)
    assert when is not None
    assert holds_date(text, when) is held


@pytest.mark.parametrize(
    ("asked", "text", "held"),
    [
        ("21 March 2026", "Pia opens on 21/03/2026.", True),
        ("21 March 2026", "3/14/2026,Rita\n3/21/2026,Pia", True),
        ("22 March", "21/03/2026", False),
        ("6 June", "06/06/2026", True),
        ("5 June 2026", "05/06/2026 and 22/05/2026", True),
        ("6 May 2026", "05/06/2026 and 22/05/2026", False),
        ("5 June 2026", "05/06/2026", True),
        ("6 May 2026", "05/06/2026", True),
        ("21 March 2026", "21.03.2026", True),
    ],
)
def test_a_date_with_slashes_is_held_as_the_others_beside_it_are_written_or_both_ways(
    asked: str, text: str, held: bool
) -> None:
    when = parse_partial_date(asked)

    assert when is not None
    assert holds_date(text, when) is held


def test_a_date_with_slashes_is_read_where_its_day_is_sure() -> None:
    assert [(one.month, one.day) for one in find_dates("02/05/2026 and 16/05/2026")] == [(5, 2), (5, 16)]
    assert [(one.month, one.day) for one in find_dates("6/6/2026")] == [(6, 6)]
    assert [(one.month, one.day) for one in find_dates("02/05/2026")] == [(0, 0)]
    assert parse_date("02/05/2026") is None


def test_a_text_with_more_than_a_date_is_no_date() -> None:
    assert parse_date("since 1901") is None


def test_dates_are_ordered_by_time() -> None:
    later, earlier = parse_date("02-Jan-2011"), parse_date("31-Dec-2010")

    assert later is not None
    assert earlier is not None
    assert earlier < later


@pytest.mark.parametrize(
    "text",
    [
        "within 30 days",
        "for two working weeks",
        "It is cleaned weekly.",
        "in half an hour",
        "zwei Wochen",
        "trois mois",
    ],
)
def test_a_time_that_something_lasts_is_told_from_one_at_which_it_is(text: str) -> None:
    assert holds_duration(text)
    assert not holds_duration("On 2 June 2020 the second day was a fixed term of 12 jars.")
