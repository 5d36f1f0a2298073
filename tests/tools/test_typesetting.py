import re
from io import BytesIO
from zipfile import ZipFile

import pytest

from quaestor.contracts.errors import SetupError
from quaestor.tools.typesetting import write_docx, write_pdf
from views.exports.material import material

HOSTILE = """# A title

Oil. [1] 日本 Æ <script>alert(1)</script> #read("/etc/passwd") \\input{/etc/passwd} `#read("/etc/passwd")`{=typst}
"""


def test_a_word_file_has_the_report_and_no_picture() -> None:
    (content,) = write_docx(material().revised(markdown=f"{HOSTILE}\n![x](/etc/hostname)\n")).values()
    with ZipFile(BytesIO(content)) as archive:
        text = re.sub(r"<[^>]*>", "", archive.read("word/document.xml").decode())
        assert not [name for name in archive.namelist() if name.startswith("word/media")]
    assert "Oil. [1] 日本 Æ" in text
    assert "root:" not in text


def test_a_pdf_shows_the_report_and_reads_nothing_else() -> None:
    pdfium = pytest.importorskip("pypdfium2")
    given = material().revised(markdown=HOSTILE)
    (content,) = write_pdf(given).values()
    text = pdfium.PdfDocument(content)[0].get_textpage().get_text_range()
    assert "Oil. [1]" in text
    assert "root:" not in text
    assert write_pdf(given) == {"report.pdf": content}
    with pytest.raises(SetupError, match="file not found"):
        write_pdf(material().revised(markdown="![x](/etc/passwd)\n"))
