import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from quaestor.views.escaping import (
    escape_hidden_json,
    escape_markdown,
    escape_markdown_inline,
    one_line,
    quote_line,
    quote_prose,
    replace_hidden,
)


def test_a_line_that_would_begin_a_list_is_escaped_only_where_it_begins() -> None:
    assert escape_markdown("+10 %") == "\\+10 %"
    assert escape_markdown("1. first") == "1\\. first"
    assert escape_markdown_inline("+10 %") == "+10 %"
    assert escape_markdown_inline("1. first") == "1. first"


_READERS = (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable(["table", "strikethrough"]))
_SIGNS = st.text(alphabet="ab1 `*_[]()<>#|~$@!\\-+=.:&;/^'\"", max_size=40)


def _read(reader: MarkdownIt, written: str) -> tuple[list[str], str]:
    """Return the kinds of blocks and of inline tokens that Markdown has, and its text with code between backticks."""
    tokens = reader.parse(written)
    inside = [child for token in tokens for child in token.children or ()]
    kinds = [token.type for token in tokens] + [child.type for child in inside]
    text = "".join("\n" if one.type == "hardbreak" else _text(one) for one in inside)
    return sorted(set(kinds)), text


def _text(token: Token) -> str:
    return f"`{token.content}`" if token.type == "code_inline" else token.content


def _plain(text: str) -> str:
    """Return a text as it is read again: of code the blank at both ends is none of it."""
    return re.sub(r"`([^`|]*[^`|\s][^`|]*)`", lambda code: f"`{code[1].strip()}`", " ".join(text.split()))


_KNOWN = {"paragraph_open", "inline", "paragraph_close", "text", "text_special", "code_inline"}


@example("![a](b)")
@example("``a` b`")
@settings(max_examples=400)
@given(st.one_of(_SIGNS, st.text(max_size=60)))
def test_whatever_stands_in_a_text_a_reader_of_markdown_finds_the_text_and_at_most_code(text: str) -> None:
    for reader in _READERS:
        kinds, read = _read(reader, escape_markdown(text))
        assert set(kinds) <= _KNOWN
        assert _plain(read) == _plain(one_line(text))


@example(["a|b", ":--"])
@settings(max_examples=400)
@given(st.lists(_SIGNS.filter(str.strip), min_size=1, max_size=4))
def test_lines_of_a_quote_stay_lines_of_one_paragraph(lines: list[str]) -> None:
    quote = "> " + "\\\n> ".join(map(escape_markdown, lines))
    for reader in _READERS:
        kinds, read = _read(reader, quote)
        assert set(kinds) <= _KNOWN | {"blockquote_open", "blockquote_close", "hardbreak"}
        assert [_plain(one) for one in read.split("\n")] == [_plain(one) for one in lines]


def test_what_means_nothing_in_markdown_is_left_as_it_is() -> None:
    text = "`a_b: **kwargs` > snake_case_name] in C# - 1. of 2 (see x)"
    assert escape_markdown(text) == text
    assert escape_markdown_inline("a|b _c_ #1 `d|e` `f`g`") == r"a\|b \_c\_ \#1 \`d\|e\` `f`g\`"


UNSEEN = (
    "\u034f\u115f\u2800\u3164\uffa0\u180e\u200b\ufeff\u2060"
    "\u200e\u200f\u061c\u202e\u2066\U000e0041\U000e0001\U000e0100\ufff9\x1b\x7f"
)


def test_what_nobody_sees_is_shown() -> None:
    assert replace_hidden(f"a{UNSEEN}b") == f"a{chr(0xFFFD) * len(UNSEEN)}b"


def test_a_joiner_or_a_selector_that_nothing_is_written_with_is_shown() -> None:
    assert replace_hidden("pass\u200dword x\ufe00 \U0001f600\ufe0f\ufe01\ufe02") == (
        "pass\ufffdword x\ufffd \U0001f600\ufe0f\ufffd\ufffd"
    )


@pytest.mark.parametrize(
    ("rest", "shown"),
    [
        ("can therefore append nothing.", " can"),
        ("(as was said) it goes on.", " (as"),
        ("`name` is a value.", " `name`"),
        ("- an item", " \u21b5 -"),
        ("2. an item", " \u21b5 2."),
        ("| 380 |", " \u21b5 |"),
        ("Status: Final", " \u21b5 Status:"),
        ("\nThe next paragraph.", " \u21b5 The"),
    ],
)
def test_in_a_paragraph_wrapped_prose_flows_on_and_what_begins_anew_is_marked(rest: str, shown: str) -> None:
    line = "A leader that was cut off from the majority"
    assert quote_prose(f"{line}\n   {rest}").startswith(f"{line}{shown}")


def test_the_line_breaks_of_a_quote_are_marked() -> None:
    assert quote_line("Rejected\n  Frozen ones.\r\n\u2028End") == "Rejected \u21b5 Frozen ones. \u21b5 End"


def test_what_scripts_are_written_with_stays() -> None:
    words = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 \U0001f469\u200d\U0001f52c Stau\u00adbecken"
    assert replace_hidden(f"{words} 1\ufe0f\u20e3 \u2764\ufe0f\t\n") == f"{words} 1\ufe0f\u20e3 \u2764\ufe0f\t\n"


def test_in_json_it_is_an_escape_of_the_same_text() -> None:
    written = escape_hidden_json(json.dumps(UNSEEN, ensure_ascii=False))
    assert written.isascii()
    assert json.loads(written) == UNSEEN
