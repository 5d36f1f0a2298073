import pytest

from quaestor.evidence.tokenization import terms


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("leave leaving", "left left"),
        ("Who taught her?", "Who teaches her?"),
        ("It was written and sold", "It was write and sell"),
        ("WON", "winning"),
        ("It goes to the hospice", "It go to the hospice"),
        ("Two mice and three wolves", "Two mouse and three wolf"),
    ],
)
def test_a_word_and_its_irregular_form_have_one_term(one: str, other: str) -> None:
    assert terms(one) == terms(other)


@pytest.mark.parametrize(("form", "word"), [("found", "find"), ("rose", "rise"), ("led", "lead"), ("lives", "life")])
def test_a_form_that_is_as_often_another_word_has_its_own_term(form: str, word: str) -> None:
    assert terms(form) != terms(word)
