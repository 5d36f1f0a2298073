from itertools import pairwise

import pytest

from fakes.pdf import pdf
from quaestor.tools.reading.ocr import MAX_PAGES, join_pages, recognize_page
from quaestor.tools.reading.protocol import ParsedDocument, RecognizedPage, SkipReason


def test_each_page_is_marked_as_recognised_and_begins_where_it_is_cited() -> None:
    pages = (
        RecognizedPage("The lamp burned oil.", 0.986, 3),
        RecognizedPage("", 0, 3),
        RecognizedPage("It rang.", 1, 3),
    )

    read = join_pages(iter(pages))

    assert isinstance(read, ParsedDocument)
    starts = [*read.pages, len(read.text)]
    assert [read.text[a:b].strip() for a, b in pairwise(starts)] == [
        "# Page 1, recognised by OCR, confidence 99%\n\nThe lamp burned oil.",
        "# Page 2, no words recognised",
        "# Page 3, recognised by OCR, confidence 100%\n\nIt rang.",
    ]


@pytest.mark.parametrize("box", [b"1000000 1", b"1 14400", b"1 100000000"])
def test_a_page_that_is_a_strip_has_no_words(box: bytes) -> None:
    assert recognize_page(pdf(["x"]).replace(b"[0 0 612 792]", b"[0 0 %b]" % box), 1) == RecognizedPage("", 0.0, 1)


@pytest.mark.parametrize(
    ("pages", "reason"),
    [
        ([RecognizedPage("", 0, 1)], SkipReason.NO_WORDS),
        ([RecognizedPage("It rang.", 1, MAX_PAGES + 1)], SkipReason.TOO_MANY_PAGES),
        ([RecognizedPage("It rang.", 1, 2), SkipReason.TOO_MUCH_WORK], SkipReason.TOO_MUCH_WORK),
    ],
)
def test_a_scan_that_is_not_read_whole_is_skipped_with_the_reason(
    pages: list[RecognizedPage | SkipReason], reason: SkipReason
) -> None:
    assert join_pages(iter(pages)) is reason
