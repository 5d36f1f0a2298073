import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.sentences import sentence_spans
from quaestor.evidence.top_fields import find_top_fields, with_plain_fields

FIELDS = "  Note: 12\n  Title: Plain Jars\n  Author: Ann Lee\n          Bo Ek\n"
PLAIN = "Note: 12\nTitle: Plain Jars\nAuthor: Ann Lee\n        Bo Ek\n"


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("", "\nA jar.\n"),
        ("<pre>\n", "</pre>\n\nA jar.\n"),
        ("<pre>\n", "</pre>\nA jar.\n"),
        ("```\n", "```\n\nA jar.\n"),
        ("'''NOTICE: This text is not whole.'''\n\n<pre>\n", "</pre>\n\nA jar.\n"),
        ("CHANGES:\n* (3 May) Added lids\n* (4 May) Added jars\n\n<pre>\n", "</pre>\n\nA jar.\n"),
    ],
)
def test_fields_are_read_after_an_indent_and_in_preformatted_text(above: str, below: str) -> None:
    text = f"{above}{FIELDS}{below}"
    found = find_top_fields(text)
    assert found
    assert text[found.start : found.end] == FIELDS
    assert with_plain_fields(text) == f"{PLAIN}\n{text}"


@pytest.mark.parametrize(
    "text",
    [
        PLAIN,
        "  Jars: they break.\n  So do lids\n\nA jar.\n",
        "Author: Ann Lee\n  Place: Holm\n\nA jar.\n",
        "# Jars\n\n<pre>\n  Note: 12\n  Title: Plain Jars\n</pre>\n",
        "A jar.\n\nA lid.\n\n<pre>\n  Note: 12\n  Title: Plain Jars\n</pre>\n",
        "A jar.\nA lid.\n\n<pre>\n  Note: 12\n  Title: Plain Jars\n</pre>\n",
        "<pre>\nlid(jar)\nNote: 12\n</pre>\n",
        "",
        "<pre>\n",
    ],
)
def test_other_lines_are_no_indented_fields_at_the_top(text: str) -> None:
    assert find_top_fields(text) is None
    assert with_plain_fields(text) == text


def test_the_first_line_of_a_passage_has_lost_its_indent() -> None:
    found = find_top_fields(FIELDS.lstrip())
    assert found
    assert (found.start, found.margin) == (0, 2)


def test_fields_between_tags_are_blocks_of_their_own_and_the_tags_are_none_of_their_words() -> None:
    text = f"<pre>\n{FIELDS}</pre>\nA jar is\nmade of clay.\n<pre>\nlid\n</pre>\n"
    kinds = [block.kind for block in parse_blocks(text)]
    mark, field, prose = BlockKind.MARKUP, BlockKind.FIELD, BlockKind.PROSE
    assert kinds == [mark, field, field, field, mark, prose, mark, prose, mark]
    assert [text[start:end] for start, end in sentence_spans(text)][2:4] == [
        "Author: Ann Lee\n          Bo Ek",
        "A jar is\nmade of clay.",
    ]
