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


WORDS = st.lists(st.sampled_from(["elk", "fox", "hen", "owl", "ant", "bee"]), min_size=1, max_size=6).map(" ".join)


@given(st.lists(WORDS.map(hit), max_size=8))
def test_nothing_is_lost_and_the_first_stays(hits: list[Hit]) -> None:
    said, copies = split_duplicates(hits)
    assert sorted(map(repr, (*said, *copies))) == sorted(map(repr, hits))
    assert said[:1] == hits[:1]
