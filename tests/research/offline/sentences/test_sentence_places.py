from hypothesis import given
from hypothesis import strategies as st

from quaestor.research.offline.sentences.sentence_places import cut_long, is_open_question


@given(st.lists(st.text("ab,;:( )\n", min_size=1, max_size=30), min_size=40, max_size=80))
def test_the_pieces_of_what_is_too_long_hold_all_words_and_begin_with_none_of_its_blanks(words: list[str]) -> None:
    text = "a" + " (".join(words) + "b"
    pieces = [text[start:end] for start, end in cut_long(text, 0, len(text))]

    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert not any(piece[0].isspace() for piece in pieces)


def test_a_sentence_is_not_cut_for_the_addresses_of_its_links() -> None:
    text = f"The keeper of the [pier](https://example.org/{'a-long-address-' * 60}) and the bell is Ann Lee."
    assert list(cut_long(text, 0, len(text))) == [(0, len(text))]


def test_a_text_only_asks_where_no_sentence_of_it_answers() -> None:
    assert is_open_question("Is it shut? Who shut it?")
    assert not is_open_question("Is it shut? No.")
    assert not is_open_question("It is shut.")
