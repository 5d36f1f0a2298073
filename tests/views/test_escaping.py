import re

from hypothesis import given
from hypothesis import strategies as st

from quaestor.views.escaping import escape_markdown, escape_markdown_inline


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
