import pytest

from quaestor.contracts.roles import ClarifyGiven
from quaestor.models.offline.clarifying import clarify


@pytest.mark.parametrize("question", ["Why do jars have lids?", "谁发明了电话\uff1f", "jars"])
def test_a_question_about_something_is_clear(question: str) -> None:
    assert clarify(ClarifyGiven(question=question)).is_clear


def test_a_question_about_nothing_is_asked_back() -> None:
    reply = clarify(ClarifyGiven(question="What is it?"))

    assert not reply.is_clear
    assert len(reply.questions) == 1


def test_what_was_said_before_makes_it_clear() -> None:
    assert clarify(ClarifyGiven(question="What is it?", context=("We spoke of jars.",))).is_clear
