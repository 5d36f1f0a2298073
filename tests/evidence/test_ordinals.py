import pytest

from quaestor.evidence.sentences import sentence_spans


def said(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "sentence",
    [
        "Das Fest ist nicht am 1. Juli, sondern am 3. August.",
        "Geöffnet ist ab dem 2. Jan. 2031 und bis zum 14. September.",
        "mødet er den 1. maj 2031, og det varer en dag.",
        "butikken åpner 2. juli og stenger 5. desember.",
        "kokous pidetään 3. toukokuuta ja 9. syyskuuta.",
        "schůze je 4. července a 12. září.",
        "zebranie odbyło się 1. maja oraz 30. czerwca.",
        "Geöffnet wird am 1. 7. 2031 um neun.",
    ],
)
def test_a_day_before_its_month_ends_no_sentence(sentence: str) -> None:
    assert said(f"{sentence} {sentence}") == [sentence, sentence]


def test_a_number_before_what_is_no_month_ends_a_sentence() -> None:
    parts = ["The club had 9.", "August Berg joined in 1990.", "May we go?", "He has 12.", "May he rest."]
    assert said(" ".join(parts)) == parts


def test_a_german_ordinal_behind_an_article_ends_a_sentence_only_before_a_word_that_opens_one() -> None:
    parts = ["Es steht in der 2. Auflage und im 100. Heft.", "Der Krug zerbrach am 3.", "Die Scherben sind weg."]
    assert said(" ".join(parts)) == parts


@pytest.mark.parametrize(
    "parts",
    [
        ["The suite: I. Slow dance.", "II. Fast dance.", "XIV. Last dance, quick."],
        ["The rules are: 1. Wash the lid.", "2. Dry it.", "3. Close it."],
        ["So did I.", "He met Charles II.", "The king had 5.", "None was left."],
    ],
)
def test_a_number_that_opens_what_a_list_in_a_line_has_ends_no_sentence(parts: list[str]) -> None:
    assert said(" ".join(parts)) == parts
