from hypothesis import given
from hypothesis import strategies as st

from evidence.retrieval.samples import hit
from quaestor.contracts.source import Hit
from quaestor.evidence.retrieval.selection import split_duplicates

BELL = "The fog bell of Aldmouth was cast in 1844 after the wreck of the brig Constancy."


def test_a_near_copy_is_told_from_what_says_something_else() -> None:
    first, copy, other = hit(BELL), hit(BELL + " Yes."), hit("The leading lights were lit in 1866.")
    assert split_duplicates([first, copy, other]) == ([first, other], [copy])


def test_near_copies_are_told_without_blanks_too() -> None:
    first, copy, other = (
        hit("雾钟于一八四四年铸造于阿尔德茅斯港"),
        hit("雾钟于一八四四年铸造于阿尔德茅斯港口"),
        hit("灯塔建于一八三一年"),
    )
    assert split_duplicates([first, copy, other]) == ([first, other], [copy])


def test_rows_of_a_table_with_other_values_are_no_copies() -> None:
    first, other = (
        hit("\n".join(f"Flood,{year},{year * 37 % 9973}" for year in years))
        for years in (range(1800, 1920), range(1920, 2040))
    )
    assert split_duplicates([first, other]) == ([first, other], [])


def test_the_same_words_with_other_values_in_another_document_are_no_copy() -> None:
    fees = [hit(f"Fees of the club. Adults pay {fee} crowns a year, and children nothing.") for fee in (36, 40)]
    assert split_duplicates(fees) == (fees, [])
    names = "Wednesday,Lee,Ek,Fox\nThursday,Ek,Lee,Fox\nFriday,Ek,Fox,Lee\nSaturday,Lee,Fox,Ek\nSunday,Ann,Bo,Cy"
    rosters = [hit(f"Monday,{name},Ek\n{names}", uri=f"/d/{name}.csv") for name in ("Tom", "Ida")]
    assert split_duplicates(rosters) == (rosters, [])
    notes = [hit(f"Monday, {name}, Ek\n{names}", uri=f"/d/{name}.txt") for name in ("Tom", "Ida")]
    assert split_duplicates(notes) == (notes[:1], notes[1:])
    again = [hit(f"{BELL}{end}", source="one") for end in ("", " In 1845.")]
    assert split_duplicates(again) == (again[:1], again[1:])


WORDS = st.lists(st.sampled_from(["elk", "fox", "hen", "owl", "ant", "bee"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(WORDS.map(hit), max_size=8))
def test_nothing_is_lost_and_the_first_stays(hits: list[Hit]) -> None:
    said, copies = split_duplicates(hits)
    assert sorted(map(repr, (*said, *copies))) == sorted(map(repr, hits))
    assert said[:1] == hits[:1]
