from graphlib import TopologicalSorter

from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.contracts.plan import dependency_errors

NAMES = st.sampled_from("abcdef")


def test_unknown_ids_and_circles_are_named() -> None:
    assert dependency_errors({"t1": (), "t2": ("t1",)}) == ()
    assert dependency_errors({"t1": ("t7",)}) == ("t1 depends on t7, which is not in the plan",)
    assert dependency_errors({"t1": ("t2",), "t2": ("t1",)})[0].startswith("a circle: ")
    assert dependency_errors({"t1": ("t1",)}) == ("a circle: t1 waits for t1",)


@given(st.dictionaries(NAMES, st.lists(NAMES, max_size=3), max_size=6))
def test_what_has_no_faults_can_be_put_in_order(edges: dict[str, list[str]]) -> None:
    if not dependency_errors(edges):
        order = list(TopologicalSorter(edges).static_order())
        assert all(order.index(other) < order.index(own) for own, others in edges.items() for other in others)
