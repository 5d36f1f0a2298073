import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.quotes import locate_quote


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("the eﬃcient ﬂow of eﬀort", "the efficient flow of effort"),
        ("soft\u00adhy\u00adphen word here", "softhyphen word here"),
        ("a\u00a0wide\u202fgap here", "a wide gap here"),
        ("He said “yes, it\u2019s \u2018so\u2019”.", "He said \"yes, it's 'so'\"."),
        ("a con-\ntribution to knowl-\n  edge", "a contribution to knowledge"),
        ("con\u00ad\ntribution made", "contribution made"),
        ("con\u2010 \r\ntribution made", "contribution made"),
        ("a well-\nknown fact", "a well-known fact"),
        ("a contribution here", "a contri-\nbution here"),
        ("le cafe\u0301 noir a\u0300 Paris", "le café noir à Paris"),
        ("ＡＢＣ１２３ ｉｓ", "ABC123 is"),  # noqa: RUF001 (full-width letters are the subject)
    ],
)
def test_a_quote_in_other_typography_is_located_with_the_offsets_of_the_original(text: str, wanted: str) -> None:
    before = "ﬁrst… \u00ad\u00a0"
    place = locate_quote(f"{before}{text} after", wanted)
    assert place == (len(before), len(before) + len(text))


def test_a_hyphen_within_a_line_is_no_broken_word() -> None:
    assert locate_quote("they re-sign the treaty", "they resign the treaty") is None
    assert locate_quote("they resign the treaty", "they re-sign the treaty") is None


PARTS = st.lists(st.text("abcé", min_size=2, max_size=6), min_size=2, max_size=6)


@given(PARTS, PARTS, PARTS)
def test_words_broken_at_line_ends_are_found_wherever_they_are_broken(
    before: list[str], wanted: list[str], after: list[str]
) -> None:
    broken = "-\n".join(wanted)
    text = " ".join([*before, broken, *after])
    place = locate_quote(text, "".join(wanted))
    assert place
    assert text[slice(*place)].replace("-\n", "") == "".join(wanted)
