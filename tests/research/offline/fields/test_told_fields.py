from collections.abc import Callable

import pytest

from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Hit
from quaestor.research.offline.fields.header_fields import Fact
from quaestor.research.offline.fields.told_fields import is_told_anew

HitOf = Callable[..., Hit]
REPORT = "---\nauthor: Office template\ndate: 2019-01-01\n---\n\n"


@pytest.mark.parametrize(
    ("key", "number", "told", "is_told"),
    [
        ("author", "", "Written by Marta Nowak after her visit.", True),
        ("date", "", "It was last changed on 14 August 2023.", True),
        ("date", "", "Verfasst von Marta Nowak.", True),
        ("author", "", "The water reached the mill.", False),
        ("author", "12", "Written by Marta Nowak after her visit.", False),
        ("keeper", "", "Issued 1 April 2009.", False),
        ("status", "12", "Update 2024-02-01: done.", True),
        ("assigned", "12", "Update 2024-01-22: handed over to Lena as Bernd is on leave.", True),
        ("status", "12", "**Update** (2012-04-15): a type was added to the module.", False),
        ("status", "12", "The update was done in May.", False),
        ("status", "12", "Resolved on 5 April; nothing more to do.", True),
        ("Status", "", "Erledigt am 5. April.", True),
        ("status", "12", "Rejected ideas\n\nThere were two.", False),
        ("status", "12", "It was resolved on 5 April.", False),
        ("status", "12", "Of the two plans the second was\nrejected by the board.", False),
        ("priority", "12", "Resolved on 5 April; nothing more to do.", False),
        ("From", "", "(Sent for Pat, who wrote this.)", True),
        ("From", "", "The pump was sent for repair.", False),
    ],
)
def test_who_made_a_text_and_when_is_no_field_where_the_text_says_so_itself(
    hit: HitOf, key: str, number: str, told: str, is_told: bool
) -> None:
    passage = hit(f"{REPORT}{told}\n")
    fact = Fact(subject="Flood", scheme="Note" * bool(number), number=number, key=key, value="open")

    assert is_told_anew(fact, passage.passage.source, [passage]) is is_told


@pytest.mark.parametrize("value", ["Resolved", "closed", "Final"])
def test_a_state_that_is_not_open_is_told_no_other(hit: HitOf, value: str) -> None:
    passage = hit(f"{REPORT}Done by the contractor.\n")
    fact = Fact(subject="Flood", scheme="Note", number="12", key="status", value=value)

    assert not is_told_anew(fact, passage.passage.source, [passage])
    assert is_told_anew(replace(fact, value="open"), passage.passage.source, [passage])
