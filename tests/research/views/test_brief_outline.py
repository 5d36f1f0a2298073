"""Paragraphs of a brief: lines that stand for themselves stay lines, and sentences flow."""

from datetime import UTC, datetime
from hashlib import sha256

import pytest

from quaestor.contracts.cost import Spend
from quaestor.contracts.immutable import replace
from quaestor.contracts.source import Quote, Source, TableCell, TablePlace
from quaestor.research.contracts.brief import Brief, BriefPassage
from quaestor.research.contracts.report import GenerationInfo
from quaestor.research.views.brief_markdown import render_brief_markdown
from quaestor.research.views.brief_outline import MarkedParagraph, MarkedRun

TABLE = "| port | berths |\n| --- | --- |\n" + "\n".join(f"| P{number} | {number} |" for number in range(20))
FIELDS = "Name: jarlid\nVersion: 2.1\nAuthor: Cy Fox"


def paragraph(text: str, quoted: str, uri: str = "/d/a.txt", in_table: TablePlace | None = None) -> MarkedParagraph:
    key = sha256(text.encode()).hexdigest()
    source = Source(
        sha256=key,
        title="",
        uri=uri,
        media_type="text/plain",
        characters=len(text),
        retrieved_at=datetime(2026, 5, 4, tzinfo=UTC),
    )
    start = text.index(quoted)
    end = start + len(quoted)
    passage = BriefPassage(
        number=1,
        finding="t1/1",
        source=key,
        start=start,
        end=end,
        text=quoted,
        part="",
        context=Quote(source=key, start=0, end=len(text), text=text),
        heading="",
        absent=(),
        in_table=in_table,
    )
    runs = (MarkedRun(text[:start]), MarkedRun(quoted, 1), MarkedRun(text[end:]))
    return MarkedParagraph((passage,), runs, source, source.title)


def shown(of: MarkedParagraph) -> list[str]:
    return ["".join(run.text for run in line) for line in of.lines]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ((None, "see also: “no”"), "see also: “no”"),
        (("Status: old", "Status: old"), "Status: old"),
        (("Status: old", "Status: old; see also: “no”"), "Status: old; see also: “no”"),
        (("Status: old; see also: “no”", "Status: old"), "Status: old; see also: “no”"),
        (("Status: old; later: “a; b”", "Status: old; later: “a; c”"), "Status: old; later: “a; b”; later: “a; c”"),
        (("later: “a”", "later: “b”", None), "later: “a”; later: “b”"),
        ((None, None), ""),
    ],
)
def test_what_is_said_of_each_passage_of_a_paragraph_stands_above_it_once(
    said: tuple[str | None, ...], told: str
) -> None:
    of = paragraph(FIELDS, "Version: 2.1")
    passages = tuple(of.first.revised(number=number, status=one) for number, one in enumerate(said, 1))
    assert replace(of, passages=passages).status == told


def test_a_word_that_one_passage_of_a_paragraph_does_not_lack_is_not_told() -> None:
    of = paragraph(FIELDS, "Version: 2.1")
    passages = tuple(of.first.revised(absent=absent) for absent in (("lid", "jar"), ("jar",)))
    assert replace(of, passages=passages).absent == ("jar",)


def test_fields_stand_on_their_lines_and_the_quote_is_marked() -> None:
    of = paragraph(FIELDS, "Version: 2.1")
    assert shown(of) == FIELDS.splitlines()
    assert [line for line in of.lines if any(run.number for run in line)] == [(MarkedRun("Version: 2.1", 1),)]


def test_a_quote_over_two_lines_is_marked_on_both() -> None:
    of = paragraph(FIELDS, "Version: 2.1\nAuthor: Cy Fox")
    assert [[run.number for run in line] for line in of.lines] == [[None], [1], [1]]


def test_a_line_end_within_an_item_is_a_blank_before_what_is_marked() -> None:
    of = paragraph("1. Scope\nWe mend jars.\n\n2. Claims\nBring the jar.", "We mend jars.")
    assert [" ".join(line.split()) for line in shown(of)] == ["1. Scope We mend jars.", "2. Claims Bring the jar."]


def test_of_a_long_table_its_first_line_and_those_near_the_quote_are_shown() -> None:
    assert shown(paragraph(TABLE, "| P9 | 9 |")) == [
        "| port | berths |",
        "…",
        *(f"| P{number} | {number} |" for number in range(7, 12)),
        "…",
    ]


def test_lines_of_a_table_file_stay_apart() -> None:
    assert len(paragraph("port,berths\nEk,4\nOslo,7", "Ek,4", "/d/a.csv").lines) == 3


def test_rows_far_below_the_names_of_their_columns_have_these_above_them() -> None:
    names = ("port", "first, or only, year")
    place = TablePlace(row=90, cells=tuple(TableCell(column=name, value="4", quoted=True) for name in names))
    rows = [f"P{number},{number}" for number in range(20)]
    few = paragraph("Ek,4\nOslo,7", "Ek,4", "/d/a.csv", place)
    many = paragraph("\n".join(rows), "P9,9", "/d/a.csv", place)
    whole = paragraph(f'port,"{names[1]}"\nEk,4', "Ek,4", "/d/a.csv", place)

    assert shown(few) == [", ".join(names), "…", "Ek,4", "Oslo,7"]
    assert shown(many) == [", ".join(names), "…", *rows[7:12], "…"]
    assert shown(whole) == [f'port,"{names[1]}"', "Ek,4"]


def test_the_cells_of_a_row_of_a_wide_table_stand_with_the_names_of_their_columns() -> None:
    names = [f"y{number}" for number in range(13)]
    cells = tuple(TableCell(column=name, value=name[1:] if name > "y11" else "", quoted=True) for name in names)
    row = ",".join(cell.value for cell in cells)
    text = f"{','.join(names)}\nEk\n{row}"
    of = paragraph(text, row, "/d/a.csv", TablePlace(row=2, cells=cells))

    assert shown(of) == ["y2: 2; y3: 3; y4: 4; y5: 5; y6: 6; y7: 7; y8: 8; y9: 9; y12: 12", "…", *text.split("\n")]


def test_rows_that_are_cut_out_of_a_table_below_a_directive_stand_on_their_lines() -> None:
    place = TablePlace(
        row=2, cells=tuple(TableCell(column=name, value="4", quoted=True) for name in ("port", "berths"))
    )
    listed = "* - port\n     - berths\n   * - Ek\n     - 4"

    assert shown(paragraph("Ek, 4\n   Oslo, 7", "Oslo, 7", "/d/a.rst", place)) == [
        "port, berths",
        "…",
        "Ek, 4",
        "Oslo, 7",
    ]
    assert shown(paragraph(listed, "* - Ek\n     - 4", "/d/a.rst", place)) == [
        "* - port\n     - berths",
        "* - Ek\n     - 4",
    ]


def test_sentences_flow() -> None:
    of = paragraph("A lid keeps the dust out,\nand the honey in.", "lid")
    assert of.lines == (of.runs,)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("**Present:** Ann. The *jar* is ***on*** a lid", "Present: Ann. The jar is on a lid"),
        ("Call `f(*a, **b)`, not **g**, with *args and **lid", "Call `f(*a, **b)`, not g, with *args and **lid"),
        ("See :ref:`the jars <jars-of>` and :kbd:`Ctrl-L` of a lid", "See the jars and Ctrl-L of a lid"),
        ("2 * 3 * 4 and a*b*c is the lid", "2 * 3 * 4 and a*b*c is the lid"),
        ("```\n**tin** lid\n```", "```\n**tin** lid\n```"),
    ],
)
def test_the_stars_of_emphasis_in_markdown_are_not_shown(written: str, read: str) -> None:
    of = paragraph(written, "lid")
    assert "".join(shown(of)) == written.replace("\n", "")  # of a plain text nothing is known
    for media_type in ("text/markdown", "text/x-rst"):
        marked = replace(of, source=of.source.revised(media_type=media_type))
        assert "".join(shown(marked)) == read.replace("\n", "")


def test_items_and_what_introduces_them_stand_on_lines_of_their_own() -> None:
    items = "It has a lid\nof these kinds:\n\n- A lid that is\n  heavy.\n- A cork.\n\nSize: 4\nPrice: 5"

    assert shown(paragraph(items, "lid\nof these")) == [
        "It has a lid\nof these kinds:",
        "- A lid that is\n  heavy.",
        "- A cork.",
        "Size: 4",
        "Price: 5",
    ]
    assert [run.number for line in paragraph(items, "heavy.\n- A cork.").lines for run in line if run.number] == [1, 1]


@pytest.mark.parametrize("text", ["- A lid.\n- A cork.", "You need:\n\n- A lid.\n- A cork.", "Size: 4\nPrice: 5"])
def test_a_list_that_goes_on_below_ends_with_a_sign(text: str) -> None:
    whole = paragraph(text, text[-6:])
    cut = replace(whole, passages=(whole.first.revised(list_goes_on=True),))

    assert shown(cut) == [*shown(whole), "…"]


def test_all_items_of_a_paragraph_are_shown() -> None:
    items = [f"- Lid {number}." for number in range(20)]

    assert shown(paragraph("\n".join(items), "Lid 9.")) == items


def test_what_is_left_out_at_the_end_has_one_sign() -> None:
    long = paragraph("\n".join(f"| Lid {number} | {number} |" for number in range(20)), "| Lid 4 | 4 |")

    assert shown(replace(long, passages=(long.first.revised(list_goes_on=True),))) == shown(long)


def test_rows_that_are_cut_out_of_a_table_without_bars_at_its_sides_stand_on_their_lines() -> None:
    assert shown(paragraph("Ek | 4\nOslo | 7\nRiga | 9", "Oslo | 7")) == ["Ek | 4", "Oslo | 7", "Riga | 9"]


def markdown(text: str, quoted: str) -> str:
    of = paragraph(text, quoted)
    making = GenerationInfo(
        model="offline", todos=1, todos_done=1, searches=1, sources_searched=1, spend=Spend(), extractive=True
    )
    made = Brief(version=1, question="?", parts=("",), passages=of.passages, sources=(of.source,), making=making)
    return render_brief_markdown(made)


def test_a_line_that_ends_where_its_prose_had_no_more_room_is_no_line_of_a_quote() -> None:
    wrapped = (
        "The keeper of the lamp was by then quite old.\nHe left the port in the year\n1860. Others left it in\nMay."
    )

    assert "**He left the port in the year ↵ 1860.**" in markdown(wrapped, "He left the port in the year\n1860.")
    wrapped = wrapped.replace("the year", "the very same spring")
    assert "**in the very same spring 1860.**" in markdown(wrapped, "in the very same spring\n1860.")


@pytest.mark.parametrize(("heading", "shown"), [("Jars", ""), ("Jars > Lids", "Lids"), ("Jars of tin", "Jars of tin")])
def test_a_heading_does_not_say_the_title_again(heading: str, shown: str) -> None:
    of = paragraph("A lid.", "lid")
    titled = replace(of, source=of.source.revised(title="Jars"), passages=(of.first.revised(heading=heading),))
    assert titled.heading == shown


def test_a_row_is_not_said_to_lack_what_a_row_shown_beside_it_has() -> None:
    of = paragraph(TABLE, "| P3 | 3 |", in_table=TablePlace(row=4, cells=()))
    passage = of.passages[0].revised(absent=("P4", "harbour"))
    assert MarkedParagraph((passage,), of.runs, of.source, of.name).absent == ("harbour",)
    assert MarkedParagraph((passage.revised(in_table=None),), of.runs, of.source, of.name).absent == ("P4", "harbour")
