"""The text of a PDF file, page by page, in the order the file gives it; needs the extra `docs`."""

from itertools import accumulate

from pypdfium2 import PdfDocument, PdfiumError  # type: ignore[import-untyped]  # it ships no types
from pypdfium2.raw import FPDF_ERR_PASSWORD  # type: ignore[import-untyped]

from quaestor.tools.reading import dates
from quaestor.tools.reading.parsed import Parsed
from quaestor.tools.reading.reason import Reason

_BETWEEN = "\n\n"
_HYPHEN, _AT_LINE_END = "\x02", "-\n"
"""What PDFium writes for a hyphen and the end of line after it, and what stands on the page."""


def pdf(content: bytes) -> Parsed | Reason:
    """Give the text of a PDF file, an empty line between its pages; hyphens at line ends stay as they are."""
    try:
        document = PdfDocument(content)
        pages = [_text(document, number) for number in range(len(document))]
    except PdfiumError as error:
        return Reason.ENCRYPTED if error.err_code == FPDF_ERR_PASSWORD else Reason.DAMAGED
    if not any(pages):
        return Reason.SCANNED
    said = document.get_metadata_dict()
    return Parsed(
        title=" ".join(said["Title"].split()),
        text=_BETWEEN.join(pages),
        published=dates.first([said["ModDate"], said["CreationDate"]]),
        pages=tuple(accumulate((len(page) + len(_BETWEEN) for page in pages[:-1]), initial=0)),
    )


def _text(document: PdfDocument, number: int) -> str:
    page = document[number]
    words = page.get_textpage()
    text = words.get_text_bounded().replace(_HYPHEN, _AT_LINE_END)
    words.close()
    page.close()
    return "\n".join(line.rstrip() for line in text.replace("\0", "").splitlines()).strip()
