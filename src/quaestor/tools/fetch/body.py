"""A body as it comes in, unpacked under a limit."""

import zlib

from quaestor.contracts.errors import ToolFailed

ENCODINGS = "gzip"
"""The content codings that are asked for."""

_PLAIN = frozenset({"", "identity"})
_GZIP = frozenset({"gzip", "x-gzip"})
_GZIP_BITS = zlib.MAX_WBITS | 16


class BodyReader:
    """Takes the pieces of a body until it is `full`; never holds more than `most` bytes and one of it.

    Raises ToolFailed for a coding that was not asked for, also for several on one another, and for what cannot be
    unpacked.
    """

    def __init__(self, encoding: str, most: int) -> None:
        coding = encoding.strip().lower()
        if coding not in _PLAIN | _GZIP:
            raise ToolFailed(f"its content is encoded as {encoding[:40]!r}, which was not asked for; use another page")
        self._most = most
        self._content = bytearray()
        self._taken = 0
        self._decompressor = zlib.decompressobj(_GZIP_BITS) if coding in _GZIP else None
        self._is_mid_member = False

    @property
    def full(self) -> bool:
        """Say whether the limit is passed, by what was taken or by what became of it."""
        return max(self._taken, len(self._content)) > self._most

    def add(self, piece: bytes) -> None:
        """Take the next piece, as far as there is room."""
        self._taken += len(piece)
        if self._decompressor is None:
            self._content += piece[: self._room]
            return
        try:
            self._decompress(piece, self._decompressor)
        except zlib.error as error:
            raise ToolFailed(f"its content is no gzip ({error}); use another page") from error

    def whole(self) -> bytes:
        """Give the content after the last piece. Raises ToolFailed when it is too long or not whole."""
        if self.full:
            raise body_too_large(self._most)
        if self._is_mid_member:
            raise ToolFailed("its content ends in the middle of a gzip; fetch it later or use another page")
        return bytes(self._content)

    def prefix(self) -> bytes:
        """Give as much of the content as there is, within the limit."""
        return bytes(self._content[: self._most])

    @property
    def _room(self) -> int:
        return self._most + 1 - len(self._content)

    def _decompress(self, piece: bytes, unpacker: "zlib._Decompress") -> None:
        """Unpack one gzip after the other (RFC 1952, 2.2)."""
        while piece and self._room > 0:
            self._content += unpacker.decompress(piece, self._room)
            self._is_mid_member = not unpacker.eof
            piece = unpacker.unconsumed_tail
            if unpacker.eof:
                piece = unpacker.unused_data
                unpacker = self._decompressor = zlib.decompressobj(_GZIP_BITS)


def body_too_large(most: int) -> ToolFailed:
    """Give the error for a body above the limit."""
    return ToolFailed(f"it has more than {most:,} bytes; use a shorter page")
