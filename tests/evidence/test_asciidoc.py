import pytest

from quaestor.evidence.asciidoc import table_fields
from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.passages import split_passages
from quaestor.evidence.sentences import sentence_spans

MANUAL = """[[cellar]]
== Keeping the Cellar

The cellar is kept at 8 degrees.

.The door of the cellar
image::door.png[The door]

[source,console]
----
$ cellar --open
----

[NOTE]
====
Never open both doors.
====

.. Not a list of this format
"""


def told(text: str) -> list[tuple[BlockKind, str]]:
    return [(block.kind, text[block.start : block.end].partition("\n")[0]) for block in parse_blocks(text)]


def test_a_section_of_asciidoc_has_its_title_and_its_marks_are_no_headings() -> None:
    assert told(MANUAL) == [
        (BlockKind.MARKUP, "[[cellar]]"),
        (BlockKind.HEADING, "Keeping the Cellar"),
        (BlockKind.PROSE, "The cellar is kept at 8 degrees."),
        (BlockKind.MARKUP, ".The door of the cellar"),
        (BlockKind.CODE, "[source,console]"),
        (BlockKind.MARKUP, "[NOTE]"),
        (BlockKind.PROSE, "Never open both doors."),
        (BlockKind.MARKUP, "===="),
        (BlockKind.MARKUP, ".. Not a list of this format"),
    ]
    assert {heading for *_, heading in split_passages(MANUAL, "text/plain")} == {"Keeping the Cellar"}


def test_the_sections_of_asciidoc_nest_by_their_signs() -> None:
    text = "= Handbook\nJane Roe\n\nWords.\n\n== One\n\nWords.\n\n=== Part\n\nWords.\n\n== Two\n\nWords.\n"
    found = [heading for *_, heading in split_passages(text, "text/plain")]
    assert found == ["Handbook", "Handbook > One", "Handbook > One > Part", "Handbook > Two"]


def test_a_mark_below_a_paragraph_ends_it() -> None:
    text = "====\nThe first line of a note\nand its last one.\n====\n\nMore.\n"
    assert [text[slice(*span)] for span in sentence_spans(text)] == [
        "The first line of a note\nand its last one.",
        "More.",
    ]


@pytest.mark.parametrize("line", ["Never open both doors.", "Never open both doors, as told before " * 3 + "(see it)"])
def test_the_one_line_of_a_note_is_no_title(line: str) -> None:
    assert told(f"{line}\n====\n")[0] == (BlockKind.PROSE, line)


def test_a_listing_and_a_note_are_within_an_item_that_goes_on() -> None:
    text = "* Open the door.\n+\n[source]\n----\nopen\n----\n\n* Close it.\n"
    kinds = [kind for kind, _ in told(text)]
    assert kinds == [BlockKind.ITEM, BlockKind.MARKUP, BlockKind.CODE, BlockKind.ITEM]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("[Unreleased]\n------------\n\nA pump.\n", "[Unreleased]"),
        ("A title that is longer than its rule\n----\n\nWords.\n", "A title that is longer than its rule"),
    ],
)
def test_an_underlined_line_is_a_heading_of_other_formats(text: str, heading: str) -> None:
    assert told(text)[0] == (BlockKind.HEADING, heading)


@pytest.mark.parametrize("text", ["a = b\n= c\n", "= 5\n", "Words before.\n== 7 times as much as before.\n"])
def test_a_sign_of_equality_is_no_title(text: str) -> None:
    assert BlockKind.HEADING not in [kind for kind, _ in told(text)]


KEEPER = ("Keeper", "Ada Lund")


@pytest.mark.parametrize(
    ("rows", "fields"),
    [
        (
            "| Keeper\n| link:https://jars.example/ada[Ada Lund]\n\n| Status\n| Withdrawn :hand:\n",
            (KEEPER, ("Status", "Withdrawn")),
        ),
        ("| Keeper\n| Ada Lund\n//\n//| Notes\n// Uncomment.\n| Status\n| Draft\n", (KEEPER, ("Status", "Draft"))),
        (
            "|Keeper |Ada Lund\n\n|Status |Draft, as the\nlids are missing\n",
            (KEEPER, ("Status", "Draft, as the lids are missing")),
        ),
        ("| Jar | Status | Lid\n| one | Draft | tin\n", ()),
        ("| Jar\n| Status\n| Lid\n\n| one\n| Draft\n| tin\n", ()),
    ],
)
def test_a_table_of_two_columns_holds_keys_and_values(rows: str, fields: tuple[tuple[str, str], ...]) -> None:
    assert tuple(table_fields(f"= Jars\n\n.Metadata\n[cols=2]\n|===\n{rows}|===\n\n|===\n|a |b\n|===\n")) == fields


def test_a_text_without_a_table_has_no_fields() -> None:
    assert not list(table_fields("= Jars\n\n|===\n| Status\n| Draft\n"))
