from hashlib import sha256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.contracts.source import Quote, TablePlace
from quaestor.evidence.table_places import place_quotes

LIGHTS = 'name,built,height\nVos,1823,40\n"Bell, the",1810,36\nVos,1810,40\n'
PORTS = "## Ports\n\n| Port | Depth |\n| --- | --- |\n| Vos | 40 |\n\n"
BOOK = f"{PORTS}## Lights\n\n| Light | Height |\n| --- | --- |\n| Bell | 36 |\n"
LISTED = """.. list-table::
   :header-rows: 1

   * - Port
     - Depth
   * - Bell
     - 36
   * - Vos
     - 40
"""


def quote(text: str, words: str, nth: int = 0) -> Quote:
    start = -1
    for _ in range(nth + 1):
        start = text.index(words, start + 1)
    return Quote(source=sha256(text.encode()).hexdigest(), start=start, end=start + len(words), text=words)


def place(text: str, uri: str, words: str, nth: int = 0) -> TablePlace | None:
    return place_quotes(text, uri, [quote(text, words, nth)])[0]


@pytest.mark.parametrize(
    ("text", "uri", "words", "nth", "sheet", "row", "columns"),
    [
        (LIGHTS, "a/lights.csv", "1823", 0, "", 1, ("built",)),
        (LIGHTS, "a/lights.csv", "40", 1, "", 3, ("height",)),
        (LIGHTS, "a/lights.csv", "1810", 1, "", 3, ("built",)),
        (LIGHTS, "a/lights.csv", "Vos,1823", 0, "", 1, ("name", "built")),
        (LIGHTS, "a/lights.csv", "Vos,1823,40", 0, "", 1, ()),
        (LIGHTS, "a/lights.csv", "the", 0, "", 2, ("name",)),
        ("name,built,keeper\nVos,1823,\n", "a.csv", "Vos,1823,", 0, "", 1, ()),
        ("name,built,keeper\n,1810,Ana\n", "a.csv", ",1810,Ana", 0, "", 1, ()),
        ("name,built,keeper\nVos,1823,\n", "a.csv", "1823,", 0, "", 1, ("built",)),
        (BOOK, "a/coast.xlsx", "36", 0, "Lights", 1, ("Height",)),
        (BOOK, "a/coast.XLSX", "40", 0, "Ports", 1, ("Depth",)),
        (BOOK, "a/coast.md", "40", 0, "", 1, ("Depth",)),
        ('[{"name": "Vos", "built": 1823}, {"name": "Bell", "built": 1810}]', "a.json", "Bell", 0, "", 2, ("name",)),
        (LISTED, "a.rst", "40", 0, "", 2, ("Depth",)),
        (LISTED, "a.rst", "* - Vos\n     - 40", 0, "", 2, ()),
        ("# Record 1\n\nname: Vos\nbuilt: 1823\n", "a.jsonl", "1823", 0, "", 1, ("built",)),
    ],
)
def test_a_cell_is_named_by_sheet_row_and_column(  # noqa: PLR0917 -- a case is a row
    text: str, uri: str, words: str, nth: int, sheet: str, row: int, columns: tuple[str, ...]
) -> None:
    found = place(text, uri, words, nth)
    assert found
    assert (found.sheet, found.row, found.columns) == (sheet, row, columns)


@pytest.mark.parametrize(
    ("text", "uri", "words"),
    [
        (LIGHTS, "a/lights.csv", "built"),
        (LIGHTS, "a/lights.csv", '40\n"Bell'),
        (BOOK, "a/coast.xlsx", "Lights"),
        ("Vos, 1823", "a.txt", "1823"),
        ("", "a.csv", ""),
    ],
)
def test_what_is_not_within_one_row_has_no_place(text: str, uri: str, words: str) -> None:
    quotes = [quote(text, words)] if words else []
    assert not any(place_quotes(text, uri, quotes))


def test_of_a_long_row_the_first_cells_are_kept_and_those_that_are_quoted() -> None:
    text = ",".join(f"c{n}" for n in range(50)) + "\n" + ",".join(f"v{n}x" for n in range(50)) + "\n"
    found = place(text, "a.csv", "v44x")
    assert found
    assert [cell.column for cell in found.cells] == [*(f"c{n}" for n in range(30)), "c44"]
    assert found.columns == ("c44",)


@given(st.lists(st.lists(st.sampled_from(["", "a", "aa", "b a", "1"]), min_size=3, max_size=3), min_size=1), st.data())
def test_the_cells_of_a_place_hold_the_words_of_the_quote(rows: list[list[str]], data: st.DataObject) -> None:
    text = "x,y,z\n" + "".join(f"{','.join(row)}\n" for row in rows)
    start = data.draw(st.integers(6, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    said = Quote(source="0" * 64, start=start, end=end, text=text[start:end])
    found = place_quotes(text, "a.csv", [said])[0]
    if found and said.text.strip(", "):
        held = [cell.value for cell in found.cells if cell.quoted]
        assert held
        assert all(part in " ".join(held) for part in said.text.split(",") if part.strip())
