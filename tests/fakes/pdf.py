"""PDF files, written as section 7.5 of ISO 32000-1 says."""

from collections.abc import Mapping, Sequence

_NOTHING: Mapping[str, str] = {}
_LOCK = b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <%s> /U <%s> /P -4 >> " % (b"ab" * 32, b"cd" * 32)
"""Of a password nobody knows."""


def pdf(*pages: Sequence[str], said: Mapping[str, str] = _NOTHING, locked: bool = False) -> bytes:
    """Return a PDF file with these pages, each a sequence of lines, and what it says of itself, as `ModDate`."""
    return pdf_of(*(_content(lines) for lines in pages), said=said, locked=locked)


def pdf_of(*contents: bytes, said: Mapping[str, str] = _NOTHING, locked: bool = False, coding: bytes = b"") -> bytes:
    """Return a PDF file whose pages have these content streams, encoded as `coding` names."""
    first = 5
    kids = b" ".join(b"%d 0 R" % (first + 2 * place) for place in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(contents)),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< %s >>" % b" ".join(b"/%s (%s)" % (name.encode(), value.encode()) for name, value in said.items()),
    ]
    for place, content in enumerate(contents):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R >> >> >>" % (first + 2 * place + 1)
        )
        objects.append(b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(content), coding, content))
    return _file(objects, _LOCK if locked else b"")


def _content(lines: Sequence[str]) -> bytes:
    shown = b" ".join(b"(%s) Tj T*" % line.encode("cp1252") for line in lines)
    return b"BT /F1 12 Tf 72 720 Td 14 TL %s ET" % shown


def _file(objects: Sequence[bytes], more: bytes) -> bytes:
    file = bytearray(b"%PDF-1.4\n")
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R /Info 4 0 R %s>>\nstartxref\n%d\n%%%%EOF"
    return bytes(file) + end % (len(places) + 1, table, len(places) + 1, more, len(file))
