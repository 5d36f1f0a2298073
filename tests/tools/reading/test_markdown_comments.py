import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.reading.markdown_comments import blank_comments

COMMENT = "<!-- Ann Lee -->"


@pytest.mark.parametrize(
    "text",
    [
        f"{COMMENT}\n\nA jar.\n",
        f"A lid {COMMENT} of tin {COMMENT}.\n",
        "* Bo Ek\n<!--\n* Ann Lee\n* Cy Dot\n-->\n",
        f"```\ncode\n```\n\n{COMMENT}\n",
        f"`a`, `b` {COMMENT}\n",
    ],
)
def test_a_comment_is_blank_and_all_else_stays_where_it_is(text: str) -> None:
    blanked = blank_comments(text)

    assert "Ann Lee" not in blanked
    assert "<!--" not in blanked
    assert len(blanked) == len(text)
    assert [place for place, sign in enumerate(blanked) if sign == "\n"] == [
        place for place, sign in enumerate(text) if sign == "\n"
    ]


@pytest.mark.parametrize(
    "text",
    [
        f"```html\n{COMMENT}\n```\n",
        f"~~~~\n~~~\n{COMMENT}\n~~~~\n",
        f"```\n{COMMENT}\n",
        f"Write `{COMMENT}` there.\n",
        "An arrow <-- and <!-- that nothing closes\n",
    ],
)
def test_a_comment_in_code_and_one_that_nothing_closes_stay(text: str) -> None:
    assert blank_comments(text) == text


@given(st.lists(st.sampled_from(["<!--", "-->", "```", "`", "\n", " ", "jar"]), max_size=30).map("".join))
def test_nothing_moves_and_it_is_done_once(text: str) -> None:
    blanked = blank_comments(text)

    assert all(new in {old, " "} for old, new in zip(text, blanked, strict=True))
    assert blank_comments(blanked) == blanked
