import pytest

from quaestor.research.reports.languages import known_language, language_of_question


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Who has the lid of the jar?", "en"),
        ("Wer hat den Deckel des Topfes?", "de"),
        ("Где крышка?", "ru"),
        ("Jars?", None),
        # "a", "on" and "en" are small words in English as well.
        ("Pourquoi a-t-on changé de chocolatier en 2025 ?", None),
    ],
)
def test_a_question_is_surely_in_a_language_that_texts_and_sentences_are_told_by(
    question: str, language: str | None
) -> None:
    assert language_of_question(question) == language


def test_a_text_is_in_the_language_of_its_script() -> None:
    assert known_language("Крышка на банке.") == "ru"
