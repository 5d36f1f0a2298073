import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.reading.character_references import decode_references
from quaestor.tools.reading.parse import parse_plain


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("Die Bio&shy;tonne", "Die Bio\u00adtonne"),
        ("train &amp; ferry, 3&nbsp;hrs", "train & ferry, 3\u00a0hrs"),
        ("Caf&eacute; &#163;6, &#xA3;7", "Café £6, £7"),
    ],
)
def test_a_character_reference_is_the_character(text: str, decoded: str) -> None:
    assert decode_references(text) == decoded


@pytest.mark.parametrize(
    "text",
    [
        "Write `&amp;` there, or ``a ` &amp;`` here.",
        "Text.\n\n```html\n&amp;\n```\n",
        "AT&T and R&D; fish &chips; are none",
        "| a &#124; b | 3 |",
        "&#42;no emphasis&#42;",
        "one&#10;line",
    ],
)
def test_code_and_what_would_be_a_mark_stay_as_they_are_written(text: str) -> None:
    assert decode_references(text) == text


@given(st.lists(st.sampled_from(["`", "``", "&amp;", "\n", "\n\n", "    a", "```", "|", "b "]), max_size=40))
def test_decoding_takes_nothing_but_references_away(parts: list[str]) -> None:
    text = "".join(parts)
    assert decode_references(text).replace("&amp;", "&") == text.replace("&amp;", "&")


def test_a_markdown_file_is_read_with_its_characters_and_other_text_is_not() -> None:
    assert parse_plain("# Fish &amp; chips\n", "text/markdown", "a.md").title == "Fish & chips"
    assert parse_plain("# Fish &amp; chips\n", "text/plain", "a.py").text == "# Fish &amp; chips\n"
