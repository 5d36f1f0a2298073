from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from quaestor.views.sequence_diff import unmoved_items


def test_as_little_as_possible_moves() -> None:
    assert unmoved_items("abcd", "dabc") == frozenset("abc")
    assert unmoved_items("abcd", "bxcda") == frozenset("bcd")
    assert unmoved_items("abc", "xy") == unmoved_items("", "") == frozenset()


def test_what_is_pinned_rests_even_if_more_must_move() -> None:
    assert unmoved_items("abcd", "bcda", pinned="a") == frozenset("a")
    assert unmoved_items("abcd", "bdac", pinned="ac") == frozenset("ac")


@given(st.permutations("abcdef"), st.permutations("abcdefg"), st.sets(st.sampled_from("abc")))
def test_no_larger_choice_keeps_its_order(before: list[str], after: list[str], pinned: set[str]) -> None:
    held = iter([own for own in before if own in pinned])
    after = [next(held) if own in pinned else own for own in after]
    resting = unmoved_items(before, after, pinned)
    assert [own for own in before if own in resting] == [own for own in after if own in resting]
    assert pinned <= resting
    for larger in combinations(set(before) - pinned, len(resting) - len(pinned) + 1):
        chosen = {*larger, *pinned}
        assert [own for own in before if own in chosen] != [own for own in after if own in chosen]
