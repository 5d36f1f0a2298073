import pytest

from quaestor.research.offline.question import parse_question
from quaestor.research.offline.subjects import capitalize, is_definition_of, subject_phrase


@pytest.mark.parametrize(
    ("question", "about"),
    [
        ("Why was the glass lid added to Python?", "the glass lid"),
        ("Objections to the glass lid", "the glass lid"),
        ("What are the limits of exception handling?", "exception handling"),
        ("How does structural pattern matching handle class patterns?", "structural pattern matching"),
        ("What does Note 12 say about the cost of lids?", "Note 12"),
        ('Why does "Plain Jars" have lids?', '"Plain Jars"'),
        ("which method of forecasting uses averages", "method forecasting uses averages"),
        ("List the objections to tin lids.", "tin lids"),
    ],
)
def test_the_subject_is_what_is_asked_about(question: str, about: str) -> None:
    assert subject_phrase(parse_question(question)) == about


@pytest.mark.parametrize(
    ("text", "heading"),
    [("lids, jars", "Lids, jars"), ("f-strings close", "f-strings close"), ("jar.lid is", "jar.lid is"), ("", "")],
)
def test_a_heading_begins_with_a_capital_unless_a_name_does_not(text: str, heading: str) -> None:
    assert capitalize(text) == heading


def test_a_sentence_tells_what_the_subject_is() -> None:
    asked = parse_question("What is a glass lid?")

    assert is_definition_of("Glass lids are heavy.", asked)
    assert not is_definition_of("Because glass lids are heavy, few buy them.", asked)
