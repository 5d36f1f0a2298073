import pytest

from quaestor.research.contracts.roles import ClarifyInput
from quaestor.research.offline.planner import clarify


@pytest.mark.parametrize(
    "question",
    [
        "Why do jars have lids?",
        "谁发明了电话\uff1f",
        "jars",
        "How many jars are there?",
        "Were there any lids?",
        "How many lids have there been?",
        "Whose lid is it?",
        "Whose jars are these?",
        "How far is it?",
    ],
)
def test_a_question_about_something_is_clear(question: str) -> None:
    assert clarify(ClarifyInput(question=question)).is_clear


def test_a_question_about_nothing_is_asked_back() -> None:
    reply = clarify(ClarifyInput(question="What is it?"))

    assert not reply.is_clear
    assert len(reply.questions) == 1


def test_what_was_said_before_makes_it_clear() -> None:
    assert clarify(ClarifyInput(question="What is it?", context=("We spoke of jars.",))).is_clear


@pytest.mark.parametrize(
    ("question", "pronoun"),
    [
        ("Why was it added?", "it"),
        ("Who proposed it?", "it"),
        ("They met when?", "They"),
        ("What does it cost?", "it"),
        ("Is that useful?", "that"),
        ("Who lived there?", "there"),
        ("How old is it?", "it"),
        ("What colour is it?", "it"),
    ],
)
def test_a_pronoun_that_stands_for_nothing_is_asked_about(question: str, pronoun: str) -> None:
    reply = clarify(ClarifyInput(question=question))

    assert not reply.is_clear
    assert reply.questions == (f"Whom or what does {pronoun!r} mean in {question!r}?",)


@pytest.mark.parametrize(
    "question",
    [
        "What is the lock that the leases use?",
        "What do jars hold, and why do they have lids?",
        "Why did Rome add it?",
        "What did note 12 say about it?",
        'Why was "it" added?',
    ],
)
def test_a_pronoun_that_the_question_explains_is_not_asked_about(question: str) -> None:
    assert clarify(ClarifyInput(question=question)).is_clear


def test_who_was_asked_about_a_pronoun_once_is_not_asked_again() -> None:
    asked = clarify(ClarifyInput(question="Why was it added?")).questions

    assert clarify(ClarifyInput(question="Why was it added?", context=(f"{asked[0]} The lid.",))).is_clear
