from collections.abc import Sequence
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.findings import finding, hit
from quaestor.contracts.ledger import Finding
from quaestor.contracts.source import Hit
from quaestor.evidence.ranking import batch_by_size, fuse_rankings, json_size, select_relevant, take_within

A, B, C = hit("a"), hit("b"), hit("c")
SIZES = st.lists(st.integers(0, 50))
CEILINGS = st.integers(0, 100)


def test_what_several_queries_rank_high_comes_first_and_once() -> None:
    assert fuse_rankings([[A, B], [B, C]]) == (B, A, C)
    assert fuse_rankings([[A], [B]]) == (A, B)
    assert fuse_rankings([]) == ()


@given(st.lists(st.permutations([A, B, C]).map(lambda hits: hits[:2]), max_size=4))
def test_every_hit_of_any_ranking_is_kept_once_and_one_ranking_as_it_is(rankings: list[list[Hit]]) -> None:
    merged = fuse_rankings(rankings)
    assert len(merged) == len(set(merged))
    assert set(merged) == set(chain.from_iterable(rankings))
    for ranking in rankings:
        assert fuse_rankings([ranking, ranking]) == tuple(ranking)


def test_parts_of_one_source_are_passages_of_their_own() -> None:
    later = A.passage.model_copy(update={"start": 9, "end": 10})
    assert len(fuse_rankings([[A, A.model_copy(update={"passage": later})]])) == 2


@given(SIZES, CEILINGS)
def test_what_is_shown_fits_and_leaves_no_room_for_what_was_passed_over(sizes: list[int], ceiling: int) -> None:
    shown = take_within(sizes, ceiling, int)
    assert sum(shown) <= ceiling
    left = list(sizes)
    for taken in shown:
        left.remove(taken)
    assert all(taken > ceiling - sum(shown) for taken in left if taken)


@given(SIZES, CEILINGS)
def test_groups_partition_all_items_in_order_and_each_fits_or_is_one_item_that_cannot(
    sizes: list[int], ceiling: int
) -> None:
    groups = batch_by_size(sizes, ceiling, int)
    assert list(chain.from_iterable(groups)) == sizes
    assert all(groups)
    assert all(sum(group) <= ceiling or len(group) == 1 for group in groups[:-1])
    assert all(sum(group) + following[0] > ceiling for group, following in pairwise(groups))


def test_a_small_rest_is_no_group_by_itself() -> None:
    assert batch_by_size([8, 5, 3, 1], 8, int) == ((8,), (5, 3, 1))
    assert batch_by_size([8, 5, 3, 2], 8, int) == ((8,), (5, 3), (2,))
    assert batch_by_size([1], 8, int) == ((1,),)


LIGHTS = (
    finding("t1/1", "The lighthouse was built in 1831."),
    finding("t1/2", "Light dues were two pence a ton."),
    finding("t2/1", "The keeper of the lighthouse was paid 12 crowns."),
    finding("t2/2", "The keeper of the lighthouse logged every ship."),
)
FINDINGS = st.lists(st.sampled_from(LIGHTS), max_size=6)
TASKS = st.lists(st.sampled_from(" ".join(one.claim for one in LIGHTS).split()), max_size=4).map(" ".join)


@pytest.mark.parametrize(
    ("about", "room", "names"),
    [
        ("Who was the keeper of the lighthouse?", LIGHTS[2:3], ["t2/1"]),
        ("Who was the keeper of the lighthouse?", LIGHTS[2:], ["t2/1", "t2/2"]),
        ("What were the LIGHT DUES for?", LIGHTS[1:2], ["t1/2"]),
        ("When was the lighthouse built?", LIGHTS[0:3:2], ["t1/1", "t2/1"]),
        ("Of the what?", LIGHTS[:1], ["t1/1"]),
    ],
)
def test_what_shares_most_words_with_a_task_is_recalled_first(
    about: str, room: Sequence[Finding], names: list[str]
) -> None:
    assert [one.id for one in select_relevant(LIGHTS, about, sum(map(json_size, room)))] == names


@given(FINDINGS, TASKS, st.integers(0, 2000))
def test_what_is_recalled_fits_and_keeps_its_order(findings: list[Finding], about: str, ceiling: int) -> None:
    recalled = select_relevant(findings, about, ceiling)
    assert sum(map(json_size, recalled)) <= ceiling
    rest = iter(findings)
    assert all(any(one == other for other in rest) for one in recalled)
    if sum(map(json_size, findings)) <= ceiling:
        assert list(recalled) == findings
