"""A citation of a cell leads to the row of its table, in which it is marked, in every format."""

import json

from quaestor.contracts.source import TableCell, TablePlace
from quaestor.research.contracts.brief import Brief, BriefPassage
from quaestor.research.contracts.report import ReportSection
from quaestor.research.views.document import render_html, render_json, render_markdown
from research.views.sample import LONG, bare, claim, source

_CELLS = (
    TableCell(column="Light", value="Vos | <b>", quoted=False),
    TableCell(column="Height", value="37", quoted=True),
)
_CITED = LONG.revised(in_table=TablePlace(sheet="Lights", row=18, cells=_CELLS))
_REPORT = bare().revised(
    sections=(ReportSection(todo_id="t1", heading="Length", claims=(claim(1, "It is 37 metres high.", _CITED),)),),
    sources=(source("survey"),),
)


def test_the_page_shows_the_row_below_its_columns_with_the_cell_marked() -> None:
    text = render_html(_REPORT)
    assert '<th scope="col" dir="auto">Light</th><th scope="col" dir="auto">Height</th>' in text
    assert '<td dir="auto">Vos | &lt;b&gt;</td><td dir="auto"><mark>37</mark></td>' in text
    assert "sheet Lights, row 18, column Height, characters" in text


def test_markdown_names_the_sheet_the_row_and_the_column() -> None:
    assert "”, sheet Lights, row 18, column Height\n" in render_markdown(_REPORT)
    german = render_markdown(_REPORT.revised(language="de"))
    assert "”, Blatt Lights, Zeile 18, Spalte Height\n" in german


def test_a_brief_names_each_row_that_it_cites() -> None:
    places = [TablePlace(sheet="", row=row, cells=_CELLS) for row in (2, 5)]
    passages = tuple(
        BriefPassage(**dict(LONG.revised(number=number, in_table=place)), part="How long?", context=LONG)
        for number, place in enumerate(places, 1)
    )
    made = Brief(
        version=1,
        question="How long?",
        parts=("How long?",),
        passages=passages,
        sources=_REPORT.sources,
        making=_REPORT.making,
    )
    assert ", row 2, column Height; row 5, column Height [1][2]" in render_markdown(made)


def test_json_has_the_cells() -> None:
    [cited] = json.loads(render_json(_REPORT))["claims"][0]["citations"]
    assert cited["in_table"]["cells"][1] == {"column": "Height", "value": "37", "quoted": True}
