"""What is in a PNG file of eight-bit RGB without filters, as this program draws them."""

import struct
import zlib


def marked_rows(png: bytes) -> tuple[int, int, int]:
    """Return the width, the height, and how many rows have a pixel under a yellow marker."""
    width, height, depth, kind = struct.unpack("!IIBB", png[16:26])
    assert (depth, kind) == (8, 2)
    size = struct.unpack("!I", png[33:37])[0]
    rows = zlib.decompress(png[41 : 41 + size])
    line = 1 + 3 * width
    return width, height, sum(_is_marked(rows[at : at + line]) for at in range(0, len(rows), line))


def _is_marked(row: bytes) -> bool:
    """Return whether a pixel is bright in red and dark in blue, which no grey of letters is."""
    return any(red > 200 and blue < 100 for red, blue in zip(row[1::3], row[3::3], strict=True))
