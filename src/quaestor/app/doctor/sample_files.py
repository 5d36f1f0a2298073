"""The smallest files of three formats, by which reading is tried; each holds the same sentence."""

import io
from zipfile import ZipFile

SENTENCE = "The keeper rang the fog bell by hand until 1844."
_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_MAIN = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def html_page() -> bytes:
    """Return a page."""
    return f"<html><body><article><h1>Bells</h1><p>{SENTENCE} {SENTENCE}</p></article></body></html>".encode()


def pdf_file() -> bytes:
    """Return a PDF file of one page."""
    content = f"BT /F1 12 Tf 72 720 Td ({SENTENCE}) Tj ET".encode()
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources 6 0 R >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    )
    file, places = bytearray(b"%PDF-1.4\n"), []
    for number, body in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return bytes(
        file
        + b"xref\n0 7\n0000000000 65535 f \n%strailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(file))
    )


def docx_file() -> bytes:
    """Return a Word file of one paragraph."""
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
    parts = {
        "[Content_Types].xml": f'{head}<Types xmlns="{_PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{_WORD}"/></Types>',
        "_rels/.rels": f'{head}<Relationships xmlns="{_PACKAGE}/relationships">'
        f'<Relationship Id="r1" Type="{_OFFICE}" Target="word/document.xml"/></Relationships>',
        "word/document.xml": f'{head}<w:document xmlns:w="{_MAIN}"><w:body><w:p><w:r><w:t>{SENTENCE}</w:t></w:r></w:p>'
        "</w:body></w:document>",
    }
    file = io.BytesIO()
    with ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()
