import pytest

from quaestor.contracts.source import Quote, TablePlace
from quaestor.research.brief.withdrawals import find_withdrawals
from quaestor.research.contracts.brief import BriefPassage


def passages(*texts: str, heading: str = "") -> list[BriefPassage]:
    return [
        BriefPassage(
            number=number,
            finding=f"t1/{number}",
            source=f"{number}" * 64,
            start=0,
            end=len(text),
            text=text,
            part="Is a jar free?",
            context=Quote(source=f"{number}" * 64, start=0, end=len(text), text=text),
            heading=heading if number == 1 else "",
            absent=(),
        )
        for number, text in enumerate(texts, 1)
    ]


@pytest.mark.parametrize(
    ("about", "taking_back"),
    [
        ("Motion 2023/05: that a jar costs £2.", "Motion 2023/12: that motions 2023/05 and 2023/08 are rescinded."),
        ("Rule B-7 lets nobody take a jar.", "This order repeals rule B-7."),
        ("PEP 12 asks for a jar.", "PEP 12 was withdrawn in May."),
        ("Beschluss 4/19: Ein Glas ist frei.", "Der Beschluss 4/19 wird aufgehoben."),
    ],
)
def test_a_passage_that_takes_back_what_another_is_about_is_found(about: str, taking_back: str) -> None:
    [(number, found)] = find_withdrawals(passages(about, taking_back)).items()
    assert (number, found.number, found.text) == (1, 2, taking_back)


@pytest.mark.parametrize(
    ("about", "other"),
    [
        ("A jar costs £2 by motion 2023/05.", "Motion 2023/05 was carried."),
        (
            "A jar, as all know since long ago and have often said to each other, costs £2 by 2023/05.",
            "2023/05 is repealed.",
        ),
        ("Motion 2023/05: that a jar costs £2.", "Motion 2023/08 is rescinded."),
        ("The board met on 2023-05-06.", "The dates of 2023-05-06 and later were replaced."),
        ("A jar costs £2.", "The price of a jar is withdrawn."),
    ],
)
def test_other_passages_take_nothing_back(about: str, other: str) -> None:
    assert not find_withdrawals(passages(about, other))


@pytest.mark.parametrize(
    ("heading", "other", "is_found"),
    [
        ("Meeting, 7 October 2024", "Minutes of 7 October. Item 4 (dogs) is taken back. They may come.", True),
        ("Meeting, 7 October 2024", "That of 7 October on dogs was rescinded.", True),
        ("Sitzung vom 7. Oktober 2024", "Der Beschluss vom 7. Oktober über dogs wird aufgehoben.", True),
        ("Meeting, 7 October 2024", "Minutes of 17 October. Item 4 (dogs) is taken back.", False),
        ("Meeting, 7 October 2024", "Minutes of 7 October. Item 5 (cats) is taken back.", False),
        ("Meeting, 7 October 2024", "Minutes of 7 October. Item 4 (dogs) was discussed.", False),
        ("Meeting in October 2024", "Minutes of October. Item 4 (dogs) is taken back.", False),
    ],
)
def test_what_was_decided_on_a_day_is_taken_back_by_that_day_and_a_word(
    heading: str, other: str, *, is_found: bool
) -> None:
    found = find_withdrawals(passages("Decided: no dogs in the taproom.", other, heading=heading))
    assert bool(found) is is_found


def test_a_row_with_the_day_of_another_document_takes_nothing_of_it_back() -> None:
    about, taking = passages("New date of the talk.", "3 May 2026, talk, cancelled.", heading="Meeting of 3 May 2026")
    assert [*find_withdrawals([about, taking])] == [1]
    assert [*find_withdrawals([about, taking.revised(in_table=TablePlace(row=2, cells=()))])] == []
