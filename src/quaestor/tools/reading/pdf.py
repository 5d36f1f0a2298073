"""The text of a PDF file, page by page, in the order the file gives it; needs the extra `docs`."""

from itertools import accumulate

from pypdfium2 import PdfDocument, PdfiumError, PdfPage  # type: ignore[import-untyped]  # it ships no types
from pypdfium2.raw import FPDF_ERR_PASSWORD, FPDFPage_CountObjects  # type: ignore[import-untyped]

from quaestor.tools.reading import metadata
from quaestor.tools.reading.protocol import ParsedDocument, SkipReason

_PAGE_SEPARATOR = "\n\n"
_HYPHEN, _LINE_END_HYPHEN = "\x02", "-\n"
"""What PDFium writes for a hyphen at the end of a line, and what is on the page."""


def parse_pdf(content: bytes) -> ParsedDocument | SkipReason:
    """Return the text of a PDF file, an empty line between its pages; hyphens at line ends stay as they are.

    It is of the day that its first page states, as a letter does, else of that on which the file was written.
    """
    try:
        document = PdfDocument(content)
        pages = [page_text(document[number]) for number in range(len(document))]
    except PdfiumError as error:
        return SkipReason.ENCRYPTED if error.err_code == FPDF_ERR_PASSWORD else SkipReason.DAMAGED
    if not any(pages):
        is_drawn = any(FPDFPage_CountObjects(document[number]) for number in range(len(document)))
        return SkipReason.SCANNED if is_drawn else SkipReason.NO_WORDS
    metadata_fields = document.get_metadata_dict()
    stored = metadata.first_date([metadata_fields["ModDate"], metadata_fields["CreationDate"]])
    return ParsedDocument(
        title=" ".join(metadata_fields["Title"].split()),
        text=_PAGE_SEPARATOR.join(pages),
        published=metadata.date_from_fields(pages[0]) or stored,
        pages=tuple(accumulate((len(page) + len(_PAGE_SEPARATOR) for page in pages[:-1]), initial=0)),
    )


def page_text(page: PdfPage) -> str:
    """Return the words of a page as they are stored, and close the page."""
    words = page.get_textpage()
    text = words.get_text_bounded().replace(_HYPHEN, _LINE_END_HYPHEN)
    words.close()
    page.close()
    return "\n".join(line.rstrip() for line in text.replace("\0", "").splitlines()).strip()
