import pytest

from fakes.findings import source
from quaestor.research.offline.words.held_words import held_terms
from quaestor.research.offline.words.wording import absent_words, asked_language, asked_words


def lacking(question: str, text: str) -> tuple[str, ...]:
    asked = asked_words(question)
    return absent_words(asked, held_terms(source(text), "", text, asked_language(question), asked=asked))


@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("May pilots drink before a takeoff?", "Pilots drink nothing before the take-off.", ()),
        ("May pilots drink before a take-off?", "Pilots drink nothing before the takeoff.", ()),
        ("May pilots drink before a takeoff?", "Pilots take off and drink.", ("takeoff",)),
    ],
)
def test_a_word_is_held_with_and_without_its_hyphens(question: str, text: str, lacks: tuple[str, ...]) -> None:
    assert lacking(question, text) == lacks


def test_a_word_is_held_by_a_compound_of_which_it_is_the_kind() -> None:
    asked = "Wann melden wir unser Gewicht?"
    assert lacking(asked, "Bis Juni melden wir das Körpergewicht.") == ()
    assert lacking(asked, "Bis Juni melden wir den Gewichtheber.") == ("Gewicht",)
    assert lacking("When do we report our weight?", "By June we report the featherweight.") == ("weight",)


def test_a_small_word_of_the_language_of_a_text_is_no_word_of_a_question_in_another_one() -> None:
    assert lacking("When did the keeper die?", "Man gab dem keeper 1929 die Schuld, und er ging nach Rom.") == ("die",)
    assert lacking("When did the keeper die?", "The keeper would not die in 1929, and he went to Rome.") == ()


def test_a_name_is_held_without_its_initials_and_not_by_two_others() -> None:
    asked = "Where was Ann M. Lee born?"
    assert lacking(asked, "Ann Lee was born in Quell.") == ()
    assert lacking(asked, "The jar of Ann Berg and Bo Lee, who were born in Quell.") == ("Ann M. Lee",)
