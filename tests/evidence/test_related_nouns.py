import pytest

from quaestor.evidence.tokenization import terms


@pytest.mark.parametrize(
    ("noun", "verb"),
    [
        ("Deaths", "died"),
        ("winner", "won"),
        ("cleaner", "cleans"),
        ("suppliers", "supplied"),
        ("membership", "members"),
        ("weight", "weighs"),
        ("payments", "paid"),
    ],
)
def test_a_noun_of_what_is_done_and_its_verb_are_one_term(noun: str, verb: str) -> None:
    assert terms(noun) == terms(verb)


@pytest.mark.parametrize(("noun", "other"), [("driver", "drives"), ("application", "apply"), ("leader", "lead")])
def test_a_noun_that_is_often_something_else_is_a_term_of_its_own(noun: str, other: str) -> None:
    assert terms(noun) != terms(other)
