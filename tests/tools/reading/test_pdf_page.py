"""Pages of PDF files as pictures: the words of quotes are marked, and a page with other words is not drawn."""

from hashlib import sha256

import pytest

from fakes.pdf import pdf, pdf_of
from fakes.png import marked_rows
from quaestor.contracts.errors import ToolFailed
from quaestor.tools.reading.parse import draw_page, parse_sync
from quaestor.tools.reading.protocol import PageRequest, ParsedDocument

LINES = [
    "The Aldmouth lighthouse was built in 1831.",
    "It is seen at four-",
    "teen miles. The bell is older. The bell.",
]
PAPER = pdf(LINES, ["The second page."])
LINE_PIXELS = 28
"""Of one line: 14 points, two pixels each."""


def words(content: bytes, number: int = 1) -> str:
    read = parse_sync(content, "", "/a.pdf")
    assert isinstance(read, ParsedDocument)
    return read.text[slice(*(*read.pages, len(read.text))[number - 1 : number + 1])].strip()


async def marked(content: bytes, *quotes: str, number: int = 1) -> int:
    """Return how many rows of pixels of a page are marked."""
    text = words(content, number)
    spans = tuple((text.index(quote), text.index(quote) + len(quote)) for quote in quotes)
    asked = PageRequest(number, sha256(text.encode()).hexdigest(), spans)
    width, height, rows = marked_rows(await draw_page(content, "/a.pdf", asked))
    assert (width, height) == (1224, 1584)
    return rows


@pytest.mark.parametrize(
    ("quotes", "lines"),
    [
        ((), 0),
        (("lighthouse was built",), 1),
        (("four-\nteen miles",), 2),
        (("Aldmouth", "The bell is"), 2),
        ((LINES[0], LINES[1], LINES[2]), 3),
    ],
)
async def test_the_words_of_quotes_are_marked_line_by_line(quotes: tuple[str, ...], lines: int) -> None:
    rows = await marked(PAPER, *quotes)
    assert (rows > 0, abs(rows - lines * LINE_PIXELS) <= lines * LINE_PIXELS // 2) == (lines > 0, True)


async def test_the_second_page_is_drawn_by_its_number() -> None:
    assert await marked(PAPER, "second", number=2)
    turned = PAPER.replace(b"/MediaBox [0 0 612 792]", b"/Rotate 180 /MediaBox [0 0 612 792]")
    assert await marked(turned, "lighthouse")


@pytest.mark.parametrize(
    ("content", "number", "why"),
    [
        (pdf(["Other words."]), 1, "no longer what was read"),
        (PAPER, 3, "no longer what was read"),
        (b"%PDF-1.4 nothing", 1, "damaged"),
        (pdf(LINES, locked=True), 1, "damaged"),
    ],
)
async def test_what_is_not_the_page_that_was_read_is_not_drawn(content: bytes, number: int, why: str) -> None:
    asked = PageRequest(number, sha256(words(PAPER).encode()).hexdigest(), ((0, 5),))
    with pytest.raises(ToolFailed, match=why):
        await draw_page(content, "/a.pdf", asked)


@pytest.mark.parametrize("spans", [((-5, 3),), ((10**9, 10**9 + 5),), ((5, 2),), ((0, 10**9),)])
async def test_spans_that_lead_outside_are_no_harm(spans: tuple[tuple[int, int], ...]) -> None:
    asked = PageRequest(1, sha256(words(PAPER).encode()).hexdigest(), spans)
    assert marked_rows(await draw_page(PAPER, "/a.pdf", asked))[0] == 1224


async def test_a_page_of_any_size_becomes_a_picture_of_a_bounded_one() -> None:
    huge = pdf_of(b"BT /F1 12 Tf 72 720 Td (Words.) Tj ET").replace(b"[0 0 612 792]", b"[0 0 14400 14400]")
    asked = PageRequest(1, sha256(words(huge).encode()).hexdigest())
    width, height, _ = marked_rows(await draw_page(huge, "/a.pdf", asked))
    assert width * height <= 4_100_000
