from textwrap import indent

import pytest

from quaestor.evidence.block_lines import BlockKind
from quaestor.evidence.blocks import parse_blocks
from quaestor.evidence.tables import find_tables

MARKDOWN = """# Ports

## The ports of Orlia

| Port | Depth (m) |
|------|----------:|
| Quell | 14 |
| Salt\\|mere | 9 |

Ships call.
"""
GRID = """Buoys
-----

+-----------+--------+
| Buoy      | Colour |
+===========+========+
| Fair Way  | red    |
|           | light  |
+-----------+--------+
| Ox Tail   |        |
+-----------+--------+
"""
RULED = """=========  ======
Bell       Cast
=========  ======
Old Grey   1611
  of Harm
Deep Anne  1688
=========  ======
"""
RECORDS = "# Record 1\n\na: 1\nb: x: y\n\n# Record 2\n\na: 2\n"
DIRECTIVE = """.. csv-table:: Old modules
   :header: "Module", "Gone in"
   :widths: 1, 1

   aifc,"3.13, all"
   cgi,3.13

Text.
"""
LISTED = """.. list-table:: Old lamps
   :header-rows: 1
   :widths: 20 80

   * - Lamp
     - Burns

   * - Bell
     - oil of
       rape
   * - Vos
     -

Text.
"""


@pytest.mark.parametrize(
    ("text", "suffix", "caption", "columns", "rows"),
    [
        (MARKDOWN, ".md", "The ports of Orlia", ("Port", "Depth (m)"), [("Quell", "14"), ("Salt|mere", "9")]),
        (GRID, ".rst", "Buoys", ("Buoy", "Colour"), [("Fair Way", "red light"), ("Ox Tail", "")]),
        (DIRECTIVE, ".rst", "Old modules", ("Module", "Gone in"), [("aifc", "3.13, all"), ("cgi", "3.13")]),
        (LISTED, ".rst", "Old lamps", ("Lamp", "Burns"), [("Bell", "oil of rape"), ("Vos", "")]),
        ("a,b,c\n1,2,3\n4,5\n", ".csv", "", ("a", "b", "c"), [("1", "2", "3"), ("4", "5", "")]),
        ('port,depth\n"Quell, old",14\n\nX,7\n', ".csv", "", ("port", "depth"), [("Quell, old", "14"), ("X", "7")]),
        ("port;depth;no, name\nX;7,5;1\n", ".csv", "", ("port", "depth", "no, name"), [("X", "7,5", "1")]),
        ("Fleet;;\nas of 1, 2;;\n;;\nport;depth;x\nX;7;\n", ".csv", "Fleet", ("port", "depth", "x"), [("X", "7", "")]),
        ("Fleet of Orlia\n\nport;depth\nX;7\n", ".csv", "Fleet of Orlia", ("port", "depth"), [("X", "7")]),
        ("port\nX\nY\n", ".csv", "", ("port",), [("X",), ("Y",)]),
        ("a\tb\n1\t2\n", ".tsv", "", ("a", "b"), [("1", "2")]),
        (RECORDS, ".jsonl", "", ("a", "b"), [("1", "x: y"), ("2", "")]),
    ],
)  # fmt: skip
def test_a_table_has_the_cells_of_every_row(
    text: str, suffix: str, caption: str, columns: tuple[str, ...], rows: list[tuple[str, ...]]
) -> None:
    [table] = find_tables(text, suffix)

    assert (table.caption, table.columns) == (caption, columns)
    assert [row.cells for row in table.rows] == rows


def test_a_table_below_a_directive_or_in_an_item_is_found() -> None:
    [listed] = find_tables("* An item\n\n" + indent(LISTED, "  "), ".rst")
    [drawn] = find_tables("Lamps\n=====\n\n.. table:: Floats\n\n" + indent(GRID.split("\n\n")[1], "   "), ".rst")
    [ruled] = find_tables("* An item\n\n" + indent(RULED, "  "), ".rst")

    assert (listed.caption, [row.cells for row in listed.rows]) == ("Old lamps", [("Bell", "oil of rape"), ("Vos", "")])
    assert (drawn.caption, [row.cells for row in drawn.rows]) == (
        "Floats",
        [("Fair Way", "red light"), ("Ox Tail", "")],
    )
    assert ruled.rows[-1].cells == ("Deep Anne", "1688")


def test_a_line_that_begins_with_blanks_continues_no_row_of_a_ruled_table() -> None:
    [table] = find_tables(RULED, ".rst")

    assert [row.cells for row in table.rows] == [("Old Grey", "1611"), ("of Harm", ""), ("Deep Anne", "1688")]


def test_the_words_of_a_row_stand_at_its_place() -> None:
    [table] = find_tables(MARKDOWN, ".md")
    [listed] = find_tables('.. csv-table:: T\n   :header: "a", "b"\n\n   x,y\n   v,w\n', ".rst")

    assert [MARKDOWN[row.start : row.end] for row in table.rows] == ["| Quell | 14 |", "| Salt\\|mere | 9 |"]
    assert [row.cells for row in listed.rows] == [("x", "y"), ("v", "w")]
    assert DIRECTIVE[slice(*_place(DIRECTIVE))] == 'aifc,"3.13, all"'


def test_the_words_of_a_row_of_lists_are_all_its_lines() -> None:
    [table] = find_tables(LISTED, ".rst")
    assert [LISTED[row.start : row.end] for row in table.rows] == [
        "* - Bell\n     - oil of\n       rape",
        "* - Vos\n     -",
    ]


def test_the_title_of_a_table_is_that_of_no_later_one() -> None:
    later = "Buoys\n=====\n\n" + LISTED + GRID.replace("Buoys\n-----\n", "")
    assert [table.caption for table in find_tables(later, ".rst")] == ["Old lamps", "Buoys"]


@pytest.mark.parametrize(
    "change",
    [
        ("   :header-rows: 1\n", ""),
        ("     -\n", ""),
        ("       rape", "       * rape"),
        ("       rape", "       .. note:: rape"),
        ("- oil of", "- oil::"),
        ("- oil of", "- * oil"),
        ("       rape", "    rape"),
    ],
)
def test_a_list_of_lists_that_is_no_whole_table_is_read_as_items(change: tuple[str, str]) -> None:
    text = LISTED.replace(*change)
    kinds = [block.kind for block in parse_blocks(text)]

    assert find_tables(text, ".rst") == ()
    assert BlockKind.CODE not in kinds
    assert kinds.count(BlockKind.ITEM) >= 4


def test_rows_below_a_directive_are_no_code() -> None:
    for text in (LISTED, DIRECTIVE, DIRECTIVE.replace('   :header: "Module", "Gone in"\n', "")):
        kinds = [block.kind for block in parse_blocks(text)]
        assert kinds == [BlockKind.PROSE, BlockKind.TABLE, BlockKind.PROSE]


def _place(text: str) -> tuple[int, int]:
    first = find_tables(text, ".rst")[0].rows[0]
    return first.start, first.end


def test_a_column_without_a_name_that_counts_the_rows_is_none() -> None:
    counted = '"","Port","Berths"\n"1","Quell",4\n"2","Mere",9\n'
    (table,) = find_tables(counted, ".csv")

    assert (table.columns, [row.cells for row in table.rows]) == (("Port", "Berths"), [("Quell", "4"), ("Mere", "9")])
    assert counted[table.rows[1].start : table.rows[1].end] == '"2","Mere",9'
    assert find_tables(",Port\n0,Quell\n1,Mere\n", ".csv")[0].columns == ("Port",)
    assert find_tables(counted.replace('"2"', '"7"'), ".csv") == ()


def test_an_array_in_json_is_named_by_its_key_and_has_what_stands_beside_it() -> None:
    [table] = find_tables('{"fleet": "Harrow Line", "ships": [{"name": "Tern", "tons": 380}]}', ".json")

    assert (table.caption, table.beside, table.columns) == ("ships", "Harrow Line", ("name", "tons"))


def test_a_long_table_has_whole_cells_in_its_last_column() -> None:
    rows = [f"{number:<4} short" for number in range(600)] + ["600  a name that is longer than its rule"]
    [table] = find_tables("\n".join(("==== =====", "No   Bell ", "==== =====", *rows, "==== =====\n")), ".rst")

    assert table.rows[-1].cells == ("600", "a name that is longer than its rule")


@pytest.mark.parametrize(
    ("lines", "columns"),
    [
        (("+---+-----+", "| 0 | dim |", "+---+-----+", "| 1 | lit |", "+---+-----+"), None),
        (("+---+-----+", "| 0 | dim |", "+---+-----+", "| 1 | lit |", "+===+=====+"), None),
        ((".. csv-table:: Lamps", "", "   0,dim", "   1,lit"), None),
        ((".. csv-table:: Lamps", "   :header: no,light", "   :header-rows: 1", "", "   0,dim", "   1,lit"), None),
        ((".. csv-table:: Lamps", "   :header-rows: 1", "", "   no,light", "   1,lit"), ("no", "light")),
    ],
)
def test_a_first_row_that_nothing_sets_off_names_no_columns(
    lines: tuple[str, ...], columns: tuple[str, str] | None
) -> None:
    found = find_tables("\n".join(lines), ".rst")

    assert [table.columns for table in found] == ([columns] if columns else [])


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        ("a,b\n1\n2,3\n", ".csv"),
        ("a,b\n", ".csv"),
        ("a\n" + "x" * 200_000 + "\n", ".csv"),
        ("a\n1\n" + "x" * 200_000 + "\n", ".csv"),
        ('a,b\n1,"x\n2,y\n3,z\n', ".csv"),
        ("+---+---+\n| a | b |\n+===+===+\n| spans |\n+---+---+\n", ".rst"),
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n", ".rst"),
        ("==== ====\na    b\n", ".rst"),
        ("| a | b |\n|---|---|\n| 1 |\n", ".md"),
        (f"# Record 1\n\na: 1\nb: 1\n\n# Record 2\n\na: 2\n\nb:\n\n{'long ' * 50}\n", ".jsonl"),
        ("[" * 100_000, ".json"),
        ('{"a": [{"b": ', ".json"),
        ('{"a": [{"b": 1}, {"b": ', ".json"),
        ('{"a": [{"b": 1},', ".json"),
        ('{"a": [{"b": 1}, 3, {"b": 2}]}', ".json"),
        ('{"b": 1}\n{"b": 2}\n{"b', ".json"),
        ("no table | at all\n", ".md"),
    ],
)
def test_what_is_not_read_to_its_end_without_doubt_is_no_table(text: str, suffix: str) -> None:
    assert find_tables(text, suffix) == ()


def test_the_caption_of_a_table_is_words_without_tags_images_and_emphasis() -> None:
    heading = "## The **ports** of Orlia <img src='orlia.png'>"
    (table,) = find_tables(MARKDOWN.replace("## The ports of Orlia", heading), ".md")
    assert table.caption == "The ports of Orlia"
