import pytest

from quaestor.evidence.stopwords import LANGUAGES, OTHER_WORDS, STOP_WORDS, function_words_of
from quaestor.evidence.tokenization import content_terms


@pytest.mark.parametrize("code", sorted(LANGUAGES))
def test_no_small_word_is_listed_twice_for_a_language(code: str) -> None:
    assert LANGUAGES[code].isdisjoint(OTHER_WORDS.get(code, frozenset()))


def test_what_means_something_in_english_or_is_a_name_is_a_function_word_of_its_language_alone() -> None:
    assert content_terms("Ann Vos wrote a comment on the car and a var") == [
        "ann",
        "vos",
        "write",
        "comment",
        "car",
        "var",
    ]
    assert {"comment", "car", "vos"} <= function_words_of("fr")
    assert STOP_WORDS.isdisjoint({"comment", "car", "vos", "come", "die"})


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("de", "welche wieso ins aufs die stehen wurden"),
        ("es", "cuyas usan hacia se encuentra"),
        ("fr", "laquelle comment jusqu qu d trouve"),
        ("it", "come qual dove dell nell si usano trova"),
        ("nl", "hoe welke waarom het staat werden"),
        ("pl", "dlaczego ktory ktora gdzie czy jest"),
        ("pt", "porque quais onde pelo fica"),
        ("ru", "каков откуда находится зачем"),
    ],
)
def test_question_words_articles_auxiliaries_and_words_of_place_carry_no_subject(code: str, words: str) -> None:
    assert function_words_of(code).issuperset(words.split())


def test_a_name_that_is_a_small_word_elsewhere_stays_a_word_of_a_text_in_any_language() -> None:
    assert content_terms("Gabe Allen met Prima and Nesta") == ["gabe", "allen", "meet", "prima", "nesta"]
