from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import hit
from quaestor.evidence.recall import fused, within

A, B, C = hit("a"), hit("b"), hit("c")


def test_what_several_queries_rank_high_comes_first_and_once() -> None:
    assert fused([[A, B], [B, C]]) == (B, A, C)
    assert fused([[A], [B]]) == (A, B)
    assert fused([]) == ()


@given(st.lists(st.integers(0, 50)), st.integers(0, 100))
def test_what_is_shown_fits_and_leaves_no_room_for_what_was_passed_over(sizes: list[int], ceiling: int) -> None:
    shown = within(sizes, ceiling, int)
    assert sum(shown) <= ceiling
    left = list(sizes)
    for size in shown:
        left.remove(size)
    assert all(size > ceiling - sum(shown) for size in left if size)
