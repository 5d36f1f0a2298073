import pytest

from quaestor.research.offline.words.question import parse_question


@pytest.mark.parametrize(
    "question",
    [
        "Which jars are sold between 8:00 and 10:00?",
        "Which jars are sold between 8 am and noon?",
        "Who kept the jars between 1910 and May 1920?",
        "How many days was the jar at sea between Leland and Quell?",
        "How far is it between Leland and Quell?",
        "What was the voyage between Leland and Quell like?",
    ],
)
def test_what_stands_between_two_times_or_places_is_no_comparison(question: str) -> None:
    assert parse_question(question).options == ()


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between Leland and Quell?",
        "How much do prices differ between Leland and Quell?",
        "Who should choose between Leland and Quell?",
    ],
)
def test_what_sets_two_things_side_by_side_is_a_comparison(question: str) -> None:
    assert parse_question(question).options == ("Leland", "Quell")
