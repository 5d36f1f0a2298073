import pytest

from quaestor.evidence.tables import find_tables
from quaestor.research.offline.fields.table_notes import (
    TableNotes,
    find_notes,
    speaks_of_cell,
    speaks_of_numbers,
    speaks_of_rows,
)

TABLE = "| Stall | Fee |\n|---|---|\n| Fish | 15 |\n| Fruit | 28 |\n"


def notes_of(text: str, suffix: str = ".md") -> TableNotes:
    return find_notes(text, find_tables(text, suffix)[0])


def test_the_notes_of_a_table_are_the_paragraphs_beside_it_up_to_the_next_heading() -> None:
    text = (
        f"# Market\n\nFar above.\n\nRight above.\n\n{TABLE}\nRight below.\n\nFurther below.\n\n## Next\n\nOf another.\n"
    )

    assert notes_of(text) == TableNotes("Right above.", "Right below. Further below.")


def test_a_heading_is_no_note_and_neither_is_what_is_below_the_next_table() -> None:
    assert notes_of(f"# Market\n\n{TABLE}\n{TABLE}\nBelow the second.\n") == TableNotes()


def test_a_line_that_touches_a_table_is_a_note() -> None:
    assert notes_of(f"# Market\n\nPrices of May:\n{TABLE}") == TableNotes("Prices of May:", "")


def test_rules_and_directives_of_restructuredtext_are_no_notes() -> None:
    ruled = (
        "Bells\n-----\n\n=====  ====\nBell   Cast\n=====  ====\nAnne   1688\nJo     1705\n=====  ====\n\nOne rings.\n"
    )
    directive = (
        'These are old.\n\n.. csv-table:: Bells\n   :header: "Bell", "Cast"\n\n   Anne,1688\n   Jo,1705\n\n'
        "\nMore\n----\n\nText.\n"
    )

    assert notes_of(ruled, ".rst") == TableNotes("", "One rings.")
    assert notes_of(directive, ".rst") == TableNotes("These are old.", "")


@pytest.mark.parametrize(
    "below",
    [
        "This is not yet in force.",
        "The first of them is lower by three euros.",
        "Fish has been given up.",
        "Fees double in winter.",
        "15 stands for nothing.",
        "Der obige Betrag gilt nicht mehr.",
        "Ces prix ont changé.",
        "Los precios de la tabla son viejos.",
        "I prezzi della tabella sono vecchi.",
        "De laatste rij is oud.",
        "Os valores acima mudaram.",
        "Цены в таблице устарели.",
        "上表已过时。",
        "この値は古い。",
        "هذه الأسعار قديمة.",
    ],
)
def test_prose_below_a_table_speaks_of_a_cell_by_a_place_its_row_its_column_or_its_value(below: str) -> None:
    assert speaks_of_cell(TableNotes(below=below), "Fish", "Fee", "15")


@pytest.mark.parametrize(
    "below",
    [
        "All fees include VAT.",
        "Alle Fees verstehen sich inklusive MwSt.",
        "All fees in euros.",
        "Table 3: Fees of the market.",
        "The market opens at noon.",
    ],
)
def test_a_caption_a_tax_or_a_unit_does_not_speak_of_a_cell(below: str) -> None:
    assert not speaks_of_cell(TableNotes(below=below), "Fish", "Fee", "15")


@pytest.mark.parametrize(
    ("above", "speaks"),
    [
        ("The table below lists the fees.", False),
        ("The table below is not up to date.", True),
        ("Fish moved to the quay.", True),
        ("It was 15 at first.", True),
    ],
)
def test_prose_above_a_table_speaks_of_a_cell_by_its_row_its_value_or_a_reserve(above: str, speaks: bool) -> None:
    assert speaks_of_cell(TableNotes(above=above), "Fish", "Fee", "15") == speaks


@pytest.mark.parametrize(
    ("below", "speaks"),
    [
        ("The stalls stand on the quay.", False),
        ("Fish was there in 1744 and came again.", False),
        ("Two stalls are not let.", True),
        ("Fish was sold.", True),
        ("The list does not show this yet.", True),
        ("Not New Fish alone.", True),
        ("And eleven others, whose forms are with the clerk.", True),
    ],
)
def test_prose_speaks_of_rows_where_it_denies_or_changes_something_about_them(below: str, speaks: bool) -> None:
    assert speaks_of_rows(TableNotes(below=below), ["Fish", "Fruit"], frozenset({"stall"})) == speaks


def test_a_word_in_the_name_of_a_row_denies_nothing() -> None:
    assert not speaks_of_rows(TableNotes(below="New Quay is by the sea."), ["New Quay"], frozenset())


@pytest.mark.parametrize(
    ("below", "speaks"),
    [
        ("0 stands for what is free.", True),
        ("What several share is counted once in the last row.", True),
        ("The market opens at noon.", False),
    ],
)
def test_prose_below_a_table_speaks_of_numbers_by_a_place_or_by_one_of_them(below: str, speaks: bool) -> None:
    assert speaks_of_numbers(TableNotes(below=below), ["0", "28"]) == speaks
