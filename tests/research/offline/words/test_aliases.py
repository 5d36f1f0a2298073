import pytest

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.words.aliases import find_aliases
from quaestor.research.offline.words.held_words import add_other_names
from quaestor.research.offline.words.question import parse_question

ASKED = parse_question("Why was the glass lid added?")


@pytest.mark.parametrize(
    ("claim", "other"),
    [
        ('Closed Vessels: In talks on this note it became known as "the glass lid".', ("Closed Vessels",)),
        ("Note 12 brought Closed Vessels (or “glass lids”).", ("Closed Vessels",)),
        ("The glass lid is another name for the Closed Vessel.", ("Closed Vessel",)),
        ("Glass lids are known to break in Closed Vessels.", ()),
        ("Closed Vessels: Glass lids break.", ()),
    ],
)
def test_a_sentence_that_gives_another_name_is_understood(claim: str, other: tuple[str, ...]) -> None:
    assert tuple(one.other for one in find_aliases([claim], ASKED)) == other


def test_another_name_stands_for_the_name_that_it_is_of() -> None:
    task = parse_question("Was George Scott on board R38 when it broke up?")
    [alias] = find_aliases(["The ship that was to be the American ZR-2 (R38) broke up."], task)
    assert (alias.name, alias.other) == ("R38", "American ZR-2")
    held = frozenset(terms("the American ZR-2 broke up"))
    assert add_other_names(held, task.text, [alias]) == held.union(terms("R38"))
