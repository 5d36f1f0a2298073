import pytest

from quaestor.research.brief.corrections import MarkedSentence, correcting_spans
from quaestor.research.offline.words.dates import find_dates

DAYS = tuple(find_dates("14 February 2025"))


def correcting(text: str, marked: str, title: str = "Letter", *, is_beside: bool = False) -> list[str]:
    about = MarkedSentence(text=marked, title=title, days=DAYS)
    return [text[start:end] for start, end in correcting_spans(text, about, is_beside=is_beside)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "In our letter of 14 February there is a mistake. The hour costs 2.80, not 1.80.",
            "The hour costs 2.80, not 1.80.",
        ),
        ("The list is wrong:\nan hour of the jar costs 2.80 instead of 1.80.", "an hour of the jar costs 2.80"),
        ("Korrektur: Der Jar kostet nicht 1.80.", "Der Jar kostet nicht 1.80."),
    ],
)
def test_a_sentence_that_denies_a_number_of_a_marked_one_corrects_it(text: str, said: str) -> None:
    [found] = correcting(text, "The hire of a jar is 1.80 per hour.")
    assert said in found


@pytest.mark.parametrize(
    "text",
    [
        "The hour costs 2.80, not 1.80.",
        "There is a mistake in the song. It has two parts.\n\nThe hour costs 2.80, not 1.80.",
        "There is a mistake: the boat costs 2.80, not 1.80.",
        "There is a mistake: the hour costs 2.80, not 3.",
        "There is a mistake in the list of fares. An hour costs 1.80.",
    ],
)
def test_without_a_word_that_corrects_in_its_paragraph_a_shared_word_and_the_number_nothing_is_corrected(
    text: str,
) -> None:
    assert correcting(text, "The hire of a jar is 1.80 per hour.") == []


def test_what_names_the_day_of_a_document_and_a_word_of_its_sentence_corrects_it() -> None:
    marked = "Ann keeps the jars."
    assert correcting("Minutes of 14 February: this is wrong. Bo keeps the jars.", marked) == ["Bo keeps the jars."]
    assert correcting("Minutes of 15 February: this is wrong. Bo keeps the jars.", marked) == []
    assert correcting("Minutes of 14 February: this is wrong. Bo sold the boats.", marked) == []


def test_an_erratum_that_names_a_document_by_its_title_corrects_it_and_a_program_that_is_wrong_does_not() -> None:
    marked, title = "A jar costs 3.", "Fares of the harbour"
    assert correcting("Correction of the fares: a jar costs 4.", marked, title) == [
        "Correction of the fares: a jar costs 4."
    ]
    assert correcting("If the fares are wrong, a jar is free.", marked, title) == []
    assert correcting("Correction of the songs: a jar is one.", "The fares of jars rise.", title) == []
    assert correcting("Correction of the fares: a jar is one.", "The fares of jars rise.", title) == []


def test_a_document_corrects_itself_by_the_number_alone() -> None:
    text = "Minutes of 14 February. Correction: a jar costs 4, not 30."
    assert correcting(text, "A jar costs 30.", is_beside=True) == ["Correction: a jar costs 4, not 30."]
    assert correcting(text, "A jar is blue.", is_beside=True) == []
    assert correcting(text, "A jar costs 4, not 30. Correction: a jar costs 4, not 30.", is_beside=True) == []
    assert correcting(f"A jar costs 30. {text}", "A jar costs 30.", is_beside=True) == [], (
        "its paragraph is shown whole"
    )
