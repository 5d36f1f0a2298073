import io
from datetime import date
from zipfile import ZipFile

import pytest

from fakes.office import docx, packed
from quaestor.tools.reading.content_type import DOCX
from quaestor.tools.reading.office import BrokenZip, parse_office, replace_references, restore_references
from quaestor.tools.reading.protocol import ParsedDocument


def text_of(content: bytes) -> str:
    with ZipFile(io.BytesIO(content)) as archive:
        return restore_references(archive.read("word/document.xml").decode())


def test_references_become_characters_and_then_what_was_meant() -> None:
    content = replace_references(docx("R&amp;D &lt;&#53;&gt; &quot;caf&#xe9;&quot; &#8211; &apos;&#38;&#x3C;"))
    assert 'R&D <5> "café" – \'&<' in text_of(content)  # noqa: RUF001 -- the dash is what is tested
    with ZipFile(io.BytesIO(content)) as archive:
        assert b"&" not in archive.read("word/document.xml")


@pytest.mark.parametrize("number", ["0", "55296", "65535", "1114112", "x110000"])
def test_a_character_that_xml_forbids_is_marked(number: str) -> None:
    assert "a\ufffdb" in text_of(replace_references(docx(f"a&#{number};b")))


def test_an_entity_of_the_documents_own_stays() -> None:
    assert "a&own;b" in text_of(replace_references(docx("a&own;b")))


def test_parts_that_are_no_xml_stay_as_they_are() -> None:
    with ZipFile(io.BytesIO(replace_references(packed({"word/a.bin": "&amp;", "word/a.xml": "<a/>"})))) as archive:
        assert archive.read("word/a.bin") == b"&amp;"


@pytest.mark.parametrize(
    "content", [b"", b"PK\x03\x04junk", docx("words")[:-9], docx("words").replace(b"\x08\x00", b"\x63\x00")]
)
def test_a_broken_file_is_told(content: bytes) -> None:
    with pytest.raises(BrokenZip):
        replace_references(content)


def test_the_date_that_a_template_has_is_none_of_its_documents() -> None:
    def date_of(modified: str) -> date | None:
        read = parse_office(docx("The bell was cast.", modified=modified), DOCX)
        assert isinstance(read, ParsedDocument)
        return read.published

    assert date_of("2013-12-23T23:15:00Z") == date(2019, 1, 2), "that of its making"
    assert date_of("2013-12-24T23:15:00Z") == date(2013, 12, 24)
