"""A page of a PDF file as a picture, with the words of quotes on colour; needs the extra `docs`."""

import struct
import zlib
from collections.abc import Iterator
from hashlib import sha256
from math import sqrt
from typing import NamedTuple

from pypdfium2 import PdfBitmap, PdfDocument, PdfiumError, PdfPage, PdfTextPage  # type: ignore[import-untyped]
from pypdfium2.raw import FPDFText_GetUnicode  # type: ignore[import-untyped]

from quaestor.tools.reading.pdf import page_text
from quaestor.tools.reading.protocol import PNG_SIGNATURE, PageRequest, SkipReason

_MAX_SCALE = 2.0
"""Pixels for each of the 72 points of an inch."""
_MAX_PIXELS = 4_000_000
_CHANNELS = 3
_INK = (bytes(range(256)), bytes(value * 214 // 255 for value in range(256)), bytes(value // 3 for value in range(256)))
"""What each of red, green and blue becomes under a yellow marker; black stays black."""
_LAST_CHARACTER = 0xFFFF
"""PDFium counts what is beyond it as one character in one place and as two in another."""
_MARGIN = 2
"""Pixels that a mark is larger than its words."""
_RGB_COLOURS = 2


class _Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int


def draw_page(content: bytes, page: PageRequest) -> bytes | SkipReason:
    """Return a page as a PNG, or the reason why it is not drawn, as that its words are not those of the request."""
    try:
        document = PdfDocument(content)
        if page.number > len(document):
            return SkipReason.CHANGED
        text = page_text(document[page.number - 1])
        if sha256(text.encode()).hexdigest() != page.words_sha256:
            return SkipReason.CHANGED
        drawn = document[page.number - 1]
        width, height = drawn.get_size()
        scale = min(_MAX_SCALE, sqrt(_MAX_PIXELS / max(1.0, width * height)))
        bitmap = drawn.render(scale=scale, rev_byteorder=True)
        pixels = bytearray(bitmap.buffer)
        for box in _find_boxes(drawn, bitmap, text, page):
            _mark(pixels, bitmap, box)
        return _encode_png(pixels, bitmap)
    except PdfiumError:
        return SkipReason.DAMAGED


def _find_boxes(page: PdfPage, bitmap: PdfBitmap, text: str, asked: PageRequest) -> Iterator[_Box]:
    """Yield where the words of the spans are in the picture, line by line."""
    words = page.get_textpage()
    place = bitmap.get_posconv(page)
    for first, count in _find_characters(words, text, asked):
        for number in range(words.count_rects(first, count)):
            left, bottom, right, top = words.get_rect(number)
            corners = (place.to_bitmap(left, top), place.to_bitmap(right, bottom))
            (x0, x1), (y0, y1) = (sorted(values) for values in zip(*corners, strict=True))
            yield _Box(
                max(0, x0 - _MARGIN),
                max(0, y0 - _MARGIN),
                min(bitmap.width, x1 + _MARGIN),
                min(bitmap.height, y1 + _MARGIN),
            )


def _find_characters(words: PdfTextPage, text: str, asked: PageRequest) -> Iterator[tuple[int, int]]:
    """Yield the first character on the page of each span, and how many there are.

    Stored words and characters on the page differ in blanks and in hyphens at line ends, so both are compared without.
    """
    codes = (FPDFText_GetUnicode(words, index) for index in range(words.count_chars()))
    shown = [(chr(code), index) for index, code in enumerate(codes) if code <= _LAST_CHARACTER and _is_ink(chr(code))]
    on_page = "".join(character for character, _ in shown)
    for start, end in asked.spans:
        wanted = _ink(text[max(0, start) : end])
        at = _nearest(on_page, wanted, len(_ink(text[: max(0, start)])))
        if wanted and at is not None:
            first, last = shown[at][1], shown[at + len(wanted) - 1][1]
            yield first, last - first + 1


def _nearest(on_page: str, wanted: str, expected: int) -> int | None:
    """Return where words are on a page, nearest to where they should be; None where they are not."""
    if on_page.startswith(wanted, expected):
        return expected
    before, behind = on_page.rfind(wanted, 0, expected + len(wanted)), on_page.find(wanted, expected)
    return min((at for at in (before, behind) if at >= 0), key=lambda at: abs(at - expected), default=None)


def _ink(text: str) -> str:
    return "".join(filter(_is_ink, text))


def _is_ink(character: str) -> bool:
    """Return whether a character counts in the comparison: no blank, hyphen, control character or half of a pair."""
    return (
        character.isprintable() and not character.isspace() and character != "-" and ord(character) <= _LAST_CHARACTER
    )


def _mark(pixels: bytearray, bitmap: PdfBitmap, box: _Box) -> None:
    """Put the colour of a marker over a box; what is dark stays as it is."""
    for row in range(box.top, box.bottom):
        for channel, ink in enumerate(_INK):
            first = row * bitmap.stride + box.left * _CHANNELS + channel
            own = slice(first, row * bitmap.stride + box.right * _CHANNELS, _CHANNELS)
            pixels[own] = pixels[own].translate(ink)


def _encode_png(pixels: bytearray, bitmap: PdfBitmap) -> bytes:
    """Return pixels of three bytes as a PNG file, ISO/IEC 15948."""
    width, height = bitmap.width, bitmap.height
    rows = b"".join(
        b"\0" + pixels[row * bitmap.stride : row * bitmap.stride + width * _CHANNELS] for row in range(height)
    )
    header = struct.pack("!IIBBBBB", width, height, 8, _RGB_COLOURS, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return PNG_SIGNATURE + b"".join(
        struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data)) for kind, data in parts
    )
