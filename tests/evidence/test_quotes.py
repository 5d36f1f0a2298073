from string import punctuation
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.quotes import locate_quote
from quaestor.evidence.tokenization import normalize

TEXT = "He said “Hello —  world…”\n  and the ﬁgure of soft\u00adhy\u00adphen Straße café. A cat, a CAT."


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("a CAT", "a CAT"),
        ("a cat", "A cat"),
        ('"hello - WORLD..."', "“Hello —  world…”"),
        ("world…” and the", "world…”\n  and the"),
        ("figure", "ﬁgure"),
        ("softhyphen strasse", "soft\u00adhy\u00adphen Straße"),
        ("cafe\u0301", "café"),
        ("'the figure of.'", "the ﬁgure of"),
    ],
)
def test_quotes_are_found_in_other_typography(wanted: str, found: str) -> None:
    place = locate_quote(TEXT, wanted)
    assert place
    assert TEXT[slice(*place)] == found


@pytest.mark.parametrize(
    "wanted", ["he claimed hello", "igure", "AND THE F", "cafe", "", " \n", "...", "HE", "world and the"]
)
def test_what_does_not_stand_there_is_not_found(wanted: str) -> None:
    assert locate_quote(TEXT, wanted) is None


def test_a_letter_with_its_accent_apart_is_the_same_letter() -> None:
    assert locate_quote("le cafe\u0301 noir", "CAFÉ NOIR") == (3, 13)


def test_the_first_place_counts() -> None:
    assert locate_quote("one two one two", "one") == (0, 3)


def test_words_that_stand_twice_are_located_where_the_reader_saw_them() -> None:
    assert locate_quote("one two. One two.", "two.", shown=[(9, 17)]) == (13, 17)
    assert locate_quote("“One” two. “One” two.", '"one" two', shown=[(11, 21)]) == (11, 20)
    assert locate_quote("one two one two", "one", shown=[(9, 15), (4, 8)]) == (0, 3)


@given(st.text(min_size=1), st.text(), st.text())
def test_any_true_substring_is_found(wanted: str, before: str, after: str) -> None:
    place = locate_quote(before + wanted + after, wanted)
    if wanted.strip():
        assert place
        start, end = place
        assert (before + wanted + after)[start:end] == wanted.strip()
    else:
        assert place is None


WORDS = st.lists(st.sampled_from(["Straße", "naïve", "1,5", "“so”", "北京", "end."]), min_size=2, max_size=8)


@given(WORDS, WORDS, WORDS)
def test_other_wrapping_and_capitals_are_no_other_words(before: list[str], wanted: list[str], after: list[str]) -> None:
    text = "\n".join((" ".join(before), " ".join(wanted), " ".join(after)))
    assert locate_quote(text, "\n   ".join(wanted).upper())


@given(st.text(), st.text())
def test_whatever_is_found_is_the_same_when_folded(text: str, wanted: str) -> None:
    place = locate_quote(text, wanted)
    if place:
        outer = punctuation + " …。、"
        assert normalize(text[slice(*place)]).strip(outer) == normalize(wanted).strip(outer)


LONG = ["lorem ipsum dolor " * 60_000, " \u00ad" * 500_000, "-" * 1_000_000, "é" * 1_000_000]


@pytest.mark.parametrize("text", LONG)
def test_a_million_characters_are_looked_through(text: str) -> None:
    assert locate_quote(text, "quite another thing") is None


@pytest.mark.soak
@pytest.mark.parametrize("text", LONG)
def test_a_million_characters_take_linear_time(text: str) -> None:
    def cpu_time(part: str) -> float:
        began = process_time()
        locate_quote(part, "quite another thing")
        return process_time() - began

    eighth = min(cpu_time(text[: len(text) // 8]) for _ in range(5))
    assert min(cpu_time(text) for _ in range(3)) < 8 * 4 * eighth, "squared it would be 8 * 8"
