import re

from hypothesis import given
from hypothesis import strategies as st

from quaestor.agents.rendering import (
    FENCE,
    MAX_ORIGIN_LENGTH,
    MIN_FENCE_LENGTH,
    enclose,
    format_origin,
    frame_list,
    one_line,
    replace_unreadable,
)

SIGNS = st.characters() | st.sampled_from(f"{FENCE}\n`\r\0\x1b\u2028\ud800\U000e0041")
ANY = st.lists(SIGNS).map("".join) | st.from_regex(f"(a?{FENCE}*\n?)*", fullmatch=True)


@given(ANY)
def test_nothing_in_a_text_closes_its_fence(text: str) -> None:
    opening, *lines, closing = enclose(text, "p1").split("\n")
    fence = opening.split(" ")[0]
    assert closing == fence
    assert set(fence) == {FENCE}
    assert len(fence) >= MIN_FENCE_LENGTH
    assert all(fence not in line for line in lines)


@given(ANY, ANY)
def test_a_text_can_be_cut_out_of_its_frame_again_exactly(text: str, title: str) -> None:
    inside = enclose(text, "p1", title).split("\n", 1)[1].rsplit("\n", 1)[0]
    assert inside == replace_unreadable(text)


@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]) | st.sampled_from("\n\t")))
def test_words_are_never_altered(text: str) -> None:
    assert replace_unreadable(text) == re.sub("[\U000e0000-\U000e007f]", "\ufffd", text)


@given(ANY)
def test_what_is_read_is_of_the_same_length_and_can_be_sent(text: str) -> None:
    assert len(replace_unreadable(text)) == len(text)
    replace_unreadable(text).encode("utf-8")
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", replace_unreadable(text))


@given(ANY)
def test_an_origin_is_one_short_line_without_the_fence(text: str) -> None:
    line = format_origin(text)
    assert len(line) <= MAX_ORIGIN_LENGTH
    assert FENCE not in line
    assert len(line.splitlines()) <= 1


@given(st.lists(ANY))
def test_a_list_has_one_line_an_item(items: list[str]) -> None:
    assert len(frame_list(items, "executed").split("\n")) == 2 + max(len(items), 1)


def test_an_origin_says_what_it_is_and_where_from() -> None:
    assert enclose("words", "p1", "A ~title~", "", "x\ny") == "~~~ p1 | A -title- | x y\nwords\n~~~"


def test_a_fence_grows_with_what_it_holds() -> None:
    assert enclose("a ~~~~ b", "task") == "~~~~~ task\na ~~~~ b\n~~~~~"


def test_letters_that_nobody_can_see_are_shown() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
    assert one_line(f"a{hidden}\n\x1b b") == "a\ufffd\ufffd\ufffd\ufffd \ufffd b"
