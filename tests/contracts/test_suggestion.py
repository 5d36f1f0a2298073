import pytest

from quaestor.contracts.suggestion import suggest


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        ("efort", ("effort", "length"), "did you mean 'effort'? "),
        ("WIKPEDIA", ("wikipedia", "arxiv"), "did you mean 'wikipedia'? "),
        ("prices", ("prison", "price"), "did you mean 'price'? "),
        ("colour", ("effort", "length"), ""),
        ("anything", (), ""),
    ],
)
def test_the_most_alike_of_the_known_names_is_suggested(name: str, known: tuple[str, ...], meant: str) -> None:
    assert suggest(name, known) == meant


def test_names_that_are_long_and_alike_need_more_likeness() -> None:
    known = ("20260101-120000-3fa91c",)
    assert suggest("20260101-120000-3fa91d", known, 0.9) == "did you mean '20260101-120000-3fa91c'? "
    assert suggest("20260101-170512-88e0b2", known, 0.9) == ""
