"""What is no proof: too few words, cut words, and words that only a line break joins."""

import pytest

from quaestor.evidence.quote_rules import find_quote_fault, split_at_headings

LETTER = """Status: Not accepted
Keeper: Anna Brandt

| place | height |
|---|---|
| Aldmouth | 31 m |

- red lamp

The keeper was unable to carry heavy loads, and non-blocking calls are safe.
It cost 1,310 crowns in 1831. It was white.

crowns 1,310

Bell,no,yes
"""


def fault(words: str, claim: str = "A claim.") -> str | None:
    start = LETTER.index(words)
    return find_quote_fault(LETTER, start, start + len(words), claim)


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        ("keeper was unable to carry", "A claim."),
        ("Not accepted", "It was not accepted."),
        ("Status: Not accepted", "It was not accepted."),
        ("Anna Brandt", "Anna Brandt kept it."),
        ("31 m", "It is so high."),
        ("| Aldmouth | 31 m |", "Aldmouth is high."),
        ("| place | height |\n|---|---|\n| Aldmouth | 31 m |", "Aldmouth is high."),
        ("red lamp", "The lamp is red."),
        ("- red lamp", "The lamp is red."),
        ("1831", "It was built in 1831."),
        ("1,310 crowns", "It cost 1,310 crowns."),
        ("Bell,no,yes", "Bell has none."),
    ],
)
def test_telling_words_and_whole_values_prove(words: str, claim: str) -> None:
    assert fault(words, claim) is None


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        ("was", "A claim."),
        ("It was white", "It was white."),
        ("accepted", "It was accepted."),
        ("Brandt", "Brandt kept it."),
        ("carry heavy", "They carry heavy loads."),
        ("1831", "It was built in 1913."),
        ("crowns in", "It cost crowns."),
        ("- red", "The lamp is red."),
        ("Aldmouth | 31", "Aldmouth is high."),
        ("crowns 1,310", "It cost crowns."),
    ],
)
def test_few_words_prove_nothing(words: str, claim: str) -> None:
    assert "fewer than 3" in (fault(words, claim) or "")


@pytest.mark.parametrize(
    "words",
    [
        "able to carry heavy loads",
        "blocking calls are safe",
        "310 crowns in 1831",
        "The keeper was unable to carry heavy load",
    ],
)
def test_a_word_that_is_cut_proves_nothing(words: str) -> None:
    assert fault(words, "It cost 310 crowns.") == "it begins or ends inside a word"


@pytest.mark.parametrize(
    "words", ["东京是日本的首都", "ประเทศไทยมีเมืองหลวงชื่อกรุงเทพ", "서울은 한국의 수도이다", "दिल्ली भारत की राजधानी है"]
)
def test_words_of_scripts_without_blanks_are_counted_by_characters(words: str) -> None:
    text = f"{words} {words}"
    assert find_quote_fault(text, 0, len(words), "A claim.") is None
    assert find_quote_fault(text, 0, 2, "A claim.") is not None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("# Rejected\n\nDrop the frozen one.", ["Rejected", "Drop the frozen one."]),
        ("Rejected\n========\n\nDrop the frozen one.", ["Rejected", "Drop the frozen one."]),
        ("Above it.\n\n== Rejected ==\nDrop it.", ["Above it.", "Rejected", "Drop it."]),
        ("Rejected Ideas\nFrozen ones were dropped.", ["Rejected Ideas", "Frozen ones were dropped."]),
        ("Rejected Ideas\n\nFrozen ones were dropped.", ["Rejected Ideas", "Frozen ones were dropped."]),
        ("They were dropped\nby all of them.", ["They were dropped\nby all of them."]),
        ("One paragraph.\n\nAnother one.", ["One paragraph.\n\nAnother one."]),
    ],
)
def test_a_heading_is_not_joined_with_what_is_around_it(text: str, parts: list[str]) -> None:
    assert [text[slice(*span)] for span in split_at_headings(text, text.index(parts[0]), len(text))] == parts


def test_a_part_of_a_heading_is_no_part_of_what_is_below() -> None:
    text = "Older words.\n\nThings We Rejected\nFrozen ones were dropped by all of them."
    spans = split_at_headings(text, text.index("Rejected"), len(text))
    assert [text[slice(*span)] for span in spans] == ["Rejected", "Frozen ones were dropped by all of them."]


@pytest.mark.parametrize(
    "words",
    [
        "The ferry does not run.",
        "Must the keeper be paid?",
        "“We cannot recommend this place.”",
        "**Ferry.** Nobody wants it.",
    ],
)
def test_whole_sentences_of_two_telling_words_prove(words: str) -> None:
    text = f"It was white. {words} The keeper said so."
    start = text.index(words)
    assert find_quote_fault(text, start, start + len(words), "A claim.") is None


@pytest.mark.parametrize(
    "words", ["ferry does not run", "ferry does not run.", "The ferry does not run", "It was white."]
)
def test_a_piece_of_a_short_sentence_and_one_of_a_single_telling_word_prove_nothing(words: str) -> None:
    text = "It was white. The ferry does not run. The keeper said so."
    start = text.index(words)
    assert "fewer than 3" in (find_quote_fault(text, start, start + len(words), "A claim.") or "")
