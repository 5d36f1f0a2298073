from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.ranking import K1, B, bm25_scores

WORDS = st.lists(st.sampled_from("abcdef"), max_size=12)


def test_a_score_is_that_of_the_formula() -> None:
    [first, second] = bm25_scores(["fog", "fog", "bell"], [["fog", "bell", "fog"], ["fog"]])
    common, rare = log(1 + 0.5 / 2.5), log(1 + 1.5 / 1.5)
    long, short = (K1 * (1 - B + B * length / 2) for length in (3, 1))
    assert first == pytest.approx(common * 2 * (K1 + 1) / (2 + long) + rare * (K1 + 1) / (1 + long))
    assert second == pytest.approx(common * (K1 + 1) / (1 + short))


def test_no_texts_have_no_scores() -> None:
    assert bm25_scores(["fog"], []) == []
    assert bm25_scores([], [["fog"]]) == [0]
    assert bm25_scores(["fog"], [[], []]) == [0, 0]


@given(wanted=WORDS, texts=st.lists(WORDS, min_size=1, max_size=6))
def test_what_holds_a_wanted_term_is_above_what_holds_none(wanted: list[str], texts: list[list[str]]) -> None:
    for score, text in zip(bm25_scores(wanted, texts), texts, strict=True):
        assert (score > 0) == bool(set(wanted) & set(text))
