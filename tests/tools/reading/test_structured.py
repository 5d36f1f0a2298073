import json
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quaestor.tools.reading.content_type import DRAWING, EMAIL, JSON_LINES, NOTEBOOK, detect_media_type
from quaestor.tools.reading.parse import parse
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason
from quaestor.tools.reading.structured import parse_structured

CELLS = [
    {"cell_type": "markdown", "source": ["# Lamps\n", "\n", "Colza oil burns slowly."]},
    {"cell_type": "code", "source": "print(6 * 7)", "outputs": [{"output_type": "stream", "text": ["42\n"]}]},
    {"cell_type": "code", "source": "1 / 3", "outputs": [{"data": {"text/plain": "0.333", "image/png": "aGk="}}]},
    {"cell_type": "raw", "source": ""},
]
BOOK = json.dumps({"cells": CELLS, "metadata": {"kernelspec": {"language": "python"}}, "nbformat": 4}).encode()
MAIL = b"""From: Ann <ann@example.org>\r
To: Ben <ben@example.org>\r
Date: Wed, 06 May 2020 23:30:00 -0500\r
Subject: =?utf-8?q?The_l=C3=A4mp?=\r
MIME-Version: 1.0\r
Content-Type: multipart/mixed; boundary=x\r
\r
--x\r
Content-Type: text/html; charset=utf-8\r
\r
<p>The lamp <b>burns</b> oil &amp; tar.</p><script>alert(1)</script><p>It was lit in 1823.</p>\r
--x\r
Content-Type: text/csv\r
Content-Disposition: attachment; filename="lamps.csv"\r
\r
a,b\r
--x--\r
"""


def read(content: bytes, media_type: str) -> ParsedDocument:
    document = parse_structured(content, media_type)
    assert isinstance(document, ParsedDocument)
    return document


async def test_a_notebook_is_its_cells_read_in_the_process_of_readers() -> None:
    document = await parse(BOOK, "", "/lamps.ipynb")
    assert document.title == "Lamps"
    assert document.text == (
        "# Lamps\n\nColza oil burns slowly.\n\n```python\nprint(6 * 7)\n```\n\nOutput:\n\n```\n42\n```\n\n"
        "```python\n1 / 3\n```\n\nOutput:\n\n```\n0.333\n```\n"
    )


def test_a_message_is_its_headers_and_its_words() -> None:
    message = read(MAIL, EMAIL)
    assert (message.title, message.published) == ("The lämp", date(2020, 5, 7))
    assert message.text == (
        "From: Ann <ann@example.org>\nTo: Ben <ben@example.org>\nDate: Wed, 06 May 2020 23:30:00 -0500\n"
        "Subject: The lämp\nAttachment: lamps.csv\n\nThe lamp burns oil & tar.\n\nIt was lit in 1823.\n"
    )


def test_a_message_that_names_no_character_set_keeps_its_letters() -> None:
    mail = "From: Ann Lee <ann@example.org>\nSubject: Lids\n\nThe lids cost £38 in Zürich.\n"

    assert "cost £38 in Zürich." in read(mail.encode(), EMAIL).text
    assert "cost £38 in Zürich." in read(mail.encode("cp1252"), EMAIL).text


def test_a_record_has_its_number_and_its_fields() -> None:
    lines = [{"name": "Bell Rock", "lit": 1810, "none": None}, {"text": "It stands on a reef.\nIt is old."}, [1, 2]]
    document = read("\n".join(map(json.dumps, lines)).encode(), JSON_LINES)
    assert document.text == (
        "# Record 1\n\nname: Bell Rock\nlit: 1810\n\n# Record 2\n\ntext:\n\nIt stands on a reef.\nIt is old.\n\n"
        "# Record 3\n\nvalue: [1, 2]\n"
    )


async def test_what_no_store_takes_is_replaced() -> None:
    document = await parse(b'{"text": "An oil \\ud83d lamp\\u0000"}', "", "/lamps.jsonl")
    assert document.text == "# Record 1\n\ntext: An oil \ufffd lamp\ufffd\n"


def test_a_heading_without_words_is_no_title() -> None:
    cells = [{"cell_type": "markdown", "source": source} for source in ("# ", "Oil.")]
    assert read(json.dumps({"cells": cells}).encode(), NOTEBOOK) == ParsedDocument(text="# \n\nOil.\n")


@pytest.mark.parametrize("media_type", [NOTEBOOK, EMAIL, JSON_LINES])
@given(content=st.binary(max_size=60))
def test_whatever_is_no_such_file_is_named(media_type: str, content: bytes) -> None:
    assert isinstance(parse_structured(content, media_type), ParsedDocument | SkipReason)


def test_a_letter_without_the_headers_of_a_message_is_text_as_it_stands() -> None:
    letter = "De : Gaëlle\nObjet : lampes\n\nLa lampe est allumée.\n"
    assert read(letter.encode(), EMAIL) == ParsedDocument(text=letter)


@pytest.mark.parametrize("content", [b"{}", b"[" * 100_000, b'{"cells": 1}', b'{"cells": [{"source": {}}]}', b"\0"])
def test_a_damaged_notebook_is_skipped(content: bytes) -> None:
    assert parse_structured(content, NOTEBOOK) in {SkipReason.DAMAGED, SkipReason.NO_WORDS}


def test_the_name_says_what_it_is() -> None:
    named = {"a.ipynb": NOTEBOOK, "a.eml": EMAIL, "a.jsonl": JSON_LINES, "a.ndjson": JSON_LINES}
    assert {name: detect_media_type(BOOK, name) for name in named} == named


DRAWN = b"""<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><title>The light</title>
<style>.matrix { fill: red }</style><text x="1">Lamp &amp; <tspan>bell</tspan></text><text>
  </text><path d="M 0 0"/><text>Ann Lee</text></svg>"""


async def test_of_a_drawing_its_labels_are_read_and_no_shapes() -> None:
    drawn = await parse(DRAWN, "", "/docs/light.svg")
    assert (drawn.title, drawn.text) == ("The light", "The light\nLamp & bell\nAnn Lee\n")
    assert parse_structured(b"<svg><path d='M 0 0'/></svg>", DRAWING) == SkipReason.NO_WORDS
