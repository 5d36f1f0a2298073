import pytest

from quaestor.research.offline.words.ending_words import asks_for_now


@pytest.mark.parametrize(
    ("question", "is_for_now"),
    [
        ("Are lids still of tin?", True),
        ("Who has the key now?", True),
        ("What is the current fee?", True),
        ("What is the current working directory?", False),
        ("How strong is the electric current of the lamp?", False),
        ("What is ESP-NOW?", False),
        ("Which oil do I need for the lids today?", True),
        ("What is on today's list of jars?", False),
        ("How can I take a lid while jars are still under it?", False),
        ("When is the mill still used?", True),
        ("Who was present at the meeting?", False),
        ("Who chairs the guild at present?", True),
        ("What was the actual cost of the lids?", False),
        ("Wer kümmert sich jetzt um die Lampe?", True),
        ("Qui est la trésorière actuelle ?", True),
        ("¿Quién es la presidenta actual?", True),
        ("Chi è il presidente attuale?", True),
        ("Wie is de huidige voorzitter?", True),
        ("Quem é o presidente atual?", True),
        ("Wer ist der Vorsitzende?", False),
    ],
)
def test_a_question_may_ask_for_what_holds_now(question: str, *, is_for_now: bool) -> None:
    assert asks_for_now(question) is is_for_now
