from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.order import at_rest


def test_as_little_as_possible_moves() -> None:
    assert at_rest("abcd", "dabc") == frozenset("abc")
    assert at_rest("abcd", "bxcda") == frozenset("bcd")
    assert at_rest("abc", "xy") == at_rest("", "") == frozenset()


def test_what_is_pinned_rests_even_if_more_must_move() -> None:
    assert at_rest("abcd", "bcda", pinned="a") == frozenset("a")
    assert at_rest("abcd", "bdac", pinned="ac") == frozenset("ac")


@given(st.permutations("abcdef"), st.permutations("abcdefg"), st.sets(st.sampled_from("abc")))
def test_no_larger_choice_keeps_its_order(before: list[str], after: list[str], pinned: set[str]) -> None:
    held = iter([own for own in before if own in pinned])
    after = [next(held) if own in pinned else own for own in after]
    resting = at_rest(before, after, pinned)
    assert [own for own in before if own in resting] == [own for own in after if own in resting]
    assert pinned <= resting
    for larger in combinations(set(before) - pinned, len(resting) - len(pinned) + 1):
        chosen = {*larger, *pinned}
        assert [own for own in before if own in chosen] != [own for own in after if own in chosen]
