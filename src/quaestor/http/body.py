"""Reading of a response's body under a limit of bytes, decompressed piece by piece."""

import zlib
from contextlib import aclosing

import httpx2

from quaestor.http.errors import BodyTooLarge, UndecodableBody

ACCEPTED_CODINGS = "gzip"
"""The content codings to ask for where compression is worth it."""

_IDENTITY = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_BITS = zlib.MAX_WBITS | 16
_MAX_SHOWN_CODING = 40


class BodyReader:
    """A buffer for the pieces of a body until it is full; it holds at most `max_bytes` bytes and one more.

    Raises UndecodableBody for a coding other than one gzip or none, and for a damaged gzip.
    """

    def __init__(self, coding: str, max_bytes: int) -> None:
        name = coding.strip().lower()
        if name not in _IDENTITY | _GZIP:
            raise UndecodableBody(f"its content is encoded as {coding[:_MAX_SHOWN_CODING]!r}, which was not asked for")
        self._max_bytes = max_bytes
        self._content = bytearray()
        self._received = 0
        self._decompressor = zlib.decompressobj(_GZIP_BITS) if name in _GZIP else None
        self._is_mid_member = False

    @property
    def is_full(self) -> bool:
        """Return whether the limit is exceeded, by the bytes received or by the bytes decompressed."""
        return max(self._received, len(self._content)) > self._max_bytes

    def add(self, piece: bytes) -> None:
        """Append the next piece, up to the limit."""
        self._received += len(piece)
        if self._decompressor is None:
            self._content += piece[: self._remaining]
            return
        try:
            self._decompress(piece, self._decompressor)
        except zlib.error as error:
            raise UndecodableBody(f"its content is no gzip ({error})") from error

    def finish(self) -> bytes:
        """Return the content after the last piece. Raises BodyTooLarge, or UndecodableBody for a truncated gzip."""
        if self.is_full:
            raise BodyTooLarge(self._max_bytes)
        if self._is_mid_member:
            raise UndecodableBody("its content ends in the middle of a gzip")
        return bytes(self._content)

    def prefix(self) -> bytes:
        """Return the content so far, up to the limit."""
        return bytes(self._content[: self._max_bytes])

    @property
    def _remaining(self) -> int:
        return self._max_bytes + 1 - len(self._content)

    def _decompress(self, piece: bytes, decompressor: "zlib._Decompress") -> None:
        """Decompress one gzip member after the other (RFC 1952, 2.2), so that a bomb stops at the limit."""
        # The limit is that of what comes out: a megabyte of gzip can hold a gigabyte, and is not unpacked to be
        # measured.
        while piece and self._remaining > 0:
            self._content += decompressor.decompress(piece, self._remaining)
            self._is_mid_member = not decompressor.eof
            piece = decompressor.unconsumed_tail
            if decompressor.eof:
                # Another member may follow in the same body.
                piece = decompressor.unused_data
                decompressor = self._decompressor = zlib.decompressobj(_GZIP_BITS)


async def read_body(response: httpx2.Response, max_bytes: int) -> bytes:
    """Return the whole decompressed body.

    Raises BodyTooLarge for one of more than `max_bytes` bytes, compressed or not, UndecodableBody as BodyReader does.
    """
    length = response.headers.get("content-length", "")
    # A courtesy alone, to end early: the length is what the other side says, so what comes is counted in any case.
    if length.isdecimal() and int(length) > max_bytes:
        raise BodyTooLarge(max_bytes)
    return (await _collect(response, max_bytes)).finish()


async def read_prefix(response: httpx2.Response, max_bytes: int) -> bytes:
    """Return the first `max_bytes` bytes of the decompressed body. Raises UndecodableBody as BodyReader does."""
    return (await _collect(response, max_bytes)).prefix()


async def read_error_text(response: httpx2.Response, max_bytes: int) -> str:
    """Return the beginning of an error's body as text; empty where it cannot be decoded."""
    try:
        return decode_text(await read_prefix(response, max_bytes))
    except UndecodableBody:
        return ""


def decode_text(body: bytes) -> str:
    """Return UTF-8 as text, without a byte order mark and with U+FFFD for what is no UTF-8."""
    return body.decode("utf-8-sig", errors="replace")


async def _collect(response: httpx2.Response, max_bytes: int) -> BodyReader:
    reader = BodyReader(response.headers.get("content-encoding", ""), max_bytes)
    async with aclosing(response.aiter_raw()) as pieces:
        async for piece in pieces:
            reader.add(piece)
            if reader.is_full:
                break
    return reader
