from collections.abc import Callable

import pytest

from quaestor.contracts.source import Hit
from quaestor.research.contracts.roles import ReadInput
from quaestor.research.offline.reader import read_passages

HitOf = Callable[..., Hit]
LINKS = "- [How to clean the lid of a copper jar](clean.md)\n- [How to sell a copper jar](sell.md)\n"
SAID = "The lid of a copper jar is best cleaned with sand, by hand."


def claims(question: str, *hits: Hit) -> list[str]:
    return [one.claim for one in read_passages(ReadInput(question=question, task=question, hits=hits)).findings]


def test_a_link_is_not_marked_where_a_sentence_holds_its_words(hit: HitOf) -> None:
    assert claims("How is the lid of a copper jar cleaned?", hit(LINKS), hit(SAID)) == [SAID]


def test_a_link_is_marked_that_alone_holds_a_word_of_the_question(hit: HitOf) -> None:
    assert any("sell" in one for one in claims("How does one sell a copper jar?", hit(LINKS), hit(SAID)))


HEADER = "Note: 12\nLayer: clay jars\nAuthor: Bo Ek\nStatus: Rejected\nCreated: 2019-02-01\n"


@pytest.mark.parametrize(
    ("question", "marked"),
    [
        ("Which layer do jars of note 12 belong to?", "Layer: clay jars"),
        ("What is note 12?", "Note: 12"),
    ],
)
def test_of_a_header_the_fields_are_marked_that_say_what_is_asked(hit: HitOf, question: str, marked: str) -> None:
    told = claims(question, hit(HEADER, title="Note 12"), hit("Lids are of tin.", title="Lids"))
    assert any(marked in one for one in told)
    assert not any("Author" in one or "Created" in one for one in told)
