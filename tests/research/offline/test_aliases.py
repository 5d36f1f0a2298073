from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.research.offline.aliases import add_subject_heading, find_aliases, states_alias
from quaestor.research.offline.question import parse_question

HitOf = Callable[..., Hit]
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
    assert states_alias(claim, ASKED) is bool(other)


def test_a_document_with_that_title_is_about_the_subject(hit: HitOf) -> None:
    ours, theirs = hit("Dust spoils honey.", title="Closed Vessels"), hit("Dust spoils jam.", title="Open Vessels")

    found = add_subject_heading((ours, theirs), ASKED, ("Closed Vessels",))
    assert "the glass lid" in found[0].passage.heading
    assert found[0].passage.text == ours.passage.text
    assert found[1] == theirs
