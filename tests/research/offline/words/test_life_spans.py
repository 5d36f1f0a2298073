import pytest

from quaestor.research.offline.words.life_spans import asked_life
from quaestor.research.offline.words.word_forms import word_forms


@pytest.mark.parametrize(
    ("text", "held"),
    [
        ("Ann Lee (8 July 1838 \u2013 8 March 1917) was a potter.", {"die"}),
        ("Ann Berta Lee (21. Januar 1885 \u2013 30. Juli 1978) war Töpferin.", {"die"}),
        ("Ann Lee (* 21. Januar 1885 in Leland; \u2020 30. Juli 1978 in Quell) war Töpferin.", {"die"}),
        ("Ann Lee (1838\u20131917) was a potter.", {"die"}),
        ("Ann Lee (d. 1917) was a potter.", {"die"}),
        ("Ann Lee (born 1838) is a potter.", set[str]()),
        ("Ann Lee (1908\u20131917) was the head of the works.", set[str]()),
        ("Ann Lee (head of the works 1838\u20131917) was a potter.", set[str]()),
        ("Bo Lee (1838\u20131917) was a potter.", set[str]()),
        ("Ann Lee made jars. The other (1838\u20131917) made lids.", set[str]()),
        ("Ann Lee (8 March 1917) was a potter.", set[str]()),
    ],
)
def test_two_dates_behind_a_name_tell_when_somebody_died(text: str, held: set[str]) -> None:
    assert asked_life("When did Ann Lee die?", None).terms_held(text) == held


def test_what_asks_for_no_birth_and_no_death_is_told_by_no_dates() -> None:
    life = asked_life("When did Ann Lee make jars?", None)

    assert life.terms_held("Ann Lee (1838\u20131917) was a potter.") == frozenset()
    assert asked_life("When was Ann Lee born?", None).terms_held("Ann Lee (1838\u20131917) made jars.") == {"born"}


def test_a_sentence_with_the_dates_of_a_life_is_read_as_one_that_says_so() -> None:
    assert "die" in word_forms("When did Ann Lee die?").terms("Ann Lee (1838\u20131917) made jars.")
