import pytest

from quaestor.evidence.passages import split_passages

SAID = "Ann mended the roof of the mill, and the jars were counted by all who had come to the barn."


def headings(*lines: str, media_type: str = "text/plain") -> list[str]:
    return [one.heading for one in split_passages("\n\n".join(lines), media_type)]


def entries(*days: str) -> list[str]:
    return [line for day in days for line in (f"{day}\n{SAID}",)]


@pytest.mark.parametrize(
    "days",
    [
        ("16 December 2021", "9 December 2021", "2 December 2021"),
        ("December 16, 2021", "December 9, 2021", "December 2, 2021"),
        ("Thursday, 16 December 2021:", "Thu 9 Dec", "**2nd of December**"),
        ("2021-12-16", "2021-12-09", "2021-12-02"),
        ("16.12.2021", "9.12.21", "2/12/2021"),
        ("Donnerstag, den 16. Dezember 2021", "9. Dezember", "Do 2. Dez. 2021"),
        ("jeudi 16 décembre 2021", "le 9 décembre", "2 août 2021"),
        ("16 de diciembre de 2021", "lunes 9 de mayo", "2 de junio"),
    ],
)
def test_days_that_stand_alone_above_entries_are_headings(days: tuple[str, ...]) -> None:
    assert headings("MINUTES OF THE MILL", *entries(*days)) == [
        f"MINUTES OF THE MILL > {day.strip('*')}" for day in days
    ]


@pytest.mark.parametrize(
    "lines",
    [
        [*entries("16 December 2021", "9 December 2021"), "2 December 2021"],
        ["December 16\n\nDecember 9\n\nDecember 2", SAID],
        entries("December 2021", "May 2021", "June 2021"),
        entries("On 16 December 2021", "On 9 December 2021", "On 2 December 2021"),
        [f"{SAID}\n{day} December 2021\n{SAID}" for day in (16, 9, 2)],
        [f"  {day} December 2021\n{SAID}" for day in (16, 9, 2)],
        [SAID, "16 December 2021", "9 December 2021", "2 December 2021"],
    ],
)
def test_a_day_that_stands_alone_in_a_text_or_among_days_or_with_words_is_none(lines: list[str]) -> None:
    assert {*headings(*lines)} == {""}


def test_where_headings_are_marked_a_day_is_none() -> None:
    lines = entries("16 December 2021", "9 December 2021", "2 December 2021")
    assert headings("# Minutes", *lines, media_type="text/markdown") == ["Minutes"]
