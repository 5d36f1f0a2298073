import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.directives import explained_name


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
        ("option:: -o FILE, --output FILE", "-o FILE, --output FILE"),
        ("setting:: LAMP_DELAY", "LAMP_DELAY"),
    ],
)
def test_the_name_of_what_is_explained_below_it_is_no_sentence(line: str, name: str) -> None:
    found = blocks(f".. {line}\n\n   It burns all night.")
    assert (found[0], found[-1]) == ((BlockKind.NAME, name), (BlockKind.PROSE, "It burns all night."))


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("note:: Keep it dry", "Keep it dry"),
        ("tip:: Dry.", "Dry."),
        ("option:: This is no option.", "This is no option."),
        ("versionchanged:: 2.4 Call light(lamp).", "versionchanged:: 2.4 Call light(lamp)."),
        ("versionchanged:: 2.4\n   The lamp is red.", "versionchanged:: 2.4 The lamp is red."),
        ("deprecated:: 4.1\n\n   Use a gas lamp.", "deprecated:: 4.1 Use a gas lamp."),
        ("deprecated-removed:: 3.8 3.12\n\n   Use gas.", "deprecated-removed:: 3.8 3.12 Use gas."),
    ],
)
def test_the_remark_of_a_directive_is_read(line: str, words: str) -> None:
    assert blocks(f".. {line}") == [(BlockKind.PROSE, words)]


def test_a_remark_below_its_directive_is_quoted_without_it() -> None:
    text = ".. warning::\n   Do not touch\n   the lamp.\n"
    (block,) = parse_blocks(text)
    assert text[block.start : block.end].startswith("Do not")


@pytest.mark.parametrize("below", ["\n\n   * Red\n   * Green", "\n\n   .. note:: Red\n   .. note:: Green"])
def test_of_a_change_with_a_list_below_it_the_items_stand_apart(below: str) -> None:
    assert [words for _, words in blocks(f".. versionchanged:: 2.4{below}")] == ["versionchanged:: 2.4", "Red", "Green"]


def test_the_words_in_place_of_a_picture_and_its_caption_are_read() -> None:
    text = ".. figure:: a.png\n   :alt: A lamp with\n      a red shade\n   :align: left\n\n   It burns oil.\n"
    assert blocks(text) == [(BlockKind.PROSE, "A lamp with a red shade"), (BlockKind.PROSE, "It burns oil.")]
    assert [kind for kind, _ in blocks(".. image:: lamp.png\n\nOil.")] == [BlockKind.MARKUP, BlockKind.PROSE]
    assert [kind for kind, _ in blocks(".. |lamp| image:: lamp.png\n   :alt: Lamp\n")] == [BlockKind.MARKUP]


@pytest.mark.parametrize("directive", ["only:: html", "container:: box", "py:currentmodule:: port"])
def test_what_stands_in_a_directive_that_names_nothing_of_it_is_read_as_if_alone(directive: str) -> None:
    found = blocks(f".. {directive}\n\n   It burns all night.")
    assert [kind for kind, _ in found] == [BlockKind.MARKUP, BlockKind.PROSE]


def test_several_names_above_one_explanation_are_names_of_it() -> None:
    text = ".. data:: red\n.. data:: green\n\n   It burns all night.\n"
    assert [kind for kind, _ in blocks(text)] == [BlockKind.NAME, BlockKind.NAME, BlockKind.PROSE]
    assert blocks(text.replace("red\n", "red\n\n"))[0][0] is BlockKind.MARKUP


@pytest.mark.parametrize(
    ("argument", "name"),
    [
        ("light(lamp, hours=4)", "light(lamp, hours=4)"),
        ("light(lamp, \\*hours)", "light(lamp, *hours)"),
        ("light(lamp,\n      hours)", "light(lamp, hours)"),
        ("Lamp(*, \\\n     oil=None, \\\n     wick=None)", "Lamp(*, oil=None, wick=None)"),
        ("light(lamp)\n   light_all()", "light(lamp), light_all()"),
        (f"light({'lamp, ' * 20}hours=(4, 5)) -> int", "light(…) -> int"),
    ],
)
def test_a_name_is_shown_on_one_line_and_without_many_parameters(argument: str, name: str) -> None:
    assert explained_name(argument) == name


def test_what_stands_in_the_margin_or_in_place_of_a_picture_is_no_prose() -> None:
    text = "[Sidenote: _The gale\nof May._]\n\nIt blew.\n\n[Illustration]\n\n[Illustration: A gale.] or more"
    assert [kind for kind, _ in blocks(text)] == [BlockKind.MARKUP, BlockKind.PROSE] * 2
    assert blocks("[Music illustration] and [Music illustration]")[0][0] is BlockKind.MARKUP
