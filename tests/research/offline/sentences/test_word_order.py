import pytest

from quaestor.evidence.tokenization import terms
from quaestor.research.offline.sentences.word_order import share_of_pairs

QUESTION = "What if there is no lid list for a jar lid?"
CORE = frozenset({"lid", "list", "jar"})


@pytest.mark.parametrize(
    ("sentence", "share"),
    [
        ("In case of no lid list for a jar lid, ask.", 1.0),
        ("A list of lids is in the jar.", 0.0),
        ("A lid list is made.", 1 / 3),
        ("A lid breaks on the list.", 0.0),
    ],
)
def test_a_sentence_that_repeats_a_question_shares_the_pairs_of_its_words(sentence: str, share: float) -> None:
    assert share_of_pairs(terms(sentence), terms(QUESTION), CORE) == pytest.approx(share)


def test_a_question_of_one_word_has_no_pairs() -> None:
    assert share_of_pairs(["lid"], ["lid"], frozenset({"lid"})) == 0.0
