import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.views.escaping import (
    escape_hidden_json,
    escape_markdown,
    escape_markdown_inline,
    quote_line,
    quote_prose,
    replace_hidden,
)


def test_a_line_that_would_begin_a_list_is_escaped_only_where_it_begins() -> None:
    assert escape_markdown("+10 %") == "\\+10 %"
    assert escape_markdown("1. first") == "1\\. first"
    assert escape_markdown_inline("+10 %") == "+10 %"
    assert escape_markdown_inline("1. first") == "1. first"


@given(st.text(max_size=60))
def test_no_sign_of_structure_is_left_bare(text: str) -> None:
    for escaped in (escape_markdown(text), escape_markdown_inline(text)):
        assert "\n" not in escaped
        bare = re.sub(r"\\.", "", escaped)
        assert not set("`*_[]<>#|~$@") & set(bare)


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
