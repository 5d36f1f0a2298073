import pytest

from quaestor.research.offline.words.aliases import find_aliases
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
    assert find_aliases([claim], ASKED) == other
