import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.evidence.blocks import parse_blocks
from quaestor.tools.reading.markdown_escapes import without_escapes


@pytest.mark.parametrize(
    ("converted", "shown"),
    [
        ("See max\\_queued\\_messages.", "See max_queued_messages."),
        ("- allow \\[ true | false \\]: for \\<topic> only", "- allow [ true | false ]: for <topic> only"),
        ("\\<topic> can hold wildcards", "<topic> can hold wildcards"),
        ("# \\_Snark\\_", "# _Snark_"),
        ("- \\#", "- #"),
        ("in this order: \\# files from one.d", "in this order: # files from one.d"),
        ("C:\\\\\\_old and \\$SYS and \\d", "C:\\_old and \\$SYS and \\d"),
        ("a `b\\_c` and\n```\nd\\_e\n```\nf\\_g", "a `b\\_c` and\n```\nd\\_e\n```\nf_g"),
        ("**Bold** and \\*stars\\*", "**Bold** and *stars*"),
        ("| a\\_b \\| c |", "| a_b \\| c |"),
    ],
)
def test_the_marks_of_a_page_have_no_backslashes(converted: str, shown: str) -> None:
    assert without_escapes(converted) == shown


@pytest.mark.parametrize(
    "line",
    [
        "\\# files",
        "\\- 3 degrees",
        "\\* a star",
        "1\\. is a number",
        "\\[1\\]: page.html",
        "Words\n\\~\\~\\~\\~",
        "\\`\\`\\`",
    ],
)
def test_a_mark_that_would_open_a_block_keeps_its_backslash(line: str) -> None:
    kinds = [block.kind for block in parse_blocks(line)]
    assert [block.kind for block in parse_blocks(without_escapes(line))] == kinds


@given(st.text("\\*_`[]<># a\n1.-~|"))
def test_no_text_breaks_it(text: str) -> None:
    without_escapes(text)
