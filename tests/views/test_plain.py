import re

from hypothesis import given
from hypothesis import strategies as st

from quaestor.views.plain import inline, plain


def test_a_line_that_would_begin_a_list_is_escaped_only_where_it_begins() -> None:
    assert plain("+10 %") == "\\+10 %"
    assert plain("1. first") == "1\\. first"
    assert inline("+10 %") == "+10 %"
    assert inline("1. first") == "1. first"


@given(st.text(max_size=60))
def test_no_sign_of_structure_is_left_bare(text: str) -> None:
    for escaped in (plain(text), inline(text)):
        assert "\n" not in escaped
        bare = re.sub(r"\\.", "", escaped)
        assert not set("`*_[]<>#|~$@") & set(bare)
