import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks


def blocks(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, " ".join(text[block.start : block.end].split())) for block in parse_blocks(text)]


@pytest.mark.parametrize(
    "label",
    [
        ".. setting:: LAMP_DELAY",
        ".. versionadded:: 2.4",
        ".. autoclass:: Lamp\n    :members:",
        ".. index:: single: lamp",
    ],
)
def test_a_directive_that_only_names_is_markup(label: str) -> None:
    assert [kind for kind, _ in blocks(f"{label}\n\nA lamp burns.")] == [BlockKind.MARKUP, BlockKind.PROSE]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("function:: light(lamp, hours=4)", "light(lamp, hours=4)"),
        ("c:function:: int light(Lamp *lamp) -> int", "int light(Lamp *lamp) -> int"),
        ("function:: light(lamp,\n              hours)", "light(lamp, hours)"),
        ("class:: Lamp\n   :module: port", "Lamp"),
    ],
)
def test_the_name_of_what_is_explained_below_it_is_no_sentence(line: str, name: str) -> None:
    found = blocks(f".. {line}\n\n   It burns all night.")
    assert (found[0], found[-1]) == ((BlockKind.CODE, name), (BlockKind.PROSE, "It burns all night."))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("note:: Keep it dry", "Keep it dry"),
        ("versionchanged:: 2.4\n   The lamp is red.", "2.4 The lamp is red."),
        ("versionchanged:: 2.4 Call light(lamp).", "2.4 Call light(lamp)."),
        ("tip:: Dry.", "Dry."),
    ],
)
def test_the_remark_of_a_directive_is_read(line: str, words: str) -> None:
    assert blocks(f".. {line}") == [(BlockKind.PROSE, words)]


def test_what_stands_in_the_margin_or_in_place_of_a_picture_is_no_prose() -> None:
    text = "[Sidenote: _The gale\nof May._]\n\nIt blew.\n\n[Illustration]\n\n[Illustration: A gale.] or more"
    assert [kind for kind, _ in blocks(text)] == [BlockKind.MARKUP, BlockKind.PROSE] * 2
    assert blocks("[Music illustration] and [Music illustration]")[0][0] is BlockKind.MARKUP
