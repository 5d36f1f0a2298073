import pytest

from quaestor.evidence.table_heads import columns_above

GRID = """Jars of Ek:

+------+-----------+
|      | Kept in   |
+------+-----------+
| Jar  | Cellar    |
+======+===========+
| blue | 3         |
+------+-----------+
| red  | 4         |
+------+-----------+

The red one is old.
"""


def above(text: str, suffix: str, *begins: str) -> tuple[str, ...]:
    """Return the columns of passages that begin with these words, each up to the next."""
    places = [text.index(words) for words in begins]
    return columns_above(text, suffix, list(zip(places, [*places[1:], len(text)], strict=True)))


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("Jar,Shelf\nblue,3\nred,4\nwhite,5\n", ".csv"),
        ("Words.\n\n| Jar | Shelf |\n|---|---|\n| blue | 3 |\n| red | 4 |\n| white | 5 |\n\nred words", ".md"),
    ],
)
def test_a_passage_that_begins_within_a_table_has_the_names_of_its_columns_above_it(text: str, suffix: str) -> None:
    assert above(text, suffix, text[:3], "red", "white") == ("", "Jar Shelf", "Jar Shelf")
    assert above(text, suffix, text[:3]) == ("",)


def test_what_stands_behind_a_table_is_none_of_its_rows() -> None:
    text = "| Jar | Shelf |\n|---|---|\n| blue | 3 |\n\nThe end."
    assert above(text, ".md", "| Jar", "| blue", "The end") == ("", "Jar Shelf", "")


def test_a_drawn_table_whose_cells_span_columns_has_names_as_well() -> None:
    first, later, behind = above(GRID, ".rst", "Jars", "| red", "The red")
    assert (first, behind) == ("", "")
    assert {"Kept", "in", "Jar", "Cellar"} <= set(later.split())


def test_a_text_without_tables_has_none_nor_have_objects_with_their_keys() -> None:
    rows = '[{"jar": "blue", "shelf": 3},\n{"jar": "red", "shelf": 4}]'
    assert above(rows, ".json", "[", '{"jar": "red"') == ("", "")
    assert above("Words.\n\nMore words.", ".txt", "Words", "More") == ("", "")
