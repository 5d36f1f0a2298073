import pytest

from quaestor.evidence.letter_lines import begins_as_letter, is_around_letter, is_salutation

LETTER = "Harwick, 3 May 2021\n\nDear Mr Lee,\n\nthe jar is full.\n\nVery truly your friend,\n\n  ANN FOX OF HARWICK\n"


@pytest.mark.parametrize(
    "line",
    [
        "Dear Ms Falk,",
        "DEAR, DEAR MRS. CONEY,--",
        "Dear Mrs. Coney,—",
        "Dear Ann:",
        "Liebe Frau Falk!",
        "Sehr geehrte Damen und Herren,",
        "Cher Monsieur,",
        "Estimada señora Ruiz:",
        "Caro Luigi,",
        "Beste mevrouw De Vries,",
        "Prezada senhora,",
    ],
)
def test_a_salutation_is_known_in_seven_languages(line: str) -> None:
    assert is_salutation(line)


@pytest.mark.parametrize(
    "line",
    [
        "Dear me, when will you go?",
        "A dear little jar",
        "Dear readers: the jar is open",
        "Care of the pump:",
        "Dear jar.",
    ],
)
def test_what_says_something_is_no_salutation(line: str) -> None:
    assert not is_salutation(line)


@pytest.mark.parametrize(
    ("said", "is_around"),
    [
        ("Harwick, 3 May 2021", True),
        ("Dear Mr Lee,", True),
        ("the jar is full.", False),
        ("Very truly your friend,", True),
        ("ANN FOX OF HARWICK", True),
    ],
)
def test_the_lines_around_a_letter_are_told_from_what_it_says(said: str, *, is_around: bool) -> None:
    start = LETTER.index(said)
    assert is_around_letter(LETTER, start, start + len(said)) is is_around


def test_a_day_and_a_name_in_other_texts_are_none_of_a_letter() -> None:
    text = "Open on\n\n3 May 2021\n\nANN FOX OF HARWICK\n"

    assert not begins_as_letter(text)
    assert not is_around_letter(text, text.index("3 May"), text.index("\n\nANN"))
    assert not is_around_letter(text, text.index("ANN"), len(text) - 1)
