from evidence.retrieval.samples import hit
from quaestor.evidence.ranking import fuse_by_source

A, B, C = hit("a", uri="/a"), hit("b", uri="/b"), hit("c", uri="/c")


def test_what_several_rankings_hold_comes_first() -> None:
    assert fuse_by_source([(1.0, [A, B]), (1.0, [B, C])]) == [B, A, C]
    assert fuse_by_source([(1.0, [A]), (1.0, [B])]) == [A, B]
    assert fuse_by_source([]) == []


def test_a_ranking_counts_by_its_weight() -> None:
    assert fuse_by_source([(0.5, [A]), (1.0, [B])]) == [B, A]


def test_a_source_counts_once_a_ranking_by_its_first_hit() -> None:
    later = hit("a again", uri="/a", start=9)
    assert fuse_by_source([(1.0, [later, A, B]), (1.0, [B])]) == [B, later]
